// What each of a few archives came to, in one sentence. An archive is written once: what was read of it is remembered.
import { metaOf, readFacts } from '../../archive/parse.ts';
import type { ArchiveListing } from '../../archive/read.ts';
import { CouncilError } from '../../base/errors.ts';
import type { Words } from '../../base/words/words.ts';
import { endingIn } from '../../page/ending.ts';
import type { Archives } from '../../store/archives.ts';

/** Sentences of so many archives are remembered. */
const MOST = 2000;

/** Reads them for as long as a server runs. The sentence is empty where an archive cannot be read: its own page says why. */
export function endingsOf(): (
  files: Archives,
  rows: readonly ArchiveListing[],
  w: Words,
) => Promise<Map<string, string>> {
  const remembered = new Map<string, string>();
  return async (files, rows, w) => {
    const endings = new Map<string, string>();
    for (const { id, path, endedAt } of rows) {
      const key = JSON.stringify([path, endedAt, w.archive.decision]);
      const ending = remembered.get(key) ?? (await read(files, path, w));
      remembered.delete(key);
      remembered.set(key, ending);
      endings.set(id, ending);
    }
    for (const key of remembered.keys()) {
      if (remembered.size <= MOST) break;
      remembered.delete(key);
    }
    return endings;
  };
}

async function read(files: Archives, path: string, w: Words): Promise<string> {
  try {
    const text = await files.read(path);
    const meta = text === undefined ? undefined : metaOf(readFacts(text, path).facts, path);
    return meta ? endingIn(meta, w) : '';
  } catch (error) {
    if (error instanceof CouncilError) return '';
    throw error;
  }
}
