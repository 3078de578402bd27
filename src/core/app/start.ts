// Use case `start`: opens a council and leaves it to heartbeat or people.
import type { OutsideAgent } from '../agents/registry.ts';
import { formatIso } from '../base/clock.ts';
import { ignoreCodes } from '../base/errors.ts';
import { parse } from '../council/document/document.ts';
import { findRepeatedRequest } from '../council/use/keyed-requests.ts';
import type { PhaseName } from '../council/state/allowed-values.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { App, Result } from './app.ts';
import { toListedItem } from './context/context-item.ts';
import type { ListedContext } from './context/context-item.ts';
import {
  conveneCouncil,
  hasBudget,
  resolveCouncilSetup,
  collectHumanTokens,
  listLeftOutAgents,
} from './convene.ts';
import { readQuestion } from './question.ts';
import type { StartInput } from './input/council.ts';
import { tellBeforehand } from './few-voices.ts';
import { recordToldNotice, wasTold } from './repeated-notices.ts';
import { planTable } from './open-table.ts';
import { getProjectionPath } from './state-document.ts';
import { DEFAULT_NAME } from '../council/use/unknown-council.ts';
import { findWorkspace, createHeartbeatPorts } from './workspace.ts';
import type { Workspace } from './workspace.ts';

export interface StartDocument {
  name: string;
  conversationId: string;
  path: string;
  phase: PhaseName;
  tour: number;
  timeoutAt: string;
  revision: number;
  /** Tokens of the people, if seats need tokens; only for those who run councils. */
  tokens?: Record<string, string>;
  /** Agents without a seat because their files cannot be read. */
  outside?: OutsideAgent[];
  /** The context given with the question, as in the brief. */
  context?: ListedContext[];
}

export interface StartResult extends Result<StartDocument> {
  state: CouncilState;
}

/** Opens a council, for a heartbeat or people to continue. */
export async function start(app: App, input: StartInput): Promise<StartResult> {
  const before = await findEarlierStart(app, input);
  if (before) return before;
  const question = await readQuestion(app, input);
  const { workspace, config, named } = await planTable(app, input, question.brief, { findsPrograms: false });
  const ports = await createHeartbeatPorts(app, workspace, config);
  const outside = listLeftOutAgents(ports, { agents: named }, input);
  const council = { ...(await resolveCouncilSetup(ports, config, input, question)), outside };
  const told = await tellBeforehand(app, ports, council, (what) => wasTold(workspace, what));
  if (hasBudget(council))
    await (await import('./cost-estimate/budget-fit.ts')).checkBudget(app, workspace, config, council);
  const context = question.context.map(toListedItem);
  const request = app.request && { ...app.request, ...(context.length > 0 && { context }) };
  const state = await conveneCouncil(app, { workspace, ports, config }, input, { ...council, request }).catch(
    async (error) => {
      // The same request at the same time.
      const other = await findEarlierStart(app, input);
      if (other) return other;
      throw error;
    },
  );
  if ('document' in state) return state;
  if (told !== undefined) await recordToldNotice(workspace, told);
  return {
    document: await buildStartDocument(app, workspace, state, { ...state, context }),
    // The council is open, and this is the only chance to print the tokens; only its notice was interrupted.
    failed: app.interruption().aborted ? 'interrupted' : undefined,
    state,
  };
}

async function buildStartDocument(
  app: App,
  workspace: Workspace,
  state: CouncilState,
  {
    timeoutAt,
    revision,
    context = [],
  }: { timeoutAt: string; revision: number; context?: ListedContext[] | undefined },
): Promise<StartDocument> {
  const tokens = await createVisibleTokens(app, workspace, state);
  const { name, conversationId } = state;
  return {
    ...{ name, conversationId, path: getProjectionPath(workspace, name) },
    ...{ phase: 'COLLECT', tour: 1, timeoutAt, revision },
    ...(tokens && { tokens }),
    ...(state.outside && { outside: state.outside }),
    ...(context.length > 0 && { context }),
  };
}

/** Members do not get the tokens, which would let them speak for others. */
async function createVisibleTokens(app: App, { ports }: Workspace, state: CouncilState) {
  const tokens = await collectHumanTokens(ports, state);
  if (!tokens || app.caller === undefined || app.caller.role === 'admin') return tokens;
  const [one] = Object.keys(tokens);
  if (one !== undefined)
    app.note(
      `The tokens of its people are told to whoever runs councils alone, who gives each of them their seat: council invite ${one} --name ${state.name}`,
    );
  return undefined;
}

/** Returns the earlier answer to this request, even if its council has ended; undefined if there was none. */
async function findEarlierStart(app: App, input: StartInput): Promise<StartResult | undefined> {
  const workspace = app.request && findWorkspace(app);
  const name = input.name ?? DEFAULT_NAME;
  // An unreadable council was not opened by this request.
  const state = workspace && (await readNewestState(workspace.store, name).catch(ignoreCodes()));
  const done = state && (await findRepeatedRequest(workspace.ports, state, app.request));
  if (!done || done.by !== undefined) return undefined;
  const timeoutAt = formatIso(Date.parse(state.createdAt) + state.phaseTimeout);
  return { document: await buildStartDocument(app, workspace, state, { ...done, timeoutAt }), state };
}

/** Returns the newest state stored under a name. */
async function readNewestState(store: Workspace['store'], name: string): Promise<CouncilState | undefined> {
  const live = await store.read(name);
  const last = live ? undefined : (await store.versions(name)).findLast(({ bytes }) => bytes > 0);
  const text = live?.text ?? (last && (await store.readVersion(name, last.revision)));
  return text === undefined ? undefined : parse(text, `council "${name}"`).state;
}
