// The loop of `council heartbeat`: ticks on a schedule and on changes.
import type { Logger } from 'node-cron';
import pLimit from 'p-limit';
import { CouncilError, describeThrown } from '../base/errors.ts';
import type { HeartbeatPorts, Progress, TickOptions, CouncilTick } from './ports.ts';
import { isBusy, runTick } from './tick.ts';

export interface BeatOptions {
  /** Cron expression for a project without active councils. */
  every: string;
  /** Cron expression while a council is active. */
  active: string;
  concurrency: number;
  /** Returns the ports with current agents, modes and settings, which people change while the heartbeat runs. */
  fresh(): Promise<HeartbeatPorts>;
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Called once, when the schedule is set up. */
  onReady(): void;
  /**
   * Other work of each pass: whether there is any, and one pass over it. Passes never overlap. `watch` calls
   * `onFree` when some of it can continue and is not in progress, and resolves to the stop function.
   */
  more?: {
    isOpen(): Promise<boolean>;
    play(): Promise<void>;
    watch(onFree: () => void): Promise<() => void>;
  };
  /** Reports a failing tick, and its recovery; the next tick tries again. A lasting failure is reported once. */
  onError(message: string): void;
  /** Whether the store is available for a pass; `onBack` calls back each time it becomes available again. */
  isUsable(): Promise<boolean>;
  onBack(call: () => void): void;
}

/** Delay between a change and the tick, because contributions often arrive together. */
const SETTLE_MS = 100;
/** Delay of a pass over other work requested during a pass, whose own changes cause at most one more. */
const AGAIN_MS = 1000;
/** Timers stop while the machine sleeps, and do not notice when the clock is set. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Ticks on a schedule and whenever a council changes, until `signal` aborts. The schedule only triggers ticks:
 * what is due follows from the councils' own timestamps, so a missed or duplicate run changes nothing. Throws
 * `usage` for an invalid expression.
 */
export async function runHeartbeatLoop(ports: HeartbeatPorts, options: BeatOptions): Promise<void> {
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
  const { wake, wakeSoon, playSoon, end } = createWaker(ports, options);
  const hasActiveWork = async (): Promise<boolean> =>
    (await ports.store.list('', { look: false })).length > 0 || ((await options.more?.isOpen()) ?? false);
  const how = { suppressMissedWarning: true, logger: createLogger(options) };
  const slow = cron.schedule(options.every, wake, how);
  const fast = cron.schedule(options.active, async () => void ((await hasActiveWork()) && wake()), how);
  const stops = [ports.store.watch('', wakeSoon), await options.more?.watch(playSoon)];
  options.onBack(wake);
  options.onReady();
  wake();
  await new Promise<void>((stopped) => {
    options.signal.addEventListener('abort', () => stopped(), { once: true });
    if (options.signal.aborted) stopped();
  });
  for (const stop of stops) stop?.();
  await Promise.all([slow.destroy(), fast.destroy()]);
  await end();
}

/** Routes node-cron's errors to `onError`: by itself it writes to the terminal, in colors. */
function createLogger({ onError }: BeatOptions): Logger {
  const tell = (error: unknown): void => onError(describeThrown(error));
  return { info: () => undefined, debug: () => undefined, warn: tell, error: tell };
}

/** Triggers passes: now, soon, or when something is due. */
interface PassTrigger {
  wake(): void;
  wakeSoon(): void;
  /** Triggers only the other work. */
  playSoon(): void;
  /** Resolves when every pass has ended; no timer triggers another one. */
  end(): Promise<void>;
}

