// File driver: finds conflict copies that sync programs keep when two machines changed one document.
import { basename, join } from 'node:path';
import { ignoreRefusal } from '../../base/errors.ts';
import { isId } from '../../base/ids.ts';
import { readOriginalName, takeCensus } from '../census.ts';
import type { UnusedCopy, FolderParser } from '../census.ts';
import { KEPT_VERSIONS } from '../documents.ts';
import type { Stamp, Branches, WantedBranches } from '../documents.ts';
import { isFolder, listFolderNames } from '../local/disk.ts';
import { measureFileSize, readBytes } from '../local/read.ts';
import type { Layout } from './layout.ts';
import { VERSION_NAME } from './layout.ts';
import { toText } from './stamps.ts';
import { readHead, readRevision } from './versions.ts';

/** An intact text and its path. */
interface Found {
  path: string;
  text: string;
  stamp: Stamp;
}

/** Finds the documents with conflict copies. */
export function findBranches(
  layout: Layout,
  { key: only, given, isBrief = false }: WantedBranches = {},
): Branches[] {
  const strays = listFolderNames(layout.edits).flatMap(
    (name) => readFound(layout, join(layout.edits, name)) ?? [],
  );
  const other = given && parseFound(layout, given.path, Buffer.from(given.text));
  if (other) strays.push(other);
  const beside = [...listStateFileCopies(layout), ...listCopiedHistories(layout)];
  const keys = new Set([
    ...beside.map(({ key }) => key),
    ...strays.flatMap(({ stamp }) => stamp.name ?? only ?? []),
  ]);
  if (only !== undefined) keys.add(only);
  else if (!isBrief) for (const key of layout.keysWithHistory()) keys.add(key);
  return [...keys].flatMap((key) => {
    if (only !== undefined && key !== only) return [];
    const copies = [...beside.filter((copy) => copy.key === key), ...listCopiesInHistory(layout, key)];
    const isTouched = copies.length > 0 || strays.some(({ stamp }) => (stamp.name ?? only) === key);
    return isTouched ? sortBranches(layout, key, copies, strays) : [];
  });
}

/** `files`: those of a copied history. */
type KeyedCopy = UnusedCopy & { key: string; files?: string[] };

/** Finds every conflict copy, next to state files and in histories. */
export const findCopies = (layout: Layout): UnusedCopy[] => [
  ...listStateFileCopies(layout),
  ...listCopiedHistories(layout),
  ...layout.keysWithHistory().flatMap((key) => listCopiesInHistory(layout, key)),
];

function listStateFileCopies(layout: Layout): KeyedCopy[] {
  return listCopies(layout.dir, {
    parseKey: layout.parseKey,
    readOwner: (name) =>
      name.endsWith('.md') && layout.parseKey(name) === undefined
        ? readFound(layout, join(layout.dir, name))?.stamp.name
        : undefined,
  }).map(({ name, of }) => ({ key: of, path: join(layout.dir, name), of: layout.projection(of) }));
}

/** Finds histories copied as whole folders: one next to the original, or all within a copied parent folder. */
function listCopiedHistories(layout: Layout): KeyedCopy[] {
  const { dir, histories } = layout;
  const toKeyedCopy = (key: string, folder: string, copy: UnusedCopy): KeyedCopy => ({
    ...copy,
    key,
    isFolder: true,
    files: listFolderNames(folder).flatMap((name) => (VERSION_NAME.test(name) ? join(folder, name) : [])),
  });
  return [
    ...listFolderCopies(histories, isId).map(({ path, of }) => toKeyedCopy(basename(of), path, { path, of })),
    ...listFolderCopies(dir, (name) => name === basename(histories)).flatMap((copy) =>
      listFolderNames(copy.path)
        .filter(isId)
        .map((key) => toKeyedCopy(key, join(copy.path, key), copy)),
    ),
  ];
}

