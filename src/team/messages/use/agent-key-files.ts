// Agents' keys, as files in the owner's private folder, outside of the project.
import { join } from 'node:path';
import type { Clock } from '../../../core/base/clock.ts';
import { getCrypto, requireId } from '../../../core/base/ids.ts';
import { toUnknownRecord } from '../../../core/base/text.ts';
import { readJsonDocument } from '../../../core/store/documents.ts';
import { openOwnerFolder } from '../../../core/store/file/owner-folder.ts';
import type { OwnerPlace } from '../../../core/store/file/owner-folder.ts';
import { fsyncDir, isFolder, listFolderNames, unlinkIfThere } from '../../../core/store/local/disk.ts';
import { readBytes } from '../../../core/store/local/read.ts';
import { placeOnce, replaceFile } from '../../../core/store/local/temps.ts';
import { requireFileName } from '../../../core/store/names.ts';
import { formatFirstDay } from '../agent-keys.ts';
import type { AgentKey, AgentKeys } from '../agent-keys.ts';

const LONGEST = 64 * 1024;

/** Stores keys in `$XDG_STATE_HOME/council/keys/<project>/<agent>.json`, with used signatures by day. */
export function openAgentKeyFiles(at: OwnerPlace, clock: Clock): AgentKeys {
  const { dir: all, temps, project, makeFolder } = openOwnerFolder(at, 'keys');
  /** Folders of signatures that this process has created and swept. */
  const prepared = new Set<string>();
  const folder = (): string => join(all, project());
  const path = (agent: string): string => join(folder(), `${requireId(agent, 'agent')}.json`);
  const getSeenPath = (agent: string): string => join(folder(), `${requireId(agent, 'agent')}.seen`);

  return {
    path,
    random: (bytes) => getCrypto().randomBytes(bytes).toString('hex'),
    isUsed: () => isFolder(folder()),
    findKeys(agent) {
      const bytes = readBytes(path(agent), { limit: LONGEST, links: 'refuse' });
      return bytes && parseAgentKeys(bytes.toString('utf8'));
    },
    agents: () =>
      listFolderNames(folder()).flatMap((name) =>
        name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [],
      ),
    put(agent, keys) {
      makeFolder(folder());
      const text = `${JSON.stringify({ agent, keys }, null, 2)}\n`;
      if (keys.length > 0) replaceFile(temps, path(agent), Buffer.from(text));
      else unlinkIfThere(path(agent));
      fsyncDir(folder());
    },
    firstUse(agent, day, token, use) {
      const first = formatFirstDay(clock.now());
      if (day < first) return { use, isNew: false };
      const place = getSeenPath(agent);
      const file = join(place, requireFileName(`${day}-${token}`));
      const known = readBytes(file, { links: 'refuse' })?.toString('utf8');
      if (known !== undefined) return { use: known, isNew: false };
      if (!prepared.has(place)) {
        makeFolder(place);
        for (const name of listFolderNames(place)) if (name < first) unlinkIfThere(join(place, name));
        prepared.add(place);
      }
      if (placeOnce(temps, file, Buffer.from(use), false)) return { use, isNew: true };
      return { use: readBytes(file, { links: 'refuse' })?.toString('utf8') ?? '', isNew: false };
    },
  };
}

/** A damaged entry is no key, so that damaging a key cannot bypass it. */
function parseAgentKeys(text: string): AgentKey[] {
  const { keys } = readJsonDocument(text);
  return (Array.isArray(keys) ? keys : []).map(toUnknownRecord).flatMap(({ id, key, since, until }) => {
    if (typeof id !== 'string' || typeof key !== 'string' || typeof since !== 'string') return [];
    return [{ id, key, since, ...(typeof until === 'string' && { until }) }];
  });
}
