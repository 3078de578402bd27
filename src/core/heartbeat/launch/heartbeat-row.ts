// Keeps the row of a process that launches agents, and says when it has been out of touch for too long.
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