/** Finds copies of council's folders that a program put next to them. */
export function listFolderCopies(parent: string, isOwn: (name: string) => boolean): UnusedCopy[] {
  const names = listFolderNames(parent);
  return names.flatMap((name) => {
    const before = readOriginalName(name);
    const path = join(parent, name);
    return before !== undefined && isOwn(before) && names.includes(before) && isFolder(path)
      ? { path, of: join(parent, before), isFolder: true }
      : [];
  });
}

function listCopiesInHistory(layout: Layout, key: string): KeyedCopy[] {
  const folder = layout.history(key);
  return listCopies(folder, {
    parseKey: (name) => (VERSION_NAME.test(name) ? name : undefined),
    readOwner(name) {
      const stamp = VERSION_NAME.test(name) ? undefined : readFound(layout, join(folder, name))?.stamp;
      return stamp && (stamp.name ?? key) === key ? `${stamp.revision}.md` : undefined;
    },
  }).map(({ name, of }) => ({ key, path: join(folder, name), of: join(folder, of) }));
}

/** Finds files whose name is not one of council's, but which represent one that is. */
const listCopies = (folder: string, rules: FolderParser): { name: string; of: string }[] =>
  [...takeCensus(listFolderNames(folder), rules)].flatMap(([name, { kind, of }]) =>
    of !== undefined && kind !== 'put-away' && rules.parseKey(name) === undefined ? { name, of } : [],
  );

function sortBranches(layout: Layout, key: string, copies: KeyedCopy[], others: Found[]): Branches {
  const head = readHead(layout, key);
  const own: Found[] = [];
  for (let revision = head.revision; revision > Math.max(0, head.revision - KEPT_VERSIONS); revision--) {
    const found = parseFound(
      layout,
      layout.version(key, revision),
      readRevision(layout, key, revision).bytes,
    );
    if (found) own.push(found);
  }
  const strays = [
    ...[...copies.flatMap(({ path, files }) => files ?? path), layout.projection(key)].flatMap(
      (path) => readFound(layout, path) ?? [],
    ),
    ...others,
  ].filter(({ stamp }) => (stamp.name ?? key) === key);
  const line = followLine(own, strays);
  const from = line.at(-1)?.stamp.revision ?? 0;
  const known = new Set(line.map(({ text }) => text));
  const aside = [...strays, ...own.filter(({ stamp }) => stamp.revision >= from)].filter(
    ({ text, stamp }) => !known.has(text) && stamp.id === line[0]?.stamp.id,
  );
  const read = new Set(strays.map(({ path }) => path));
  // In a history, old versions are empty.
  const isWhole = ({ path, files = [path] }: KeyedCopy): boolean =>
    files.every((file) => read.has(file) || measureFileSize(file) === 0);
  const whole = copies.filter(isWhole).map(({ path }) => path);
  return { key, line: line.map(({ text }) => text), aside, copies, whole };
}

/**
 * Follows each text to the one it was made from, wherever that is, starting at the newest; returns all own
 * texts if they have no hashes.
 */
function followLine(own: Found[], strays: Found[]): Found[] {
  const [newest] = own;
  if (!newest) return [];
  if (newest.stamp.hash === undefined) return own;
  const byHash = new Map([...strays, ...own].map((found) => [found.stamp.hash, found]));
  const line: Found[] = [];
  for (let next: Found | undefined = newest; next;) {
    line.push(next);
    const { previous, id }: Stamp = next.stamp;
    const before: Found | undefined = previous === undefined ? undefined : byHash.get(previous);
    next = before?.stamp.id === id ? before : undefined;
  }
  return line;
}

/** Returns undefined for an incomplete or unreadable file: then only its name identifies it. */
function readFound(layout: Layout, path: string): Found | undefined {
  return ignoreRefusal(() => parseFound(layout, path, readBytes(path, { links: 'refuse' })));
}

function parseFound(layout: Layout, path: string, bytes: Buffer | undefined): Found | undefined {
  const text = bytes && toText(bytes);
  const stamp = text === undefined ? undefined : layout.readStamp(text, bytes!);
  return text !== undefined && stamp?.intact ? { path, text, stamp } : undefined;
}
