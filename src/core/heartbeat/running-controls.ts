// The controls that are at work in this process.

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
