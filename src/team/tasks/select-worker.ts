// Which worker gets a task: by what it can do, then by its load, then by how long it has had nothing to do.

/** A worker as the choice sees it. */
export interface Worker {
  /** The agent's id. */
  id: string;
  /** Its id on the wire: `W1`. */
  wire: string;
  capabilities: readonly string[];
  /** Tasks that it works on, and how many it may. */
  running: number;
  concurrency: number;
  /** How busy it says that it is: 1 is all that it can do. It may be worked for by others too. */
  told?: number;
  /** When it was launched last, in milliseconds; null for never. */
  lastUsed: number | null;
  /** Why it cannot be had now; null when it can. */
  unavailable: string | null;
}

/** One row of the table that explains a choice. */
export interface Candidate {
  worker: Worker;
  matched: string[];
  /** Matched over required, 1 where nothing is required. */
  score: number;
  /** Running tasks over what it may do at once, or what it says of itself, if that is more. */
  load: number;
  /** Why it was not chosen from; null for those that were. */
  out: string | null;
}

/** The least part of what a task needs that a worker must be able to do. */
export const THRESHOLD = 0.5;

/** All workers for a task, the one to be taken first; those that are out come last. */
export function rank(workers: readonly Worker[], needs: readonly string[]): Candidate[] {
  return workers.map((worker) => candidate(worker, needs)).sort(inOrder);
}

/** How well capabilities fit what is needed. */
export function fit(
  capabilities: readonly string[],
  needs: readonly string[],
): Pick<Candidate, 'matched' | 'score'> & { lacks: string[] } {
  const required = [...new Set(needs)];
  const matched = required.filter((need) => capabilities.includes(need));
  return {
    matched,
    lacks: required.filter((need) => !matched.includes(need)),
    score: required.length === 0 ? 1 : matched.length / required.length,
  };
}

function candidate(worker: Worker, needs: readonly string[]): Candidate {
  const { matched, score, lacks } = fit(worker.capabilities, needs);
  const busy = worker.running / worker.concurrency;
  const load = Math.max(busy, worker.told ?? 0);
  const out =
    score < THRESHOLD
      ? `lacks ${lacks.join(', ')}`
      : (worker.unavailable ?? (busy >= 1 ? 'has no free place' : null));
  return { worker, matched, score, load, out };
}

/** Score downwards, load upwards, the least recently used first, then the name. */
function inOrder(a: Candidate, b: Candidate): number {
  return (
    Number(a.out !== null) - Number(b.out !== null) ||
    b.score - a.score ||
    a.load - b.load ||
    (a.worker.lastUsed ?? -Infinity) - (b.worker.lastUsed ?? -Infinity) ||
    (a.worker.id < b.worker.id ? -1 : 1)
  );
}

/** The chosen worker; undefined if none is available. */
export function choose(candidates: readonly Candidate[]): Worker | undefined {
  const [first] = candidates;
  return first?.out === null ? first.worker : undefined;
}
