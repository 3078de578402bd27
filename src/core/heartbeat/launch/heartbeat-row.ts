// The state of a process that launches agents: its row, renewed while it is in touch, and its running work.
import { uptime } from 'node:os';
import { describeThrown } from '../../base/errors.ts';
import type { Heartbeat, Heartbeats } from '../../store/heartbeats.ts';

/** How often the row is renewed. */
const RENEWED_EVERY_MS = 10_000;
/** Without a renewal for this long it ends its launches, before others consider it dead. */
const ALONE_AFTER_MS = 20_000;
/** A row not renewed for this long belongs to a dead heartbeat, whose leases are free. */
export const DEAD_AFTER_MS = 30_000;
/** Often enough to act before it is considered dead, but no more: each check wakes an idle process. */
const LOOKED_EVERY_MS = 5000;

export interface HeartbeatRenewal {
  id: string;
  /** Writes and renews the row, before the first lease naming it. Idempotent. Rejects like `Heartbeats.renew`. */
  begin(): Promise<void>;
  /** Renews the row early, when the store is back after a failure. Reports a failure. */
  renew(): void;
  /** Returns a signal that aborts when renewal failed for too long; a new one after the next renewal. */
  inTouch(): AbortSignal;
  /** Removes the row. */
  end(): Promise<void>;
}

/** Output, and the clock for tests. */
export interface HeartbeatRenewalOptions {
  row: () => Heartbeat | Promise<Heartbeat>;
  note(line: string): void;
  /** Called each time the row could not be renewed; `note` by default. */
  onFailure?: ((why: string) => void) | undefined;
  measureElapsed?: () => number;
}

/** Continues during sleep, like the clock that others judge this row by. */
const readUptimeMs = (): number => uptime() * 1000;

/** Creates a heart that beats once `begin` is called. It keeps no process alive. */
export function createHeartbeatRenewal(
  rows: Heartbeats,
  id: string,
  { row, note, onFailure = note, measureElapsed: time = readUptimeMs }: HeartbeatRenewalOptions,
): HeartbeatRenewal {
  let begun: Promise<void> | undefined;
  let touched = -Infinity;
  let alone = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const renew = async (): Promise<void> => {
    // Taken before the write, so that no other process counts the row's age from an earlier time.
    const at = time();
    await rows.renew(await row());
    // A delayed renewal may finish after a later one.
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
      // After the machine has slept, this may run before the next check.
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

/** Filters the rows of living heartbeats. */
export const listAlive = <T extends { ageMs: number }>(rows: readonly T[]): T[] =>
  rows.filter(({ ageMs }) => ageMs < DEAD_AFTER_MS);

/** Leases with a turn in progress in this process. Its other leases were left behind by failed turns. */
export const atWork = new Set<string>();

const duties = new Set<() => void>();

/** Runs `duty` synchronously if the process exits before the returned function is called. */
export function registerExitDuty(duty: () => void): () => void {
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

/** A control whose program is running or queued. */
export interface RunningControl {
  council: string;
  conversationId: string;
  stop: AbortController;
  /** Never rejects. */
  done: Promise<void>;
}

export const runningControls = new Set<RunningControl>();

/** Ends a council's controls running here, or all of them, and waits until their programs are gone. */
export async function endControls(conversationId?: string): Promise<void> {
  const ended = [...runningControls].filter(
    (one) => (conversationId ?? one.conversationId) === one.conversationId,
  );
  for (const { stop } of ended) stop.abort();
  await Promise.all(ended.map(({ done }) => done));
}
