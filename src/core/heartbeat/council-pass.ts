// Processes one council in a tick: closes its phase if possible, and archives it if finished.
import { listOutsiders } from '../agents/registry.ts';
import type { OutsideAgent } from '../agents/registry.ts';
import { CouncilError, ignoreCodes } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { amendCouncil } from '../council/use/commit-change.ts';
import { advance } from '../council/use/advance.ts';
import { readCouncil, applyEvent } from '../council/use/council-access.ts';
import type { Snapshot } from '../council/use/council-access.ts';
import { findCloseReason } from '../council/machine/close.ts';
import { findHumanWait, listLaunchable } from '../council/machine/launches.ts';
import { computeDueMove } from '../council/machine/deadline.ts';
import { isHeld } from '../council/state/state.ts';
import type { Council, Transition } from '../council/state/state.ts';
import type { Notice } from '../council/machine/transition-result.ts';
import { tellNotifiers } from '../notify/notifier.ts';
import { endControls } from './launch/heartbeat-row.ts';
import type { HeartbeatPorts, TickOptions, CouncilTick, PassResult } from './ports.ts';
import { createEmptyTick } from './ports.ts';

/** A phase this new is left to the tick that opened it. Kept short, since a clock set back would cause delay. */
const FRESH_MS = 10_000;

/** One council in one tick; `done` is filled during the pass. */
interface CouncilPass {
  ports: HeartbeatPorts;
  options: TickOptions;
  done: CouncilTick;
}

/** Processes the named council; if it is gone or cannot be advanced, others are not affected. */
export async function closePhase(
  ports: HeartbeatPorts,
  name: string,
  options: TickOptions,
): Promise<PassResult> {
  const done = createEmptyTick(name);
  try {
    return { done, ...(await advanceCouncil({ ports, options, done }, await readCouncil(ports, name))) };
  } catch (error) {
    // Archived or renamed by another process between listing and reading: not an error.
    if (error instanceof CouncilError && error.code === 'unknown_council' && options.name === undefined)
      return { done };
    if (!(error instanceof CouncilError) || error.code === 'unknown_council') throw error;
    return { done: { ...done, error: { code: error.code, message: error.message, hint: error.hint } } };
  }
}

/** Closes the phase and archives the council if possible. Returns launches due, or what it waits for. */
async function advanceCouncil(pass: CouncilPass, snapshot: Snapshot): Promise<Omit<PassResult, 'done'>> {
  const { ports, options, done } = pass;
  const { conversationId, currentPhase, transitions, closing, timeoutAt } = snapshot.council.state;
  const opened = transitions.at(-1);
  Object.assign(done, { conversationId, from: currentPhase, to: currentPhase });
  if (closing) return archive(pass, snapshot, opened);
  if (isFresh(opened, options.startedAt)) {
    options.onDeadline?.(Date.parse(timeoutAt));
    return {};
  }
  const now = await settleDeadline(pass, snapshot);
  const { clock } = ports;
  const mayClose = findCloseReason(now.council.state, clock.now(), [], clock.clocks()) !== null;
  // Controls may run until the council ends, so they must be finished before.
  if (mayClose && currentPhase === 'SYNTHESIZE') await endControls(conversationId);
  const how = mayClose ? options.atClose?.(now.council.state) : 'close';
  if (how === 'wait') return {};
  const step = await advance(ports, now, { isGivenUp: how === 'end' });
  for (const { participant, place } of step.missing)
    options.onProgress({ type: 'blocked', council: done.name, participant, place });
  if (step.transition) {
    recordTransition(done, step.transition);
    tellSaid(options, step.council, step.transition);
    await tellNotifiers(ports, { state: step.council.state, notices: step.notices }, options);
  }
  const after = step.transition ? { council: step.council, revision: step.revision } : now;
  const { state } = after.council;
  if (state.closing) return archive(pass, after);
  options.onDeadline?.(Date.parse(state.timeoutAt));
  if (listLaunchable(state).length > 0) return { launching: await recordOutsideAgents(pass, after) };
  // A council that waits only for people need not be kept in memory, nor read again before it is due.
  const waiting = step.missing.length > 0 || step.transition ? undefined : findHumanWait(state);
  return waiting ? { waiting } : {};
}

/** Corrects the council's deadline and, if it has passed, recovers launches of dead ticks. */
async function settleDeadline({ ports, options, done }: CouncilPass, snapshot: Snapshot): Promise<Snapshot> {
  const now = await keepDeadline(ports, snapshot, options);
  if (ports.clock.now() < Date.parse(now.council.state.timeoutAt)) return now;
  // The code that reads answers takes 20 ms to load, and most ticks do not need it.
  const { settleLeases } = await import('./launch/recover.ts');
  const { recorded, alive } = await settleLeases(ports, now, options);
  const settled = recorded ? await readCouncil(ports, done.name) : now;
  // If the machine slept, the running programs lost time.
  return alive ? keepDeadline(ports, settled, { ...options, isLaunching: true }) : settled;
}

