// Values of parsed YAML nodes, with limits on depth and aliases.
import { isAlias, isMap, isScalar } from 'yaml';
import type { Pair, ParsedNode } from 'yaml';

/** Lists in lists: an archive's ledger, the deepest thing council writes, has five levels. */
const MAX_DEPTH = 32;
/** Values that stand in a file a second time because an alias repeats them. */
const MAX_ALIASED = 10_000;
export const TOO_DEEP = `it is nested too deeply (more than ${MAX_DEPTH} levels)`;
export const isTooDeep = (depth: number): boolean => depth > MAX_DEPTH;

/** Makes the error that tells why a text is not read; `line` is counted from 1. */
export type Refuse = (reason: string, line: number) => Error;

type Entry = Pair<ParsedNode, ParsedNode | null>;

/** What is known so far of a document that is being read. */
interface Progress {
  /** What the anchors above stand for, and how many values that is; null for one that is still being read. */
  anchors: Map<string, { value: unknown; size: number } | null>;
  /** Values so far; a repeated one counts as often as it is repeated, since whoever walks through the result meets it as often. */
  size: number;
  /** How many of them are repetitions. */
  aliased: number;
  stop: (reason: string, node: ParsedNode) => Error;
}

/** The value of a node: plain objects, lists and scalars. Throws what `stop` makes. */
export function valueOf(root: ParsedNode, stop: Progress['stop']): unknown {
  return read(root, { anchors: new Map(), size: 0, aliased: 0, stop }, 1);
}

function read(node: ParsedNode | null, progress: Progress, depth: number): unknown {
  progress.size += 1;
  if (node === null) return null;
  if (isAlias(node)) return repeated(node, node.source, progress);
  if (isTooDeep(depth)) throw progress.stop(TOO_DEEP, node);
  const { anchor } = node;
  const before = progress.size;
  if (anchor !== undefined) progress.anchors.set(anchor, null);
  const value = isScalar(node)
    ? node.value
    : isMap(node)
      ? mapping(node.items, progress, depth + 1)
      : node.items.map((item) => read(item, progress, depth + 1));
  if (anchor !== undefined) progress.anchors.set(anchor, { value, size: progress.size - before + 1 });
  return value;
}

function repeated(alias: ParsedNode, name: string, progress: Progress): unknown {
  const found = progress.anchors.get(name);
  if (found === undefined) throw progress.stop(`unidentified alias "${name}"`, alias);
  if (found === null) throw progress.stop('an alias repeats what it stands in', alias);
  if (typeof found.value !== 'object' || found.value === null) return found.value;
  progress.size += found.size;
  progress.aliased += found.size;
  if (progress.aliased > MAX_ALIASED)
    throw progress.stop(`its aliases repeat more than ${MAX_ALIASED} values`, alias);
  return found.value;
}

/** Keys are texts, as in JSON; a key that is written twice is refused, one that was merged gives way. */
function mapping(entries: Entry[], progress: Progress, depth: number): Record<string, unknown> {
  const found = new Map<string, unknown>();
  const merged = new Set<string>();
  for (const { key, value } of entries) {
    const name = keyOf(read(key, progress, depth));
    const content = read(value, progress, depth);
    if (name === undefined) throw progress.stop('nested lists are not supported inside keys', key);
    if (!isMerge(key)) {
      if (found.has(name) && !merged.delete(name)) throw progress.stop('duplicated mapping key', key);
      found.set(name, content);
      continue;
    }
    const sources: unknown[] = Array.isArray(content) ? content : [content];
    if (!sources.every(isMapping)) throw progress.stop('only mappings can be merged with "<<"', key);
    for (const [inherited, its] of sources.flatMap(Object.entries)) {
      if (found.has(inherited)) continue;
      found.set(inherited, its);
      merged.add(inherited);
    }
  }
  // Makes an own property also of `__proto__`.
  return Object.fromEntries(found);
}

const isMerge = (key: ParsedNode): boolean =>
  isScalar(key) && key.value === '<<' && key.type === 'PLAIN' && key.tag === undefined;

const isMapping = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a key that is a scalar, or a list of scalars; undefined for lists in lists. */
function keyOf(key: unknown): string | undefined {
  if (!Array.isArray(key)) return isMapping(key) && !(key instanceof Date) ? '[object Object]' : String(key);
  const parts: unknown[] = key;
  return parts.some(Array.isArray) ? undefined : parts.map((part) => keyOf(part ?? '')).join();
}
