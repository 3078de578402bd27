// This process as one that launches agents: its row, kept while it is in touch, and what it has at work.
import { uptime } from 'node:os';
import { describeThrown } from '../../base/errors.ts';
import type { Heartbeat, Heartbeats } from '../../store/heartbeats.ts';

/** How often the row is renewed. */
const RENEWED_EVERY_MS = 10_000;
/** Without a renewal for so long it ends what it launched: before anybody else takes it for dead. */
const ALONE_AFTER_MS = 20_000;
/** A row that was not renewed for so long belongs to a dead heartbeat, whose leases are free. */
export const DEAD_AFTER_MS = 30_000;
/** Oftener than it takes from there to be taken for dead, and no more: each look wakes an idle process. */
const LOOKED_EVERY_MS = 5000;

export interface Heart {
  id: string;
  /** Writes the row and keeps it from now on, once: before the first lease that names it. Rejects like `Heartbeats.renew`. */
  begin(): Promise<void>;
  /** Writes it again before its time: what keeps it was away, and is back. A failure is told. */
  renew(): void;
  /** Aborts when the row could not be renewed for too long; another one, once it was renewed again. */
  inTouch(): AbortSignal;
  /** Takes the row away. */
  end(): Promise<void>;
}

/** How it is told, and measured: for tests. */
export interface HeartOptions {
  row: () => Heartbeat | Promise<Heartbeat>;
  note(line: string): void;
  /** Hears each time why the row could not be renewed; `note` where it is not given. */
  onFailure?: ((why: string) => void) | undefined;
  measureElapsed?: () => number;
}

/** Goes on while the machine sleeps: so does the clock that judges this row. */
const awakeOrNot = (): number => uptime() * 1000;

/** A heart that beats once it is begun. It keeps no process alive. */
export function createHeart(
  rows: Heartbeats,
  id: string,
  { row, note, onFailure = note, measureElapsed: time = awakeOrNot }: HeartOptions,
): Heart {
  let begun: Promise<void> | undefined;
  let touched = -Infinity;
  let alone = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const renew = async (): Promise<void> => {
    // Taken before the write, so that no other process counts the row's age from an earlier time.
    const at = time();
    await rows.renew(await row());
    // One that was held up is done after a later one.
    touched = Math.max(touched, at);
    if (alone.signal.aborted && time() - touched < ALONE_AFTER_MS) alone = new AbortController();
  };
  const look = (): void => {
    if (alone.signal.aborted || time() - touched < ALONE_AFTER_MS) return;
    note('This heartbeat could not be renewed for 20 s: what it launched is ended, others may launch it.');
    alone.abort();
  };
  const tryToRenew = (): void => void renew().catch((error: unknown) => onFailure(describeThrown(error)));
  const begin = async (): Promise<void> => {
    await renew();
    const renewAgain = (): void => {
      // After the machine has slept this may come before the next look.
      look();
      tryToRenew();
    };
    timers.push(setInterval(renewAgain, RENEWED_EVERY_MS), setInterval(look, LOOKED_EVERY_MS));
    for (const timer of timers) timer.unref();
  };
  return {
    id,
    begin: () =>
      (begun ??= begin().catch((error: unknown) => ((begun = undefined), Promise.reject(error as Error)))),
    renew: () => (begun ? tryToRenew() : undefined),
    inTouch: () => alone.signal,
    async end() {
      for (const timer of timers) clearInterval(timer);
      if (!begun) return;
      await begun.catch(() => undefined);
      await rows.remove(id).catch(() => undefined);
    },
  };
}

/** Those that are there. */
export const alive = <T extends { ageMs: number }>(rows: readonly T[]): T[] =>
  rows.filter(({ ageMs }) => ageMs < DEAD_AFTER_MS);

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
