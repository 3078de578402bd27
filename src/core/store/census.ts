// Says of every file in one of council's folders what it is: ours, a copy of ours, put away by a cloud, foreign, or hidden.
import { shellWord } from '../base/text.ts';

/** What a file is. `of` names what it stands for, as `parseKey` of its folder does. */
export type Standing =
  | { kind: 'own'; of: string }
  /** Another file is what council goes by. */
  | { kind: 'copy'; of: string }
  /** The cloud has the content, and an empty sign stands here in its place. */
  | { kind: 'put-away'; of: string }
  | { kind: 'foreign' | 'hidden'; of?: never };

/**
 * What programs add to a name, before its ending, when they keep a second file beside the first one. These count only where the first
 * one is there, and only for files that do not say themselves whose they are.
 */
const ADDED: readonly RegExp[] = [
  // Syncthing
  /\.sync-conflict-\d{8}-\d{6}-[0-9A-Z]{7}$/,
  // Dropbox, Nextcloud, ownCloud, Seafile, Box, in the languages that they speak
  / \([^()]*(?:conflict|conflit|konflikt|conflicto|conflitto|冲突|競合)[^()]*\)$/iu,
  // Resilio
  /\.Conflict$/i,
  // Finder, Explorer, Nautilus
  /(?: -)? (?:copy|copie|Kopie|another copy|autre copie)(?: \(?\d+\)?)?$/i,
  / \((?:copy|copie|another copy)(?: \d+)?\)$/i,
  // Google Drive, browsers: "ada (1)"; iCloud and the Finder: "ada 2"
  / (?:\(\d+\)|\d+)$/,
  // OneDrive adds the machine's name
  /-(?:DESKTOP|LAPTOP)-[0-9A-Z]{5,10}(?:-\d+)?$/,
  // editors
  /\.(?:bak|backup|old|orig|save)$|~$/i,
];

/** A name as its program had it before it made a second file of it; undefined for a name that nothing was added to. */
export function readOriginalName(name: string): string | undefined {
  const end = name.match(/\.(?:md|json)$/)?.[0] ?? '';
  const stem = name.slice(0, name.length - end.length);
  const added = ADDED.find((pattern) => pattern.test(stem));
  return added && stem.replace(added, '') + end;
}

/** The name of the file that stands for one that a cloud has put away: iCloud's are ".NAME.icloud". */
export const nameWhenAway = (name: string): string => `.${name}.icloud`;

/** The reverse of `nameWhenAway`; undefined for any other name. */
export const nameFromSign = (name: string): string | undefined =>
  name.startsWith('.') ? /^\.(.+)\.icloud$/.exec(name)?.[1] : undefined;

/** How the files of a folder are called, and what they say about themselves. */
export interface Folder {
  /** What a file stands for by its name; undefined for a name that is none of council's. */
  parseKey(name: string): string | undefined;
  /** What a file stands for by what it says; undefined where it does not say so, or cannot be read. */
  readOwner?(name: string): string | undefined;
}

/** What each file of a folder is. Of those that stand for the same, the one that is named like it wins, whether or not it can be read. */
export function takeCensus(names: readonly string[], { parseKey, readOwner }: Folder): Map<string, Standing> {
  const found = new Map<string, Standing>();
  const files = new Map<string, string[]>();
  const findKey = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : parseKey(name);
  const named = new Set(
    names.filter((name) => !name.startsWith('.')).flatMap((name) => parseKey(name) ?? []),
  );
  const away = new Set(
    names.flatMap((name) => findKey(nameFromSign(name)) ?? []).filter((of) => !named.has(of)),
  );
  for (const name of names) {
    const putAway = findKey(nameFromSign(name));
    if (putAway !== undefined && away.has(putAway)) found.set(name, { kind: 'put-away', of: putAway });
    else if (name.startsWith('.')) found.set(name, { kind: 'hidden' });
    else {
      const said = readOwner?.(name);
      const before = said === undefined ? findKey(readOriginalName(name)) : undefined;
      const isBeside = before !== undefined && (named.has(before) || away.has(before));
      const of = said ?? (isBeside ? before : parseKey(name));
      if (of === undefined) found.set(name, { kind: 'foreign' });
      else files.set(of, [...(files.get(of) ?? []), name]);
    }
  }
  for (const [of, those] of files) {
    const winner = away.has(of) ? undefined : chooseBest(those, (name) => parseKey(name) === of);
    for (const name of those) found.set(name, { kind: name === winner ? 'own' : 'copy', of });
  }
  return found;
}

/** The file that is named like what it stands for, else one that nothing was added to, else the shortest name. */
function chooseBest(names: readonly string[], isNamedSo: (name: string) => boolean): string | undefined {
  const rank = (name: string): number => (isNamedSo(name) ? 0 : readOriginalName(name) === undefined ? 1 : 2);
  if (names.length === 1) return names[0];
  return [...names].sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))[0];
}

/** A file that council does not go by, because another one stands for the same. Both are paths. */
export interface Copy {
  path: string;
  of: string;
  isFolder?: true;
}

/** What people are told about a copy, with the command that takes it over. */
export const tellOfCopy = ({ path, of }: Copy): string =>
  `${path} is a copy of ${of} and is not used. To use the copy instead: mv ${shellWord(path)} ${shellWord(of)}`;
