// File driver: agents' keys in the private folder of their owner.
import fs from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { crypto } from '../../base/crypto.ts';
import { requireId, sha256 } from '../../base/ids.ts';
import { keysOf } from '../../base/objects.ts';
import type { AgentKey, AgentKeys } from '../agent-keys.ts';
import { firstDay } from '../agent-keys.ts';
import { readJsonDocument } from '../json-document.ts';
import { attempt, fsyncDir, isFolder, makeDir, namesIn, replace, unlinkIfThere } from '../local/disk.ts';
import { readBytes } from '../local/read.ts';
import { placeOnce, tempsIn } from '../local/temps.ts';
import { requireFileName } from '../names.ts';
import { privateRoot, refuseInside, requirePrivate } from './private-dir.ts';

const OWNER_ONLY = { fileMode: 0o600, dirMode: 0o700 };
const LONGEST = 64 * 1024;

/** Keys in `$XDG_STATE_HOME/council/keys/<project>/<agent>.json`; beside them, by day, the signatures that were seen. */
export function agentKeyFiles(
  { env, projectRoot }: { env: NodeJS.ProcessEnv; projectRoot: string },
  clock: Clock,
): AgentKeys {
  const root = privateRoot(env);
  const all = join(root, 'keys');
  const temps = tempsIn(join(root, '.tmp'), { root, ...OWNER_ONLY });
  let dir: string | undefined;
  /** Folders of signatures that this process has made, and swept. */
  const prepared = new Set<string>();
  const folder = (): string =>
    (dir ??= join(
      all,
      sha256(attempt('resolve', projectRoot, () => fs.realpathSync(projectRoot))).slice(0, 32),
    ));
  const path = (agent: string): string => join(folder(), `${requireId(agent, 'agent')}.json`);
  const seen = (agent: string): string => join(folder(), `${requireId(agent, 'agent')}.seen`);

  function made(place: string): string {
    refuseInside(root, projectRoot);
    makeDir(place, OWNER_ONLY.dirMode);
    for (const one of [root, all, folder(), place]) requirePrivate(one);
    return place;
  }

  return {
    path,
    random: (bytes) => crypto().randomBytes(bytes).toString('hex'),
    isUsed: () => isFolder(folder()),
    of(agent) {
      const bytes = readBytes(path(agent), { limit: LONGEST, links: 'refuse' });
      return bytes && keysIn(bytes.toString('utf8'));
    },
    agents: () =>
      namesIn(folder()).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [])),
    put(agent, keys) {
      made(folder());
      const text = `${JSON.stringify({ agent, keys }, null, 2)}\n`;
      if (keys.length > 0) replace(temps.write(Buffer.from(text)), path(agent));
      else unlinkIfThere(path(agent));
      fsyncDir(folder());
    },
    firstUse(agent, day, token, use) {
      const first = firstDay(clock.now());
      if (day < first) return { use, isNew: false };
      const place = seen(agent);
      const file = join(place, requireFileName(`${day}-${token}`));
      const known = readBytes(file, { links: 'refuse' })?.toString('utf8');
      if (known !== undefined) return { use: known, isNew: false };
      if (!prepared.has(place)) {
        made(place);
        for (const name of namesIn(place)) if (name < first) unlinkIfThere(join(place, name));
        prepared.add(place);
      }
      if (placeOnce(temps, file, Buffer.from(use), false)) return { use, isNew: true };
      return { use: readBytes(file, { links: 'refuse' })?.toString('utf8') ?? '', isNew: false };
    },
  };
}

/** What cannot be read as it was written is no key, so that nobody gets around one by damaging it. */
function keysIn(text: string): AgentKey[] {
  const { keys } = readJsonDocument(text);
  return (Array.isArray(keys) ? keys : []).map(keysOf).flatMap(({ id, key, since, until }) => {
    if (typeof id !== 'string' || typeof key !== 'string' || typeof since !== 'string') return [];
    return [{ id, key, since, ...(typeof until === 'string' && { until }) }];
  });
}
