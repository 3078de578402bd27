// File driver: agents' keys in the private folder of their owner.
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { crypto, requireId } from '../../base/ids.ts';
import { toUnknownRecord } from '../../base/text.ts';
import type { AgentKey, AgentKeys } from '../keys.ts';
import { firstDay } from '../keys.ts';
import { readJsonDocument } from '../documents.ts';
import { fsyncDir, isFolder, listFolderNames, unlinkIfThere } from '../local/disk.ts';
import { readBytes } from '../local/read.ts';
import { placeOnce, replaceFile } from '../local/temps.ts';
import { requireFileName } from '../names.ts';
import type { OwnerPlace } from './owner-folder.ts';
import { ownerFolder } from './owner-folder.ts';

const LONGEST = 64 * 1024;

/** Keys in `$XDG_STATE_HOME/council/keys/<project>/<agent>.json`; beside them, by day, the signatures that were seen. */
export function agentKeyFiles(at: OwnerPlace, clock: Clock): AgentKeys {
  const { dir: all, temps, project, makeFolder } = ownerFolder(at, 'keys');
  /** Folders of signatures that this process has made, and swept. */
  const prepared = new Set<string>();
  const folder = (): string => join(all, project());
  const path = (agent: string): string => join(folder(), `${requireId(agent, 'agent')}.json`);
  const getSeenPath = (agent: string): string => join(folder(), `${requireId(agent, 'agent')}.seen`);

  return {
    path,
    random: (bytes) => crypto().randomBytes(bytes).toString('hex'),
    isUsed: () => isFolder(folder()),
    of(agent) {
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
      const first = firstDay(clock.now());
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

/** What cannot be read as it was written is no key, so that damaging one does not get around it. */
function parseAgentKeys(text: string): AgentKey[] {
  const { keys } = readJsonDocument(text);
  return (Array.isArray(keys) ? keys : []).map(toUnknownRecord).flatMap(({ id, key, since, until }) => {
    if (typeof id !== 'string' || typeof key !== 'string' || typeof since !== 'string') return [];
    return [{ id, key, since, ...(typeof until === 'string' && { until }) }];
  });
}
