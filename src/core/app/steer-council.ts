// Use cases `extend`, `excuse`, `retry`, `cancel` and `reveal`; stops one participant of a run, or launches it again.
import { finishArchive } from '../archive/write.ts';
import { toOneLine } from '../base/text.ts';
import { loadWords } from '../base/words/words.ts';
import { isAwaited, listRunnerIds, getSeat } from '../council/state/state.ts';
import { cancel as cancelCouncil } from '../council/use/advance.ts';
import { reveal as revealText } from '../council/use/seal.ts';
import { applyEvent, readCouncil } from '../council/use/council-access.ts';
import { endCouncilPrograms, settleLeases } from '../heartbeat/launch/recover.ts';
import { tellNotifiers } from '../notify/notifier.ts';
import { withReason } from './app.ts';
import type { App, Result } from './app.ts';
import type { CancelInput, ExcuseInput, ExtendInput, RetryInput, RevealInput } from './input/council.ts';
import { resolveCouncilName } from './council-reference.ts';
import { readLanguage } from './language.ts';
import {
  openProjectHealth,
  createHeartbeatPorts,
  loadAgents,
  loadConfig,
  openWorkspace,
} from './workspace.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { Language } from '../base/words/words.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import { describeSeat } from './coordinator.ts';
import { hasFailed } from '../council/machine/launches.ts';
import type { Ports } from '../council/use/ports.ts';
import type { AgentHealth } from '../store/agent-health.ts';

// Decisions of the person who runs a council.

/** Gives the open phase more time. */
export async function extend(app: App, { duration: ms, name: given, why }: ExtendInput) {
  const workspace = openWorkspace(withReason(app, why));
  const name = await resolveCouncilName(workspace, given);
  const { state, revision } = await applyEvent(workspace.ports, name, { type: 'extend', ms });
  const { currentPhase: phase, tour, timeoutAt } = state;
  return { document: { name, phase, tour, timeoutAt, revision } } satisfies Result;
}

/** Stops waiting for a participant in this phase. */
export async function excuse(app: App, { agent: participant, why: given, name: named }: ExcuseInput) {
  const why = await settleReason(app, given);
  const workspace = openWorkspace(withReason(app, why));
  const name = await resolveCouncilName(workspace, named);
  const event = { type: 'excuse', participant, why } as const;
  const { state, revision } = await applyEvent(workspace.ports, name, event, { by: participant });
  const { currentPhase: phase, tour } = state;
  return { document: { name, participant, phase, tour, why, revision } } satisfies Result;
}

/**
 * Clears the failures of an agent, so that it is launched again: in this phase if that is still open for it, otherwise in the
 * next council.
 */
export async function retry(app: App, { agent: participant, name: named }: RetryInput) {
  const workspace = openWorkspace(app);
  const book = openProjectHealth(workspace);
  if (named === undefined && (await workspace.store.list()).length === 0) {
    const { id } = (await loadAgents(app, workspace)).require(participant);
    const forgotten = await forgetFailures(book, id);
    return { document: { name: null, participant: id, phase: null, tour: null, awaited: false, forgotten } };
  }
  const name = await resolveCouncilName(workspace, named);
  const { state } = (await readCouncil(workspace.ports, name)).council;
  const { isHeld, forgotten } = await retryParticipant(workspace.ports, book, { state, participant });
  const { currentPhase: phase, tour } = state;
  const awaited = isHeld || isAwaited(state, participant);
  return {
    document: { name, participant, phase, tour, awaited, forgotten },
  } satisfies Result;
}

