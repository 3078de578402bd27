// One tick over all active councils: closes phases, launches, waits and records.
import type { WaitingCouncil } from '../store/due-index.ts';
import { createEmptyTick } from './ports.ts';
import type { CouncilTick, PassResult, HeartbeatPorts, TickOptions } from './ports.ts';
import type { Launches } from './launch/attempts.ts';
import type { launchAwaited } from './launch/launch.ts';
import type { closePhase } from './council-pass.ts';
import { tellLanded } from '../notify/notifier.ts';
import { runningControls } from './launch/heartbeat-row.ts';
import type { beginControls } from './control.ts';

/**
 * Runs one pass of the heartbeat: for every active council, closes the phase if possible (at most one
 * transition), launches awaited participants, waits for them, and records their contributions. The next tick
 * closes what this one recorded.
 */
export async function runTick(ports: HeartbeatPorts, given: TickOptions): Promise<CouncilTick[]> {
  const landing: Promise<void>[] = [];
  const onProgress: TickOptions['onProgress'] = (progress) => {
    given.onProgress(progress);
    if (progress.type === 'recorded') landing.push(tellLanded(ports, progress, given.onProgress));
  };
  const options = { ...given, onProgress };
  await ports.privateFiles.sweep(ports.clock.now());
  if (runningControls.size > 0) await (await import('./control.ts')).endStrayControls(ports);
  const ticks =
    options.name === undefined
      ? await passDueCouncils(ports, options)
      : [await closeOne(ports, options.name, options)];
  if (options.launch) {
    const awaiting = ticks.filter((t) => t.launching !== undefined);
    const launching = awaiting.flatMap((t) => t.launching ?? []);
    const controlled = launching.filter(({ council }) => council.state.control);
    const [outcomes] = await Promise.all([
      launching.length > 0 ? launchAll(ports, launching, options) : [],
      controlled.length > 0 ? beginAllControls(ports, controlled, options) : undefined,
    ]);
    awaiting.forEach((t, at) => Object.assign(t.done, outcomes[at]));
  }
  await options.onLaunchable?.(ticks.flatMap((t) => t.launching ?? []));
  await Promise.all(landing);
  return ticks.map((t) => t.done);
}

// Imported on demand: a pass with nothing due needs none of it. Saves 2 ms of 48.
const closeOne = async (...given: Parameters<typeof closePhase>) =>
  (await import('./council-pass.ts')).closePhase(...given);
const beginAllControls = async (...given: Parameters<typeof beginControls>) =>
  (await import('./control.ts')).beginControls(...given);
const launchAll = async (...given: Parameters<typeof launchAwaited>) =>
  (await import('./launch/launch.ts')).launchAwaited(...given);

/** Reads only the councils that may be due; the index has the status of the others. */
async function passDueCouncils(ports: HeartbeatPorts, options: TickOptions): Promise<PassResult[]> {
  const { clock, store, due } = ports;
  const list = () => store.list('', { look: false });
  const pass = await due.begin({ list, now: clock.now(), clocks: clock.clocks(), claim: true });
  if (pass.nextAt !== undefined) options.onDeadline?.(pass.nextAt);
  const found = new Map<string, WaitingCouncil>();
  const ticks: PassResult[] = [];
  for (const name of pass.due) {
    const passed = await closeOne(ports, name, options);
    if (passed.waiting) found.set(name, passed.waiting);
    ticks.push(passed);
  }
  await pass.end(found);
  if (pass.resting === 0) return ticks;
  if (pass.resting > (options.listed ?? Infinity)) {
    options.onResting?.(pass.resting);
    return ticks;
  }
  for (const [name, one] of await pass.listWaiting()) ticks.push({ done: createUnchangedTick(name, one) });
  return ticks.sort((a, b) => (a.done.name < b.done.name ? -1 : 1));
}

const createUnchangedTick = (name: string, { conversationId, phase }: WaitingCouncil): CouncilTick => ({
  ...createEmptyTick(name),
  conversationId,
  from: phase,
  to: phase,
});

/** Ticks until there is nothing to close or launch now; returns one report per council over all passes. */
export async function tickUntilIdle(
  ports: HeartbeatPorts,
  options: Omit<TickOptions, 'startedAt'>,
): Promise<CouncilTick[]> {
  const total = new Map<string, CouncilTick>();
  for (let busy = true; busy && !options.signal.aborted;) {
    const pass = await runTick(ports, { ...options, startedAt: Number.POSITIVE_INFINITY });
    busy = pass.some(isBusy);
    for (const t of pass) total.set(t.conversationId, mergeTicks(total.get(t.conversationId), t));
    if (options.name !== undefined && pass.some((t) => t.archive)) break;
  }
  return [...total.values()];
}

/** Whether a tick did anything the next one may continue; participants may leave a phase without a launch. */
export const isBusy = ({ transitions, launched, failed }: CouncilTick): boolean =>
  transitions.length > 0 || launched.length > 0 || failed.some((one) => !isWaiting(one));

/** Checking again at once does not help a participant that is paused, or waits for trust or budget. */
const isWaiting = ({ kind }: Launches['failed'][number]): boolean =>
  kind === 'paused' || kind === 'untrusted' || kind === 'waits';

function mergeTicks(before: CouncilTick | undefined, now: CouncilTick): CouncilTick {
  if (!before) return now;
  return {
    ...now,
    from: before.from,
    reason: now.reason ?? before.reason,
    transitions: [...before.transitions, ...now.transitions],
    launched: [...before.launched, ...now.launched],
    // Participants that are paused or wait for trust are listed once, with their latest status.
    failed: [...before.failed.filter((one) => !isWaiting(one)), ...now.failed],
  };
}