function createWaker(ports: HeartbeatPorts, options: BeatOptions): PassTrigger {
  // Passes overlap: a slow program must not delay another council, or its own phase's deadline.
  const running = new Set<Promise<void>>();
  const slots = pLimit(options.concurrency);
  let soon: NodeJS.Timeout | undefined;
  // Nothing else signals the end of a phase or of an agent's pause. The pass it triggers sets the next alarm.
  const alarm = createAlarm(ports, () => wake());

  const wake = (): void => {
    if (options.signal.aborted) return;
    const pass = runPassIfUsable().finally(() => running.delete(pass));
    running.add(pass);
  };
  const wakeSoon = (): void => {
    clearTimeout(soon);
    soon = setTimeout(wake, SETTLE_MS);
  };
  const failures = createFailures(options.onError);
  let more: Promise<void> | undefined;
  let moreSoon: NodeJS.Timeout | undefined;
  let isMissed = false;
  const playMore = (): void => {
    if (options.signal.aborted) return;
    isMissed = more !== undefined;
    more ??= options.more
      ?.play()
      .then(() => failures.set(TASKS, undefined))
      .catch((error: unknown) =>
        failures.set(TASKS, `The tasks could not be played: ${describeThrown(error)}`),
      )
      .finally(() => {
        more = undefined;
        if (isMissed) schedulePlay(AGAIN_MS);
      });
  };
  const schedulePlay = (ms: number): void => {
    clearTimeout(moreSoon);
    moreSoon = setTimeout(playMore, ms);
  };
  const playSoon = (): void => schedulePlay(SETTLE_MS);
  const runPassIfUsable = async (): Promise<void> => ((await options.isUsable()) ? runPass() : undefined);
  const runPass = async (): Promise<void> => {
    playMore();
    const ticks = await tickAndReport(ports, options, failures, { slots, onDeadline: alarm.set });
    // The next tick closes what this one recorded: no need to wait for the schedule.
    if (ticks.some(isBusy)) wakeSoon();
    const pauses = ticks.flatMap(({ failed }) => failed.flatMap(({ until }) => until ?? []));
    for (const until of pauses) alarm.set(Date.parse(until));
  };
  const end = async (): Promise<void> => {
    // A launch that is being ended still has to release its lease.
    await Promise.all([...running, more]);
    clearTimeout(soon);
    clearTimeout(moreSoon);
    alarm.clear();
  };
  return { wake, wakeSoon, playSoon, end };
}

/** Rings once, at the earliest of the times set. */
function createAlarm({ clock }: HeartbeatPorts, ring: () => void) {
  let due: { time: number; timer: NodeJS.Timeout } | undefined;
  const clear = (): void => {
    clearTimeout(due?.timer);
    due = undefined;
  };
  const set = (time: number): void => {
    if (due && due.time <= time) return;
    clear();
    const wait = Math.min(Math.max(time - clock.now(), SETTLE_MS), LONGEST_WAIT_MS);
    const onTime = (): void => {
      due = undefined;
      ring();
    };
    due = { time, timer: setTimeout(onTime, wait) };
  };
  return { set, clear };
}

/** Keys of failures that are not council names. */
const TICK = ' tick';
const TASKS = ' tasks';

/** Reports a failure when it starts, changes and ends, but not while it lasts. */
interface Failures {
  set(of: string, message: string | undefined): void;
}

function createFailures(tell: (message: string) => void): Failures {
  const told = new Map<string, string>();
  return {
    set(of, message) {
      const before = told.get(of);
      if (message === before) return;
      tell(message ?? `Over now: ${before}`);
      if (message === undefined) told.delete(of);
      else told.set(of, message);
    },
  };
}

/** Runs one tick; reports its failures and keeps the heartbeat running. */
async function tickAndReport(
  { clock }: HeartbeatPorts,
  { fresh, concurrency, signal, onProgress }: BeatOptions,
  failures: Failures,
  shared: Pick<TickOptions, 'slots' | 'onDeadline'>,
): Promise<CouncilTick[]> {
  try {
    const ports = await fresh();
    const startedAt = clock.now();
    const ticks = await runTick(ports, {
      launch: true,
      listed: 0,
      concurrency,
      startedAt,
      signal,
      onProgress,
      ...shared,
    });
    failures.set(TICK, undefined);
    for (const { name, error } of ticks) failures.set(name, error && `council "${name}": ${error.message}`);
    return ticks;
  } catch (error) {
    failures.set(TICK, `The tick failed: ${describeThrown(error)}`);
    return [];
  }
}
