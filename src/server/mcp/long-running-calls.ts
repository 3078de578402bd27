// Calls that take as long as agents do: a client gets a result in time, reports on the way, and nothing is launched twice.
import type { Caller, Done } from '../remote/perform-call.ts';
import { awaits, isLong } from '../remote/call.ts';
import type { CallName } from '../remote/calls.ts';

/** Clients give up on a call after a minute of silence, or at their own time limit. */
const COME_BACK_MS = 20_000;
const PROGRESS_MS = 10_000;

/** One call with its caller. */
export interface LastingCall {
  name: CallName;
  given: Readonly<Record<string, unknown>>;
  caller: Caller;
  /** The client has cancelled it, or is gone. */
  gone: AbortSignal;
  /** Tells the client that it goes on, where that wants to know. */
  report?: (seconds: number) => void;
}

/** `goesOn`: it has not ended in time, and the same call again waits for it. */
export type Answered = { kind: 'done'; done: Done } | { kind: 'goesOn' };

interface Going {
  done: Promise<Done>;
  end: AbortController;
  waiting: number;
}

export const isLasting = ({ name, given }: Pick<LastingCall, 'name' | 'given'>): boolean =>
  isLong({ name, input: given }) && !awaits({ name, input: given });

/**
 * Waits for what lasts, at most 20 s. The same call of the same client meanwhile, or after that, joins what was begun; it is
 * ended when the last call that waits for it is cancelled.
 */
export function lastingCalls() {
  const all = new Map<string, Going>();
  return async (call: LastingCall, begin: (gone: AbortSignal) => Promise<Done>): Promise<Answered> => {
    const { name, given, caller, gone } = call;
    const key = JSON.stringify([name, given, caller.role, caller.id, caller.participant]);
    const going = all.get(key) ?? startLastingCall(begin);
    all.set(key, going);
    going.waiting += 1;
    const answered = await inTime(going.done, call).finally(() => (going.waiting -= 1));
    if (gone.aborted && going.waiting === 0) going.end.abort();
    if (answered.kind === 'done' || gone.aborted) forget(all, key, going);
    return answered;
  };
}

function startLastingCall(begin: (gone: AbortSignal) => Promise<Done>): Going {
  const end = new AbortController();
  return { done: begin(end.signal), end, waiting: 0 };
}

/** Keeps a call that others wait for, and results that were not fetched yet. */
function forget(all: Map<string, Going>, key: string, going: Going): void {
  if (going.waiting === 0 && all.get(key) === going) all.delete(key);
}

async function inTime(work: Promise<Done>, { gone, report }: LastingCall): Promise<Answered> {
  const begun = performance.now();
  const timers: NodeJS.Timeout[] = [];
  const ended = new Promise<Answered>((resolve) => {
    const goOn = (): void => resolve({ kind: 'goesOn' });
    timers.push(setTimeout(goOn, COME_BACK_MS));
    if (report)
      timers.push(setInterval(() => report(Math.round((performance.now() - begun) / 1000)), PROGRESS_MS));
    gone.addEventListener('abort', goOn, { once: true });
    if (gone.aborted) goOn();
  });
  return Promise.race([work.then((done): Answered => ({ kind: 'done', done })), ended]).finally(() =>
    timers.forEach(clearTimeout),
  );
}
