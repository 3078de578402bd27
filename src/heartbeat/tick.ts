// One tick over all active councils: close phases, launch, wait and record.
import { CouncilError } from '../base/errors.ts';
import { advance } from '../council/use/advance.ts';
import { readCouncil } from '../council/use/update-council.ts';
import type { Snapshot } from '../council/use/update-council.ts';
import { waitingOf } from '../council/machine/waiting.ts';
import type { CloseReason } from '../council/state/choices.ts';
import type { Council, Transition } from '../council/state/state.ts';
import type { Waiting } from '../store/due-index.ts';
import type { Launches } from './launch/attempts.ts';
import { keepDeadline } from './deadline.ts';
import { hasLaunchable, launchAwaited } from './launch/launch.ts';
import type { Notice } from '../council/machine/notice.ts';
import { tell, tellLanded } from '../notify/notifier.ts';
import { settleLeases } from './launch/recover.ts';
import type { HeartbeatPorts, TickOptions } from './ports.ts';

/** What one tick did to one council: the shape of `council tick --json`. */
export interface CouncilTick {
  name: string;
  conversationId: string;
  from: string;
  to: string;
  reason: CloseReason | null;
  transitions: { from: string; to: string; reason: CloseReason }[];
  launched: string[];
  failed: Launches['failed'];
  archive: string | null;
  /** Set when this council could not be advanced; the others were. */
  error?: { code: string; message: string; hint?: string };
}

/** A phase this young belongs to the tick that opened it. Longer, and a clock that jumped back would hold the council up. */
const FRESH_MS = 10_000;

/**
 * One pass of the heartbeat: for every active council close the phase if it may close (one transition at most),
 * launch who is awaited, wait for them, record what they say. What is recorded now is closed by the next tick.
 */
export async function tick(ports: HeartbeatPorts, given: TickOptions): Promise<CouncilTick[]> {
  const landing: Promise<void>[] = [];
  const onProgress: TickOptions['onProgress'] = (progress) => {
    given.onProgress(progress);
    if (progress.type === 'recorded') landing.push(tellLanded(ports, progress, given.onProgress));
  };
  const options = { ...given, onProgress };
  await ports.privateFiles.sweep(ports.clock.now());
  const ticks =
    options.name === undefined
      ? await passOverAll(ports, options)
      : [await closePhase(ports, options.name, options)];
  if (options.launch) {
    const awaiting = ticks.filter((t) => t.launching !== undefined);
    const launching = awaiting.flatMap((t) => t.launching ?? []);
    const outcomes = await launchAwaited(ports, launching, options);
    awaiting.forEach((t, at) => Object.assign(t.done, outcomes[at]));
  }
  await options.onLaunchable?.(ticks.flatMap((t) => t.launching ?? []));
  await Promise.all(landing);
  return ticks.map((t) => t.done);
}

/** What a pass did to a council, and what is left to do, or to wait for, in it. */
interface Passed {
  done: CouncilTick;
  launching?: Snapshot;
  waiting?: Waiting;
}

/** Reads the councils that may be due; of the others it is known where they stand. */
async function passOverAll(ports: HeartbeatPorts, options: TickOptions): Promise<Passed[]> {
  const { clock, store, due } = ports;
  const list = () => store.list('', { look: false });
  const pass = await due.begin({ list, now: clock.now(), clocks: clock.clocks(), claim: true });
  if (pass.nextAt !== undefined) options.onDeadline?.(pass.nextAt);
  const found = new Map<string, Waiting>();
  const ticks: Passed[] = [];
  for (const name of pass.due) {
    const passed = await closePhase(ports, name, options);
    if (passed.waiting) found.set(name, passed.waiting);
    ticks.push(passed);
  }
  await pass.end(found);
  if (pass.resting === 0) return ticks;
  if (pass.resting > (options.listed ?? Infinity)) {
    options.onResting?.(pass.resting);
    return ticks;
  }
  for (const [name, one] of await pass.waiting()) ticks.push({ done: standing(name, one) });
  return ticks.sort((a, b) => (a.done.name < b.done.name ? -1 : 1));
}

const standing = (name: string, { conversationId, phase }: Waiting): CouncilTick => ({
  ...nothingDone(name),
  conversationId,
  from: phase,
  to: phase,
});

/** Ticks until there is nothing to close or launch now; one report per council over all passes. */
export async function tickUntilIdle(
  ports: HeartbeatPorts,
  options: Omit<TickOptions, 'startedAt'>,
): Promise<CouncilTick[]> {
  const total = new Map<string, CouncilTick>();
  for (let busy = true; busy && !options.signal.aborted;) {
    const pass = await tick(ports, { ...options, startedAt: Number.POSITIVE_INFINITY });
    busy = pass.some(isBusy);
    for (const t of pass) total.set(t.conversationId, merge(total.get(t.conversationId), t));
    if (options.name !== undefined && pass.some((t) => t.archive)) break;
  }
  return [...total.values()];
}

/** Whether a tick did anything that the next one may go on from. Somebody may be out of the phase without a launch. */
export const isBusy = ({ transitions, launched, failed }: CouncilTick): boolean =>
  transitions.length > 0 || launched.length > 0 || failed.some((one) => !isWaiting(one));

/** Nothing happens to who is paused, or waits for trust, by looking again at once. */
const isWaiting = ({ kind }: Launches['failed'][number]): boolean =>
  kind === 'paused' || kind === 'untrusted';

