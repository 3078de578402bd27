// Classifies the files in council's folders: own, a copy, offloaded to a cloud, foreign, or hidden.
import { quoteShellWord } from '../base/text.ts';

/** The class of a file. `of` is what it represents, as returned by `parseKey` of its folder. */
export type FileClass =
  | { kind: 'own'; of: string }
  /** Another file is the one in use. */
  | { kind: 'copy'; of: string }
  /** The content is only in the cloud, with an empty placeholder here. */
  | { kind: 'put-away'; of: string }
  | { kind: 'foreign' | 'hidden'; of?: never };

/**
 * Suffixes, before the extension, that programs add when they keep a second file next to the first. They
 * count only if the first file exists, and only for files that do not name their owner.
 */
const ADDED: readonly RegExp[] = [
  // Syncthing
  /\.sync-conflict-\d{8}-\d{6}-[0-9A-Z]{7}$/,
  // Dropbox, Nextcloud, ownCloud, Seafile, Box, in their various languages
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

/** Returns the original name of a copied file; undefined if no suffix was added. */
export function readOriginalName(name: string): string | undefined {
  const end = name.match(/\.(?:md|json)$/)?.[0] ?? '';
  const stem = name.slice(0, name.length - end.length);
  const added = ADDED.find((pattern) => pattern.test(stem));
  return added && stem.replace(added, '') + end;
}

/** Returns the placeholder name of a file that a cloud has offloaded: iCloud uses ".NAME.icloud". */
export const nameWhenAway = (name: string): string => `.${name}.icloud`;

/** The inverse of `nameWhenAway`; undefined for any other name. */
export const nameFromSign = (name: string): string | undefined =>
  name.startsWith('.') ? /^\.(.+)\.icloud$/.exec(name)?.[1] : undefined;

/** How to identify the files of a folder, by name and by content. */
export interface FolderParser {
  /** Returns what a file represents by its name; undefined if the name is not one of council's. */
  parseKey(name: string): string | undefined;
  /** Returns what a file represents by its content; undefined if it does not say, or cannot be read. */
  readOwner?(name: string): string | undefined;
}

/** Classifies each file. Of several that represent the same, the one with its name wins, readable or not. */
export function takeCensus(
  names: readonly string[],
  { parseKey, readOwner }: FolderParser,
): Map<string, FileClass> {
  const found = new Map<string, FileClass>();
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

/** Picks the file with the matching name, else one without a suffix, else the shortest name. */
function chooseBest(names: readonly string[], isNamedSo: (name: string) => boolean): string | undefined {
  const rank = (name: string): number => (isNamedSo(name) ? 0 : readOriginalName(name) === undefined ? 1 : 2);
  if (names.length === 1) return names[0];
  return [...names].sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))[0];
}

/** A file that is not in use, because another one represents the same. Both are paths. */
export interface UnusedCopy {
  path: string;
  of: string;
  isFolder?: true;
}

/** Describes a copy for people, with the command that makes it the one in use. */
export const tellOfCopy = ({ path, of }: UnusedCopy): string =>
  `${path} is a copy of ${of} and is not used. To use the copy instead: mv ${quoteShellWord(path)} ${quoteShellWord(of)}`;