/** Archives a council that is closing. `resumed`: the transition made by an earlier tick. */
async function archive(
  { ports, options, done }: CouncilPass,
  snapshot: Snapshot,
  resumed?: Transition,
): Promise<Omit<PassResult, 'done'>> {
  // Imported on demand: rendering and checking an archive is a lot of code that most ticks do not need.
  const { finishArchive } = await import('../archive/write.ts');
  // Another pass or process may be archiving, too: only the one that ended the council reports it.
  const notices: Notice[] = [];
  const { path } = await finishArchive(ports, snapshot, (at) => notices.push({ type: 'archived', path: at }));
  if (resumed) recordTransition(done, resumed);
  const { state } = snapshot.council;
  await tellNotifiers(ports, { state, notices }, options);
  Object.assign(done, { to: 'ARCHIVED', archive: path });
  return {};
}

function recordTransition(done: CouncilTick, { from, to, reason }: Transition): void {
  done.transitions.push({ from, to, reason });
  done.to = to;
  done.reason = reason;
}

/** Reports the contributions of a closed phase, which are visible from now on. */
function tellSaid({ onProgress }: TickOptions, { state, contributions }: Council, closed: Transition): void {
  const { from: phase, tour } = closed;
  const said = contributions.flatMap(({ by: participant, tour: at, text }) =>
    at === tour ? [{ participant, text }] : [],
  );
  if (said.length > 0)
    onProgress({ type: 'said', council: state.name, phase, tour, said, isHeld: isHeld(state) });
}

const isFresh = (opened: Transition | undefined, startedAt: number): boolean =>
  opened !== undefined && Date.parse(opened.at) > startedAt && Date.parse(opened.at) - startedAt < FRESH_MS;

/** Records agents that cannot take part because their file is unreadable, and reports changes. */
async function recordOutsideAgents(
  { ports, options, done }: CouncilPass,
  snapshot: Snapshot,
): Promise<Snapshot> {
  const { state } = snapshot.council;
  const { outside: before = [], order, coordinator } = state;
  // With explicitly named participants, only those matter.
  const isOpen = state.outside !== undefined;
  const now = listOutsiders(ports.agents).filter(
    ({ id }) => isOpen || id === coordinator || order.includes(id),
  );
  const isOut = (list: readonly OutsideAgent[], one: OutsideAgent): boolean =>
    list.some(({ id, why }) => id === one.id && why === one.why);
  const fresh = now.filter((one) => !isOut(before, one));
  const mended = before.filter(({ id }) => !now.some((one) => one.id === id));
  if (fresh.length === 0 && mended.length === 0) return snapshot;
  for (const { id, why } of fresh)
    options.onProgress({ type: 'warning', council: done.name, message: `${id} does not sit: ${why}` });
  for (const { id } of mended)
    options.onProgress({
      type: 'warning',
      council: done.name,
      message: `The file of ${id} can be read again: the next council has it.`,
    });
  const { conversationId } = state;
  await amendCouncil(ports, done.name, { action: 'outside', by: null }, (council) =>
    council.state.conversationId === conversationId
      ? { next: { ...council, state: { ...council.state, outside: now } }, result: undefined }
      : { result: undefined },
  );
  return readCouncil(ports, done.name);
}

// Moves a deadline within a tick when the clock was changed or the machine slept.

/** Another tick has moved it, or closed the phase. */
const LOST: readonly ErrorCode[] = ['not_your_turn', 'phase_closed'];

/**
 * Moves the deadline of the open phase if the clock was set, or the machine slept or was off, and reports it.
 * Clocks are not watched between ticks. Returns the current council.
 */
async function keepDeadline(
  ports: HeartbeatPorts,
  snapshot: Snapshot,
  options: Pick<TickOptions, 'onProgress' | 'signal'> & { isLaunching?: boolean },
): Promise<Snapshot> {
  const { state } = snapshot.council;
  const { isLaunching = false } = options;
  if (!computeDueMove(state, ports.clock.clocks(), isLaunching)) return snapshot;
  const event = { type: 'clock', isLaunching } as const;
  await applyEvent(ports, state.name, event, { conversationId: state.conversationId })
    .then((moved) => tellNotifiers(ports, moved, options))
    .catch(ignoreCodes(...LOST));
  return readCouncil(ports, state.name);
}
