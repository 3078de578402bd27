// Use case `start`: opens a council and leaves it to heartbeat or people.
import type { PhaseName } from '../council/state/choices.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { App, Result } from './app.ts';
import { listed } from './context/item.ts';
import type { Listed } from './context/item.ts';
import { convene, councilFrom, humanTokens, questionOf } from './convene.ts';
import type { StartInput } from './input/council.ts';
import { forPanel } from './offline.ts';
import { openOrInitWorkspace } from './prepare.ts';
import { projectionPath } from './state-document.ts';
import { heartbeatPorts, loadConfig } from './workspace.ts';

export interface StartDocument {
  name: string;
  conversationId: string;
  path: string;
  phase: PhaseName;
  tour: number;
  timeoutAt: string;
  revision: number;
  /** Those of the people, where everybody needs one. */
  tokens?: Record<string, string>;
  /** What was given with the question, as it stands in the brief. */
  context?: Listed[];
}

export interface StartResult extends Result<StartDocument> {
  state: CouncilState;
}

/** Opens a council; a heartbeat or people take it from there. */
export async function start(app: App, input: StartInput): Promise<StartResult> {
  const question = await questionOf(app, input);
  const workspace = await openOrInitWorkspace(app, input);
  const given = await loadConfig(app, workspace, input);
  const config = forPanel(app, input, { config: given, asked: true });
  const ports = await heartbeatPorts(app, workspace, config);
  const state = await convene(app, ports, config, input, await councilFrom(ports, config, input, question));
  const path = projectionPath(workspace, state.name);
  const tokens = await humanTokens(ports, state);
  const { name, conversationId, currentPhase: phase, tour, timeoutAt, revision } = state;
  return {
    document: {
      ...{ name, conversationId, path, phase, tour, timeoutAt, revision },
      ...(tokens && { tokens }),
      ...(question.context.length > 0 && { context: question.context.map(listed) }),
    },
    // The council is open, and the tokens are told now or never; only its notice was cut short.
    failed: app.interruption().aborted ? 'interrupted' : undefined,
    state,
  };
}
