// What each of a few archives came to, in one sentence. An archive is written once: what was read of it is remembered.
import { metaOf, readFacts } from '../../archive/parse.ts';
import type { ArchiveListing } from '../../archive/read.ts';
import { CouncilError } from '../../base/errors.ts';
import type { Words } from '../../base/words/words.ts';
import { endingIn } from '../../page/ending.ts';
import type { Archives, Facts } from '../../store/archives.ts';

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
    const keyOf = ({ path, endedAt }: ArchiveListing): string =>
      JSON.stringify([path, endedAt, w.archive.decision]);
    const known = await knownOf(
      files,
      new Set(rows.flatMap((row) => (remembered.has(keyOf(row)) ? [] : row.path))),
    );
    for (const row of rows) {
      const { id, path } = row;
      const key = keyOf(row);
      const ending = remembered.get(key) ?? (await read(files, path, known.get(path), w));
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

/** What the cache knows of these: an old archive takes 20 ms to be read. */
async function knownOf(files: Archives, paths: ReadonlySet<string>): Promise<ReadonlyMap<string, Facts>> {
  if (!files.facts || paths.size === 0) return new Map();
  return files.facts.known((await files.list()).filter(({ path }) => paths.has(path)));
}

async function read(files: Archives, path: string, known: Facts | undefined, w: Words): Promise<string> {
  try {
    const facts = known ?? factsIn(await files.read(path), path);
    const meta = facts && metaOf(facts, path);
    return meta ? endingIn(meta, w) : '';
  } catch (error) {
    if (error instanceof CouncilError) return '';
    throw error;
  }
}

const factsIn = (text: string | undefined, path: string): Facts | undefined =>
  text === undefined ? undefined : readFacts(text, path).facts;