/** One council in one tick; `done` is added to as it goes. */
interface Pass {
  ports: HeartbeatPorts;
  options: TickOptions;
  done: CouncilTick;
}

async function closePhase(ports: HeartbeatPorts, name: string, options: TickOptions): Promise<Passed> {
  const done = nothingDone(name);
  try {
    return { done, ...(await passOver({ ports, options, done }, await readCouncil(ports, name))) };
  } catch (error) {
    // Archived or renamed away by another process between listing and reading: nothing is wrong.
    if (error instanceof CouncilError && error.code === 'unknown_council' && options.name === undefined)
      return { done };
    if (!(error instanceof CouncilError) || error.code === 'unknown_council') throw error;
    return { done: { ...done, error: { code: error.code, message: error.message, hint: error.hint } } };
  }
}

const nothingDone = (name: string): CouncilTick => ({
  name,
  conversationId: '',
  from: '',
  to: '',
  reason: null,
  transitions: [],
  launched: [],
  failed: [],
  archive: null,
});

/** Closes the phase if it may close, and archives what is over. Returns the council in which somebody is to be launched, or for what it waits. */
async function passOver(pass: Pass, snapshot: Snapshot): Promise<Omit<Passed, 'done'>> {
  const { ports, options, done } = pass;
  const { conversationId, currentPhase, transitions, closing, timeoutAt } = snapshot.council.state;
  const opened = transitions.at(-1);
  Object.assign(done, { conversationId, from: currentPhase, to: currentPhase });
  if (closing) return archive(pass, snapshot, opened);
  if (isFresh(opened, options.startedAt)) {
    options.onDeadline?.(Date.parse(timeoutAt));
    return {};
  }
  const now = await onTime(pass, snapshot);
  const step = await advance(ports, now);
  for (const { participant, place } of step.missing)
    options.onProgress({ type: 'blocked', council: done.name, participant, place });
  if (step.transition) {
    record(done, step.transition);
    tellSaid(options, step.council, step.transition);
    await tell(ports, { state: step.council.state, notices: step.notices }, options);
  }
  const after = step.transition ? { council: step.council, revision: step.revision } : now;
  const { state } = after.council;
  if (state.closing) return archive(pass, after);
  options.onDeadline?.(Date.parse(state.timeoutAt));
  if (hasLaunchable(state)) return { launching: after };
  // A council that waits for people only need not be kept in memory, nor be read again before it is due.
  const waiting = step.missing.length > 0 || step.transition ? undefined : waitingOf(state);
  return waiting ? { waiting } : {};
}

/** The council with its deadline where it belongs, and, when that has come, with what dead ticks have left. */
async function onTime({ ports, options, done }: Pass, snapshot: Snapshot): Promise<Snapshot> {
  const now = await keepDeadline(ports, snapshot, options);
  if (ports.clock.now() < Date.parse(now.council.state.timeoutAt)) return now;
  const { recorded, alive } = await settleLeases(ports, now, options);
  const settled = recorded ? await readCouncil(ports, done.name) : now;
  // A machine that slept has taken time from the programs that are still at work.
  return alive ? keepDeadline(ports, settled, { ...options, isLaunching: true }) : settled;
}

/** Archives a council that is closing. `resumed`: the transition that a tick before has made. */
async function archive(
  { ports, options, done }: Pass,
  snapshot: Snapshot,
  resumed?: Transition,
): Promise<Omit<Passed, 'done'>> {
  // Rendering and checking an archive is a lot of code that most ticks do not need.
  const { finishArchive } = await import('../archive/write.ts');
  // Another pass, or another process, may be at it as well: who has ended the council tells.
  const notices: Notice[] = [];
  const { path } = await finishArchive(ports, snapshot, (at) => notices.push({ type: 'archived', path: at }));
  if (resumed) record(done, resumed);
  const { state } = snapshot.council;
  await tell(ports, { state, notices }, options);
  Object.assign(done, { to: 'ARCHIVED', archive: path });
  return {};
}

function record(done: CouncilTick, { from, to, reason }: Transition): void {
  done.transitions.push({ from, to, reason });
  done.to = to;
  done.reason = reason;
}

/** What was said in a phase that has closed may be seen from now on. */
function tellSaid({ onProgress }: TickOptions, { state, contributions }: Council, closed: Transition): void {
  const { from: phase, tour } = closed;
  const said = contributions.flatMap(({ by: participant, tour: at, text }) =>
    at === tour ? [{ participant, text }] : [],
  );
  if (said.length > 0) onProgress({ type: 'said', council: state.name, phase, tour, said });
}

const isFresh = (opened: Transition | undefined, startedAt: number): boolean =>
  opened !== undefined && Date.parse(opened.at) > startedAt && Date.parse(opened.at) - startedAt < FRESH_MS;

function merge(before: CouncilTick | undefined, now: CouncilTick): CouncilTick {
  if (!before) return now;
  return {
    ...now,
    from: before.from,
    reason: now.reason ?? before.reason,
    transitions: [...before.transitions, ...now.transitions],
    launched: [...before.launched, ...now.launched],
    // Who is paused or waits for trust is told once, as it is now.
    failed: [...before.failed.filter((one) => !isWaiting(one)), ...now.failed],
  };
}