/** Ends a council now: reveals and archives it. */
export async function cancel(app: App, input: CancelInput) {
  const why = await settleReason(app, input.why);
  const workspace = openWorkspace(withReason(app, why));
  const name = await resolveCouncilName(workspace, input.name);
  const ports = await createHeartbeatPorts(app, workspace, await loadConfig(app, workspace, {}));
  const onProgress = app.progress;
  await settleLeases(ports, await readCouncil(ports, name), { onProgress });
  const { council, revision, notices } = await cancelCouncil(ports, await readCouncil(ports, name), why);
  await endCouncilPrograms(ports.turns, council.state.conversationId);
  // A heartbeat that ended the council meanwhile has already reported it.
  const { path } = await finishArchive(ports, { council, revision }, (at) =>
    notices.push({ type: 'archived', path: at }),
  );
  const signal = app.interruption();
  await tellNotifiers(ports, { state: council.state, notices }, { onProgress, signal });
  return {
    document: {
      name,
      conversationId: council.state.conversationId,
      status: 'CANCELLED' as const,
      why: council.state.closing?.why ?? why,
      archive: path,
    },
    failed: signal.aborted ? 'interrupted' : undefined,
  } satisfies Result;
}

/** Restores a sealed text that is missing here. */
export async function reveal(app: App, { agent: participant, text, name: given }: RevealInput) {
  const workspace = openWorkspace(app);
  const bytes = await text.bytes();
  const name = await resolveCouncilName(workspace, given);
  const done = await revealText(workspace.ports, { name, participant, bytes, where: text.from });
  return { document: { name, ...done } } satisfies Result;
}

/** Returns the reason for the archive: from the input or asked on a terminal, otherwise a note that none was given. */
async function settleReason(app: App, given: string | undefined): Promise<string> {
  const w = loadWords(await readLanguage(app)).archiveReason;
  return toOneLine(given ?? (await app.ask?.(w.why)) ?? '', 500) || w.none;
}

export interface Steering {
  /** The seats, the coordinator last. */
  order: readonly string[];
  lang: Language;
  /** Returns the name of a seat in progress lines. */
  nameSeat(id: string): string;
  /** Ends one participant's launch; it is no longer waited for in this phase. */
  stop(participant: string): Promise<void>;
}

const WHY = 'stopped while the council was played';

/**
 * Stops single participants: excuses them first, so that they are not launched again, then ends
 * their process.
 */
export function createRunSteering(
  { progress }: Pick<App, 'progress'>,
  ports: HeartbeatPorts,
  state: CouncilState,
): { getStop(participant: string): AbortSignal; steering: Steering } {
  const { name, order, coordinator, conversationId } = state;
  const stops = new Map<string, AbortController>();
  const getStop = (id: string): AbortSignal => {
    const stop = stops.get(id) ?? new AbortController();
    stops.set(id, stop);
    return stop.signal;
  };
  const stop = async (participant: string): Promise<void> => {
    const event = { type: 'excuse', participant, why: WHY } as const;
    await applyEvent(ports, name, event, { conversationId, by: participant });
    stops.get(participant)?.abort();
    stops.delete(participant);
    progress({ type: 'stopped', council: name, participant });
  };
  const seats = [...order, ...(coordinator ? [coordinator] : [])];
  return {
    getStop,
    steering: {
      order: seats,
      lang: state.lang,
      nameSeat: (id) => describeSeat(state, id),
      stop,
    },
  };
}

/**
 * Clears the failures of a participant's agents, and lets the open phase wait for it again if it had failed. Returns whether
 * it had, and whether there were any failures.
 */
export async function retryParticipant(
  ports: Ports,
  book: Pick<AgentHealth, 'change'>,
  { state, participant }: { state: CouncilState; participant: string },
): Promise<{ isHeld: boolean; forgotten: boolean }> {
  const isHeld = hasFailed(getSeat(state, participant));
  const known = await Promise.all(listRunnerIds(state, participant).map((id) => forgetFailures(book, id)));
  if (isHeld) await applyEvent(ports, state.name, { type: 'retry', participant }, { by: participant });
  return { isHeld, forgotten: isHeld || known.includes(true) };
}

/** Clears this agent's failures; returns whether there were any. */
export const forgetFailures = (book: Pick<AgentHealth, 'change'>, id: string): Promise<boolean> =>
  book.change(id, (health) => ({ next: undefined, result: health !== undefined }));
