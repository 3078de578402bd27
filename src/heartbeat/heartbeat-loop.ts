import pLimit from 'p-limit';
import { CouncilError } from '../base/errors.ts';
import type { HeartbeatPorts, Progress } from './ports.ts';
import { isBusy, tick } from './tick.ts';

export interface BeatOptions {
  /** Cron expression for a project at rest. */
  every: string;
  /** Cron expression while a council is active. */
  active: string;
  concurrency: number;
  /** The ports with agents, modes and settings as they are now: people add and change them while the heartbeat runs. */
  fresh(): Promise<HeartbeatPorts>;
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Called once, when the schedule stands. */
  onReady(): void;
  /** A tick that failed: the next one tries again. */
  onError(message: string): void;
}

/** After a change, before the tick: contributions often land together. */
const SETTLE_MS = 100;
/** Timers stand still while the machine sleeps, and do not see a clock that is set. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Ticks on a schedule and whenever a council changes, until `signal` aborts. The schedule only wakes: what is due
 * follows from the councils' own timestamps, so a missed or doubled run changes nothing. Throws `usage` for a bad expression.
 */
export async function beat(ports: HeartbeatPorts, options: BeatOptions): Promise<void> {
  const { default: cron } = await import('node-cron');
  for (const [flag, expression] of [
    ['--every', options.every],
    ['--active', options.active],
  ] as const) {
    if (!cron.validate(expression)) {
      throw new CouncilError('usage', `Not a cron expression for ${flag}: ${JSON.stringify(expression)}.`, {
        hint: 'Five fields: minute hour day month weekday, for example "*/30 * * * *".',
      });
    }
  }
  // Passes overlap: a program that takes its time must not hold up another council, or its own phase's deadline.
  const running = new Set<Promise<void>>();
  const slots = pLimit(options.concurrency);

  const wake = (): void => {
    if (options.signal.aborted) return;
    const pass = once().finally(() => running.delete(pass));
    running.add(pass);
  };
  const once = async (): Promise<void> => {
    try {
      const ticks = await tick(await options.fresh(), {
        launch: true,
        concurrency: options.concurrency,
        slots,
        startedAt: ports.clock.now(),
        signal: options.signal,
        onProgress: options.onProgress,
        onDeadline: wakeAt,
      });
      for (const { name, error } of ticks) if (error) options.onError(`council "${name}": ${error.message}`);
      // What this tick recorded is closed by the next one: no need to wait for the clock.
      if (ticks.some(isBusy)) settle();
      const pauses = ticks.flatMap(({ failed }) => failed.flatMap(({ until }) => until ?? []));
      for (const until of pauses) wakeAt(Date.parse(until));
    } catch (error) {
      options.onError(`The tick failed: ${(error as Error).message}`);
    }
  };
  let due: { time: number; timer: NodeJS.Timeout } | undefined;
  /** A phase ends, or an agent's pause: nothing else tells. The earliest counts; the pass that it wakes finds the next one. */
  const wakeAt = (time: number): void => {
    if (due && due.time <= time) return;
    clearTimeout(due?.timer);
    const wait = Math.min(Math.max(time - ports.clock.now(), SETTLE_MS), LONGEST_WAIT_MS);
    const ring = (): void => {
      due = undefined;
      wake();
    };
    due = { time, timer: setTimeout(ring, wait) };
  };
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    clearTimeout(timer);
    timer = setTimeout(wake, SETTLE_MS);
  };

  const anyActive = async (): Promise<boolean> => (await ports.store.list()).length > 0;
  const slow = cron.schedule(options.every, wake);
  const fast = cron.schedule(options.active, async () => void ((await anyActive()) && wake()));
  const stopWatching = ports.store.watch('', settle);
  options.onReady();
  wake();
  await new Promise<void>((stopped) => {
    options.signal.addEventListener('abort', () => stopped(), { once: true });
    if (options.signal.aborted) stopped();
  });
  clearTimeout(timer);
  clearTimeout(due?.timer);
  stopWatching();
  await Promise.all([slow.destroy(), fast.destroy()]);
  // A launch that is being ended still has its lease to give back.
  await Promise.all(running);
}
