// The only way to change a council: read, decide, commit. Concurrent changes in one process form one revision.
import type { Documents, Stored } from '../../store/documents.ts';
import type { Council } from '../state/state.ts';
import type { Ports } from './ports.ts';
import { createUnknownCouncilError } from './unknown-council.ts';
import { memoizeLast } from '../../base/memoize.ts';
import { parse, serializeAndSeal } from '../document/document.ts';

/** The name of a change in the history, and its author. */
interface Note {
  action: string;
  by: string | null;
}

/** The next council (undefined for no change), and the result to return. */
interface ChangeDecision<T> {
  next?: Council;
  result: T;
}

/** A change waiting for its commit. */
interface Change {
  note: Note & { actor: string; why?: string };
  /** Decides on the current council; returns the next one, if any, which will have `revision`. Repeatable. */
  apply(council: Council, revision: number): Promise<Council | undefined>;
  /** Called after the commit, or if nothing had to be committed. */
  settle(standing: { council: Council; revision: number }): void;
  fail(error: unknown): void;
}

/** Pending changes by council, per store. */
const waiting = new WeakMap<Documents, Map<string, Change[]>>();

/**
 * Reads, decides, commits, and retries after a conflict. `decide` may run several times: it may read, but must
 * not change anything. It refuses by throwing. Returns the committed council.
 * Concurrent changes of this process to the same council are decided in turn and committed as one revision,
 * which names them all. Callers get their result only once it is durable; a refusal does not delay the others.
 */
export function amendCouncil<T>(
  ports: Pick<Ports, 'store' | 'actor' | 'why'>,
  name: string,
  note: Note,
  decide: (council: Council, revision: number) => ChangeDecision<T> | Promise<ChangeDecision<T>>,
): Promise<{ result: T; council: Council; revision: number }> {
  const { store, actor, why } = ports;
  const { promise, resolve, reject } = Promise.withResolvers<{
    result: T;
    council: Council;
    revision: number;
  }>();
  let answer: { result: T } | { error: unknown };
  const queue = getChangeQueue(store, name);
  queue.push({
    note: { ...note, actor, ...(why !== undefined && { why }) },
    async apply(council, revision) {
      try {
        const { next, result } = await decide(council, revision);
        answer = { result };
        return next;
      } catch (error) {
        answer = { error };
        return undefined;
      }
    },
    settle: (standing) => ('error' in answer ? reject(answer.error) : resolve({ ...answer, ...standing })),
    fail: reject,
  });
  if (queue.length === 1) void commitTogether(ports, name, queue);
  return promise;
}

function getChangeQueue(store: Documents, name: string): Change[] {
  const queues = waiting.get(store) ?? new Map<string, Change[]>();
  waiting.set(store, queues);
  const queue = queues.get(name) ?? [];
  queues.set(name, queue);
  return queue;
}

async function commitTogether(ports: Pick<Ports, 'store'>, name: string, queue: Change[]): Promise<void> {
  const group: Change[] = [];
  try {
    let standing: Council | undefined;
    const { revision } = await ports.store.update(name, async (current, nextRevision) => {
      // Changes that arrived while this one waited join it; later ones go into the next commit.
      group.push(...queue.splice(0));
      if (!current) throw await createUnknownCouncilError(ports, name);
      const decided = await decideAll(group, current, nextRevision, name);
      standing = decided.council;
      return decided.isChanged ? serializeAndCache(standing) : undefined;
    });
    for (const one of group) one.settle({ council: standing!, revision });
  } catch (error) {
    for (const one of [...group, ...queue.splice(0)]) one.fail(error);
  }
}

/** Applies changes one after another: each sees the results of those before it. */
async function decideAll(
  group: Change[],
  { text }: Stored,
  revision: number,
  name: string,
): Promise<{ council: Council; isChanged: boolean }> {
  const before = parseCachedCouncil({ text, name });
  const notes: Change['note'][] = [];
  let council = before;
  for (const one of group) {
    const next = await one.apply(council, revision);
    if (!next) continue;
    notes.push(one.note);
    const [first, ...also] = notes;
    const state = {
      ...next.state,
      revision,
      change: { ...first!, ...(also.length > 0 && { also }) },
      previous: before.state.textSha256,
    };
    council = { ...next, state };
  }
  return { council, isChanged: notes.length > 0 };
}

let last: { text: string; council: Council } | undefined;

/**
 * Parses the council in a document's text; throws like `parse`. Cached, because each turn reads the same
 * revision several times. Safe, since a council is never modified in place: each new one is a copy.
 */
export function parseCachedCouncil({ text, name }: { text: string; name: string }): Council {
  if (last?.text !== text) last = { text, council: parse(text, `council "${name}"`) };
  return last.council;
}

/** Returns the text of the next revision and caches it, so that it need not be parsed again. */
function serializeAndCache(next: Council): string {
  last = serializeAndSeal(next);
  return last.text;
}

/** Returns the byte length of a text; the last one is cached. */
export const countBytes: (text: string) => number = memoizeLast(
  (text: string) => Buffer.byteLength(text),
  (text) => text,
);
