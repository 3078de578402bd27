// What this process has at work: turns, controls, and what must be done if it ends before them.
/** Leases whose turn is going on in this very process: one that is not here was left behind by a turn that failed. */
export const atWork = new Set<string>();

const duties = new Set<() => void>();

/** Has `duty` done, synchronously, if the process ends before the function returned is called. */
export function beforeExit(duty: () => void): () => void {
  if (duties.size === 0) process.on('exit', runExitDuties);
  duties.add(duty);
  return () => {
    duties.delete(duty);
    if (duties.size === 0) process.off('exit', runExitDuties);
  };
}

function runExitDuties(): void {
  for (const duty of duties) duty();
}

/** A control whose program is running, or waits for its place. */
export interface RunningControl {
  council: string;
  conversationId: string;
  stop: AbortController;
  /** Never rejects. */
  done: Promise<void>;
}

export const runningControls = new Set<RunningControl>();

/** Ends those of a council that are still at work here, or all of them, and waits until their programs are gone. */
export async function endControls(conversationId?: string): Promise<void> {
  const ended = [...runningControls].filter(
    (one) => (conversationId ?? one.conversationId) === one.conversationId,
  );
  for (const { stop } of ended) stop.abort();
  await Promise.all(ended.map(({ done }) => done));
}
