// What a council's next tick would run if it were trusted, for `status`.
import type { AgentRegistry } from '../agents/registry.ts';
import { CouncilError } from '../base/errors.ts';
import { awaited, listRunnerIds, seat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { overrideApp } from './app.ts';
import type { App } from './app.ts';
import type { Workspace } from './workspace.ts';
import { loadConfig } from './workspace.ts';

/**
 * Programs that the next tick would run if they were trusted. If only people are awaited, agents
 * and settings are not read, to keep it fast.
 */
export async function listUntrustedRunnables(
  app: App,
  workspace: Workspace,
  state: CouncilState,
  known: () => Promise<AgentRegistry>,
): Promise<Record<string, unknown>[]> {
  const launchable = awaited(state).filter((id) => seat(state, id).runner !== 'human');
  if (launchable.length === 0) return [];
  try {
    const [
      { listCouncilRunnables: runnablesOf, createTrustChecks: trustIn, waitingDocument },
      agents,
      { notify },
    ] = await Promise.all([
      import('./trust.ts'),
      known(),
      loadConfig(overrideApp(app, { note: () => undefined }), workspace, {}),
    ]);
    const seated = launchable
      .flatMap((id) => listRunnerIds(state, id))
      .flatMap((id) => agents.find(id) ?? []);
    return trustIn(app, workspace.project.root).waiting(runnablesOf(seated, notify)).map(waitingDocument);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    // Where a council stands can be told without it.
    app.note(`What still has to be trusted could not be determined: ${error.message}`);
    return [];
  }
}
