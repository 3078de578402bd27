// Handles a newest revision that was altered: recovery from a damaged one, and the diff of a hand edit.
import { CouncilError } from '../../base/errors.ts';
import { parse, serialize } from '../document/document.ts';
import type { Council } from '../state/state.ts';
import type { Ports } from './ports.ts';
import { toOneLine } from '../../base/text.ts';

type CommitPorts = Pick<Ports, 'store' | 'actor'>;

/** Returns the error that makes the newest revision unreadable; undefined if there is none. */
export async function findDamage({ store }: CommitPorts, name: string): Promise<CouncilError | undefined> {
  try {
    await store.read(name);
    return undefined;
  } catch (error) {
    if (error instanceof CouncilError && error.code === 'corrupt') return error;
    throw error;
  }
}

/**
 * Applies `decide` to the newest readable revision and commits the result over the damaged one, whose text is
 * kept. Throws the damage if no revision of this council is readable, and `conflict`.
 */
export async function commitOverDamaged<T>(
  ports: CommitPorts,
  name: string,
  { damage, action }: { damage: CouncilError; action: string },
  decide: (current: Council) => Promise<{ next: Council; result: T }>,
): Promise<{ revision: number; result: T }> {
  const head = await ports.store.revision(name);
  const current = await findNewestReadableCouncil(ports, name, head);
  if (!current) throw damage;
  const { next, result } = await decide(current);
  const { previous: _damaged, ...state } = next.state;
  const change = { action, by: null, actor: ports.actor };
  const text = serialize({ ...next, state: { ...state, revision: head + 1, change } });
  return { revision: await ports.store.commit(name, text, head), result };
}

/** Searches the current council only: anything before its first revision belongs to another one. */
async function findNewestReadableCouncil(
  { store }: CommitPorts,
  name: string,
  head: number,
): Promise<Council | undefined> {
  for (const { revision, bytes } of (await store.versions(name)).reverse()) {
    if (revision >= head) continue;
    if (bytes === 0) return undefined;
    try {
      const text = await store.readVersion(name, revision);
      if (text !== undefined) return parse(text, `revision ${revision} of "${name}"`);
    } catch (error) {
      if (!(error instanceof CouncilError) || error.code !== 'corrupt') throw error;
    }
  }
  return undefined;
}

const SHOWN_LINES = 20;

/**
 * Returns the lines that the edit removes from the newest text (-) and adds to it (+), up to a readable number.
 * `base` is the text that was edited; without it, later changes by others cannot be told from the edit.
 */
export function describeEdit(head: string, edited: string, base: string | undefined): string {
  const [before, after, made] = [head, edited, base].map((text) => text?.split(/\r?\n/));
  const subtractLines = (lines: string[] = [], others: string[] = []) => {
    const there = new Set(others);
    return lines.filter((line) => !there.has(line));
  };
  const addSign = (lines: string[], sign: string) => lines.map((line) => `${sign} ${toOneLine(line, 120)}`);
  const dropped = new Set(subtractLines(made ?? before, after));
  const added = new Set(subtractLines(after, made ?? before));
  const lines = [
    ...addSign(
      subtractLines(before, after).filter((line) => dropped.has(line)),
      '-',
    ),
    ...addSign(
      subtractLines(after, before).filter((line) => added.has(line)),
      '+',
    ),
  ];
  const rest = lines.length > SHOWN_LINES ? [`… and ${lines.length - SHOWN_LINES} more lines`] : [];
  return [...lines.slice(0, SHOWN_LINES), ...rest].join('\n');
}
