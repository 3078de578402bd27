// Use case `continue`: how a council held after its blind answers goes on.
import { findArchive } from '../archive/read.ts';
import { CouncilError, ignoreCodes } from '../base/errors.ts';
import type { HoldExit } from '../council/state/allowed-values.ts';
import type { CouncilState } from '../council/state/state.ts';
import { applyEvent, readCouncil } from '../council/use/council-access.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import { runTick } from '../heartbeat/tick.ts';
import { tellNotifiers } from '../notify/notifier.ts';
import { getCallerName } from './app.ts';
import type { App, Result } from './app.ts';
import type { ContinueInput } from './input/ask.ts';
import { resolveCouncilName } from './council-reference.ts';
import { createHeartbeatPorts, loadConfig, openWorkspace } from './workspace.ts';

/** Continues a held council once, or adds a note to it; returns its archive if it ends. */
export async function continueCouncil(app: App, { way, note, name: given }: ContinueInput) {
  const workspace = openWorkspace(app);
  const name = await resolveCouncilName(workspace, given);
  if (given === undefined && (await workspace.store.list()).length === 0)
    throw new CouncilError('unknown_council', 'No council is active.', {
      hint: 'To put the last question to a debate: council rerun last. To ask further: council ask --after last "QUESTION"',
    });
  if (way === undefined && !note?.trim())
    throw new CouncilError('usage', 'Say how the council goes on, or give it a note.', {
      hint: 'council continue debate, council continue synthesis, council continue end, or --note "…". One that was interrupted: council resume',
    });
  const ports = await createHeartbeatPorts(app, workspace, await loadConfig(app, workspace, {}));
  const { state, revision } = await continueHeldCouncil(app, ports, { name, way, note });
  const archive = way === 'end' ? await archiveNow(app, ports, state) : null;
  const { conversationId, currentPhase: phase, tour, timeoutAt } = state;
  return {
    document: { name, conversationId, way: way ?? null, phase, tour, timeoutAt, revision, archive },
  } satisfies Result;
}

/** Commits how a held council continues. Throws `not_your_turn` if it is not held (any more). */
export async function continueHeldCouncil(
  app: App,
  ports: HeartbeatPorts,
  given: { name: string; way?: HoldExit | undefined; note?: string | undefined; conversationId?: string },
): Promise<Awaited<ReturnType<typeof applyEvent>>> {
  const { name, way = null, note, conversationId } = given;
  const { state } = (await readCouncil(ports, name)).council;
  const { phases } = way === 'debate' ? ports.mode(state.mode) : state;
  const text = note?.trim();
  const event = {
    ...({ type: 'continue', way, phases, seed: ports.random.hex(8) } as const),
    ...(text && { note: { by: getCallerName(app), text } }),
  };
  const done = await applyEvent(ports, name, event, {
    conversationId: conversationId ?? state.conversationId,
  });
  await tellNotifiers(ports, done, { onProgress: app.progress, signal: app.interruption() });
  return done;
}

/** Returns the path of its archive, even if another process is faster; null if the next tick has to write it. */
async function archiveNow(
  app: App,
  ports: HeartbeatPorts,
  { name, conversationId }: CouncilState,
): Promise<string | null> {
  const startedAt = Number.POSITIVE_INFINITY;
  const options = { name, launch: false, concurrency: 1, startedAt, signal: app.interruption() };
  const ignoreUnknown = ignoreCodes('unknown_council');
  const [done] = (await runTick(ports, { ...options, onProgress: app.progress }).catch(ignoreUnknown)) ?? [];
  if (done?.archive) return done.archive;
  const now = await readCouncil(ports, name).catch(ignoreUnknown);
  if (now?.council.state.conversationId === conversationId) return now.council.state.closing?.path ?? null;
  return (await findArchive(ports.archives, conversationId)).path;
}
