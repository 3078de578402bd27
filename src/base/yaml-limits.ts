/** How much a YAML block may hold. */
export interface YamlLimits {
  /** Bytes between the two fences. */
  bytes: number;
  /** Values (keys, scalars, lists, mappings), each counted where it is written. */
  values: number;
}

/** Agents, modes, COUNCIL.md, briefs and contributions: what a person writes by hand. */
export const SETTINGS_LIMITS: YamlLimits = { bytes: 64 * 1024, values: 10_000 };
/** Lists in lists: an archive's ledger, the deepest thing council writes, has five levels. */
const MAX_DEPTH = 32;
/** Values that stand in a file a second time because an alias repeats them. */
const MAX_ALIASED = 10_000;

/** What js-yaml tells of itself while it reads: `open` before a node, `close` with its result. */
export interface YamlState {
  line: number;
  kind: string | null;
  result: unknown;
}
export type YamlListener = (event: 'open' | 'close', state: YamlState) => void;

/**
 * Counts while js-yaml reads and stops it at the first value too many. A repeated value counts as often as it is repeated:
 * aliases are shared in memory, but whoever walks through the result meets every repetition.
 */
export function yamlCounter({ values }: YamlLimits): YamlListener {
  /** The nodes that are being read: how many values each holds so far, and the line it begins on. */
  const open: { size: number; line: number }[] = [];
  const sizes = new Map<object, number>();
  let read = 0;
  let aliased = 0;

  /** How many values an alias repeats. */
  const repeated = (target: object, line: number): number => {
    // A node that is still open has no size yet: the alias stands inside what it repeats.
    const size = sizes.get(target);
    if (size === undefined) throw stop(line, 'an alias repeats what it stands in');
    aliased += size;
    if (aliased > MAX_ALIASED) throw stop(line, `its aliases repeat more than ${MAX_ALIASED} values`);
    return size;
  };

  return (event, { line, kind, result }) => {
    if (event === 'open') {
      if (open.length >= MAX_DEPTH)
        throw stop(line, `it is nested too deeply (more than ${MAX_DEPTH} levels)`);
      if (++read > values) throw stop(line, `it has more than ${values} values`);
      open.push({ size: 1, line });
      return;
    }
    const node = open.pop()!;
    if (typeof result === 'object' && result !== null) {
      // Only an alias gives a result without being a node of some kind.
      if (kind === null) node.size += repeated(result, node.line);
      else sizes.set(result, node.size);
    }
    const parent = open.at(-1);
    if (parent) parent.size += node.size;
  };
}

/** An error in the form of js-yaml's own. */
const stop = (line: number, reason: string): Error =>
  Object.assign(new Error(reason), { reason, mark: { line } });
