// Use case `status`: shows the state of active councils; if there are very many, each in brief.
import { toErrorDocument, CouncilError } from '../base/errors.ts';
import { makeOnFirstUse } from '../base/memoize.ts';
import { readCouncil } from '../council/use/council-access.ts';
import { listAlive } from '../heartbeat/launch/heartbeat-row.ts';
import { nameHeartbeatPlace } from '../store/heartbeats.ts';
import { identifyThisProcess } from '../store/local/liveness.ts';
import { readActiveStates, resolveCouncilName } from './council-reference.ts';
import { overrideApp } from './app.ts';
import type { App, Result } from './app.ts';
import { toAsideDocument, findAside, tellOfAside, tellAside } from './conflict-answers.ts';
import type { StatusInput } from './input/council.ts';
import { findAwaitingHeartbeat } from './missing-heartbeats.ts';
import { findPausedAgents, buildStateDocument } from './state-document.ts';
import type { StateDocument } from './state-document.ts';
import { mayHoldCopies, tellCopies } from './modes.ts';
import { openProjectHealth, loadAgents, openWorkspace, loadConfig } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import { awaited, listRunnerIds, getSeat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { parse } from '../council/document/document.ts';
import type { DuePass, WaitingCouncil } from '../store/due-index.ts';

export interface StatusDocument {
  councils: StateDocument[];
  /** Councils whose documents cannot be read, each with its error. */
  unreadable?: Record<string, unknown>[];
}

/** Shows the state of the active councils, or of the named one. */
export async function readStatus(app: App, { name: given }: StatusInput): Promise<Result<StatusDocument>> {
  const workspace = openWorkspace(app);
  const only = given === undefined ? undefined : await resolveCouncilName(workspace, given);
  const { states, unreadable } =
    only === undefined
      ? await readActiveStates(workspace)
      : { states: [(await readCouncil(workspace.ports, only)).council.state], unreadable: [] };
  for (const { name, error } of unreadable)
    app.note(`council "${name}": ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
  const book = openProjectHealth(workspace);
  const agents = makeOnFirstUse(() => loadAgents(app, workspace));
  if (mayHoldCopies(workspace)) tellCopies(app, workspace, await agents());
  const rows = makeOnFirstUse(() => workspace.keeping.heartbeats().list());
  // If heartbeats run elsewhere, a login missing here pauses no agents.
  const listHeartbeatHosts = async () => {
    const there = listAlive(await rows()).map(nameHeartbeatPlace);
    return there.length > 0 ? there : [identifyThisProcess().host];
  };
  const aside = await findAside(workspace, { key: only });
  const listAsideAnswers = (name: string) =>
    aside.filter((one) => one.name === name).flatMap(({ answers }) => answers.map(toAsideDocument));
  const councils = await Promise.all(
    states.map(async (state) => {
      const paused = await findPausedAgents(
        { read: async () => book.readHosts(await listHeartbeatHosts()) },
        state,
      );
      const waitingForTrust = await listUntrustedRunnables(app, workspace, state, agents);
      const waiting = await findAwaitingHeartbeat(agents, rows, state);
      return {
        ...(await buildStateDocument(workspace, state)),
        ...(listAsideAnswers(state.name).length > 0 && { aside: listAsideAnswers(state.name) }),
        ...(Object.keys(paused).length > 0 && { paused }),
        ...(waiting.length > 0 && { waiting }),
        ...(waitingForTrust.length > 0 && { waitingForTrust }),
      };
    }),
  );
  for (const { name, isOver, answers } of aside)
    if (!states.some((state) => state.name === name))
      for (const one of answers) app.note(tellOfAside(name, toAsideDocument(one), isOver));
  if (unreadable.length === 0) return { document: { councils } };
  const errors = unreadable.map(({ name, error }) => ({ name, ...toErrorDocument(error) }));
  return { document: { councils, unreadable: errors }, failed: 'failed' };
}

// What a council's next tick would run if it were trusted, for `status`.

/**
 * Programs that the next tick would run if they were trusted. If only people are awaited, agents
 * and settings are not read, to keep it fast.
 */
async function listUntrustedRunnables(
  app: App,
  workspace: Workspace,
  state: CouncilState,
  readAgents: () => Promise<AgentRegistry>,
): Promise<Record<string, unknown>[]> {
  const launchable = awaited(state).filter((id) => getSeat(state, id).runner !== 'human');
  if (launchable.length === 0) return [];
  try {
    const [{ listCouncilRunnables, createTrustChecks, toWaitingDocument }, agents, { notify }] =
      await Promise.all([
        import('./trust.ts'),
        readAgents(),
        loadConfig(overrideApp(app, { note: () => undefined }), workspace, {}),
      ]);
    const seated = launchable
      .flatMap((id) => listRunnerIds(state, id))
      .flatMap((id) => agents.find(id) ?? []);
    return createTrustChecks(app, workspace.project.root)
      .listWaiting(listCouncilRunnables(seated, notify))
      .map(toWaitingDocument);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    // The status can be shown without it.
    app.note(`What still has to be trusted could not be determined: ${error.message}`);
    return [];
  }
}

/** A council in brief. */
export interface CouncilSummary extends Omit<WaitingCouncil, 'conversationId'> {
  name: string;
  /** True if its file was edited by hand. */
  edited?: boolean;
}

/**
 * Lists all active councils in brief, sorted by name, if there are more than `few`; otherwise returns undefined. A database
 * knows the state of councils that only wait; the others are read.
 */
export async function listGlimpses(
  app: App,
  few: number,
): Promise<Result<{ councils: CouncilSummary[] }> | undefined> {
  const workspace = openWorkspace(app);
  const { store, ports, keeping } = workspace;
  await keeping.ready();
  const pass = await keeping.due().begin({
    list: () => store.list('', { look: false }),
    now: ports.clock.now(),
    clocks: ports.clock.clocks(),
  });
  if (pass.due.length + pass.resting <= few) return undefined;
  const { looked, unreadable } = await readGlimpses(workspace, pass);
  for (const { name, error } of unreadable)
    app.note(`council "${name}": ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
  await tellAside(app, workspace);
  const known = [...(await pass.listWaiting())].map(([name, one]): CouncilSummary => ({ ...one, name }));
  const councils = [...looked, ...known].sort((a, b) => (a.name < b.name ? -1 : 1));
  const errors = unreadable.map(({ name, error }) => ({ name, ...toErrorDocument(error) }));
  return {
    document: { councils, ...(errors.length > 0 && { unreadable: errors }) },
    failed: errors.length > 0 ? 'failed' : undefined,
  };
}

async function readGlimpses(
  { store, edits }: Workspace,
  pass: DuePass,
): Promise<{ looked: CouncilSummary[]; unreadable: { name: string; error: CouncilError }[] }> {
  const looked: CouncilSummary[] = [];
  const unreadable: { name: string; error: CouncilError }[] = [];
  for (const name of pass.due)
    try {
      const stored = await store.read(name);
      if (!stored) continue;
      const { state } = parse(stored.text, `council "${name}"`);
      const edited = await edits.isEdited(name);
      looked.push({ ...toGlimpse(state), edited });
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      unreadable.push({ name, error });
    }
  return { looked, unreadable };
}

/** Summarizes a council that was read. */
export const toGlimpse = (
  state: Omit<CouncilState, 'labelSeed' | 'requests' | 'reveals' | 'begunIn'> | StateDocument,
): CouncilSummary => ({
  name: state.name,
  topic: state.topic,
  phase: state.currentPhase,
  tour: state.tour,
  awaited: awaited(state),
  dueAt: Date.parse(state.timeoutAt),
  ...('edited' in state && { edited: state.edited }),
});
