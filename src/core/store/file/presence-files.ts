// File driver: presences as files that are replaced.
import { join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { isId, requireId } from '../../base/ids.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { decodeText } from '../../base/text.ts';
import { listFolderNames } from '../local/disk.ts';
import { makeOwnFolder, ownFolder } from '../local/folders.ts';
import { readBytes } from '../local/read.ts';
import { placeOver, openTempFolder } from '../local/temps.ts';
import type { Presences } from '../small-texts.ts';

const END = '.json';

/** Presences in `<dir>/presence/<agent>.json`; `dir` is `memory/shared`, `root` the project's folder. */
export function presenceFiles(dir: string, root = dir): Presences {
  const folder = join(dir, 'presence');
  const temps = openTempFolder(join(dir, '.tmp'), { root });
  return {
    async write(agent, text) {
      const path = join(folder, `${requireId(agent, 'agent')}${END}`);
      if (!ownFolder(root, folder)) makeOwnFolder(root, folder);
      placeOver(temps, path, Buffer.from(text), false);
    },
    async list() {
      if (!ownFolder(root, folder)) return [];
      const agents = listFolderNames(folder).filter(
        (name) => name.endsWith(END) && isId(name.slice(0, -END.length)),
      );
      return agents.flatMap((name) => {
        const text = readPresenceText(join(folder, name));
        return text === undefined ? [] : [{ agent: name.slice(0, -END.length), text }];
      });
    },
  };
}

function readPresenceText(path: string): string | undefined {
  try {
    const bytes = readBytes(path, { limit: READ_LIMITS.settings, links: 'refuse' });
    return bytes && decodeText(bytes, path);
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}
