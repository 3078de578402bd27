// The loop of `council heartbeat`: ticks on a schedule and on changes.
import type { Logger } from 'node-cron';
import pLimit from 'p-limit';
import { CouncilError, describeThrown } from '../base/errors.ts';
import type { HeartbeatPorts, Progress, TickOptions, CouncilTick } from './ports.ts';
import { isBusy, runTick } from './tick.ts';

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
  /**
   * Other work of each pass: whether there is some, and one pass over it. Passes never overlap.
   * `watch` calls `onFree` when some of it can continue and is not being worked on, and resolves to
   * the stop function.
   */
  more?: {
    isOpen(): Promise<boolean>;
    play(): Promise<void>;
    watch(onFree: () => void): Promise<() => void>;
  };
  /** A tick that failed, and that this is over: the next one tries again. What lasts is told once. */
  onError(message: string): void;
  /** Whether the store can be used, so that a pass can be made; `onBack` calls back each time when it can again. */
  isUsable(): Promise<boolean>;
  onBack(call: () => void): void;
}

/** After a change, before the tick: contributions often land together. */
const SETTLE_MS = 100;
/** After a pass over what else is played, for what came amid it: what it changed itself leads to no more than this. */
const AGAIN_MS = 1000;
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
  const { wake, wakeSoon, playSoon, end } = waker(ports, options);
  const anyActive = async (): Promise<boolean> =>
    (await ports.store.list('', { look: false })).length > 0 || ((await options.more?.isOpen()) ?? false);
  const how = { suppressMissedWarning: true, logger: createLogger(options) };
  const slow = cron.schedule(options.every, wake, how);
  const fast = cron.schedule(options.active, async () => void ((await anyActive()) && wake()), how);
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

/** What goes wrong is told as everything else is: node-cron by itself writes to the terminal, in colours. */
function createLogger({ onError }: BeatOptions): Logger {
  const tell = (error: unknown): void => onError(describeThrown(error));
  return { info: () => undefined, debug: () => undefined, warn: tell, error: tell };
}

/** Makes passes: now, soon, or when something is due. */
interface Waker {
  wake(): void;
  wakeSoon(): void;
  /** Only what else is played. */
  playSoon(): void;
  /** When every pass has ended; no timer wakes another one. */
  end(): Promise<void>;
}

function waker(ports: HeartbeatPorts, options: BeatOptions): Waker {
  // Passes overlap: a program that takes its time must not hold up another council, or its own phase's deadline.
  const running = new Set<Promise<void>>();
  const slots = pLimit(options.concurrency);
  let soon: NodeJS.Timeout | undefined;
  // A phase ends, or an agent's pause: nothing else tells. The pass that it wakes finds the next one.
  const alarm = createAlarm(ports, () => wake());

  const wake = (): void => {
    if (options.signal.aborted) return;
    const pass = passIfUsable().finally(() => running.delete(pass));
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
  const passIfUsable = async (): Promise<void> => ((await options.isUsable()) ? passOver() : undefined);
  const passOver = async (): Promise<void> => {
    playMore();
    const ticks = await tickOnce(ports, options, failures, { slots, onDeadline: alarm.set });
    // What this tick recorded is closed by the next one: no need to wait for the clock.
    if (ticks.some(isBusy)) wakeSoon();
    const pauses = ticks.flatMap(({ failed }) => failed.flatMap(({ until }) => until ?? []));
    for (const until of pauses) alarm.set(Date.parse(until));
  };
  const end = async (): Promise<void> => {
    // A launch that is being ended still has its lease to give back.
    await Promise.all([...running, more]);
    clearTimeout(soon);
    clearTimeout(moreSoon);
    alarm.clear();
  };
  return { wake, wakeSoon, playSoon, end };
}

/** Rings once, at the earliest of the times that it was set to. */
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

/** What is tried again at each pass, by the name of the council; these two are no names. */
const TICK = ' tick';
const TASKS = ' tasks';

/** What has failed, and goes on failing in the same way, is told when it begins, changes and ends. */
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

/** One tick, whose failures are told and leave the heartbeat going. */
async function tickOnce(
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
