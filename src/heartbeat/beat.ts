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
/** Timers overflow beyond 24 days. */
const LONGEST_WAIT_MS = 86_400_000;

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
  let running: Promise<void> | undefined;
  let again = false;

  const wake = (): void => {
    if (options.signal.aborted) return;
    if (running) {
      again = true;
      return;
    }
    running = once().finally(() => {
      running = undefined;
      if (again) settle();
      again = false;
    });
  };
  const once = async (): Promise<void> => {
    try {
      const ticks = await tick(await options.fresh(), {
        launch: true,
        concurrency: options.concurrency,
        startedAt: ports.clock.now(),
        signal: options.signal,
        onProgress: options.onProgress,
      });
      for (const { name, error } of ticks) if (error) options.onError(`council "${name}": ${error.message}`);
      // What this tick recorded is closed by the next one: no need to wait for the clock.
      if (ticks.some(isBusy)) again = true;
      const pauses = ticks.flatMap(({ failed }) => failed.flatMap(({ until }) => until ?? []));
      if (pauses.length > 0) wakeAt(Math.min(...pauses.map((until) => Date.parse(until))));
    } catch (error) {
      options.onError(`The tick failed: ${(error as Error).message}`);
    }
  };
  let trial: NodeJS.Timeout | undefined;
  /** An agent is paused: nothing else may tell when it can be launched again. */
  const wakeAt = (time: number): void => {
    clearTimeout(trial);
    trial = setTimeout(wake, Math.min(Math.max(time - ports.clock.now(), SETTLE_MS), LONGEST_WAIT_MS));
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
  clearTimeout(trial);
  stopWatching();
  await Promise.all([slow.destroy(), fast.destroy()]);
  // A launch that is being ended still has its lease to give back.
  await running;
}
