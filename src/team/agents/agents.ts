// Use case `agents`: list, show, add, edit, remove and check agents, manage their keys, and register workers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAgent } from '../../core/agents/agent.ts';
import type { Agent } from '../../core/agents/agent.ts';
import { checkAgents } from '../../core/agents/check.ts';
import type { AgentProblem, AgentRegistry } from '../../core/agents/registry.ts';
import { renderAgent } from '../../core/agents/render-agent.ts';
import { pickWorkSettings } from '../../core/agents/work-settings.ts';
import { createCommandFinder } from '../../core/agents/runners/find-command.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { isYes } from '../../core/base/words/words.ts';
import type { Member } from '../tasks/registry-members.ts';
import { addAgentFile, removeAgentFile } from '../../core/store/local/project.ts';
import type { AgentCondition } from '../tasks/agent-metrics.ts';
import type { AgentsMetrics } from '../tasks/use/agent-metrics.ts';
import type { RegisterDocument } from '../tasks/use/register.ts';
import type { App, Result } from '../../core/app/app.ts';
import { askForAgent, isBare } from './ask-agent.ts';
import {
  editAgentFile,
  forgetFailures,
  requireOwnAgent,
  readPersona,
  requireKnownTools,
} from './edit-agent.ts';
import type { EditDocument } from './edit-agent.ts';
import type { AgentsInput } from '../../core/app/input/project.ts';
import { openOrInitWorkspace } from '../../core/app/init.ts';
import { chooseRunner, isSpeakerName, tellWhatIsMissing } from './choose-runner.ts';
import { measureAgents, checkAgentsHealth } from '../tasks/use/agent-metrics.ts';
import { listJoinedWorkers, register } from '../tasks/use/register.ts';
import { tellPossibleSeats } from '../../core/app/seat-programs.ts';
import { listPersonas } from '../../core/app/seats/personas.ts';
import type { PersonasDocument } from '../../core/app/seats/personas.ts';
import { tellCopies } from '../../core/app/modes.ts';
import { trustSeated } from '../../core/app/trust.ts';
import {
  openProjectHealth,
  loadAgents,
  loadConfig,
  openWorkspaceHere,
  openWorkspace,
} from '../../core/app/workspace.ts';
import { sha256 } from '../../core/base/ids.ts';
import type { AgentKey, AgentKeys } from '../messages/agent-keys.ts';
import { openAgentKeys } from '../messages/use/open-office.ts';

export { selectWorkSettings } from '../../core/agents/work-settings.ts';
export type { Agent };

type CheckReport = ReturnType<typeof checkAgents>;

/** The result of an action, each with its own document. */
export type AgentsResult =
  | ({ action: 'list' } & Result<{ agents: Agent[]; problems: AgentProblem[]; workers: Member[] }>)
  | ({ action: 'show' } & Result<Agent>)
  | ({ action: 'add' } & Result<{ id: string; path: string; runner: string }>)
  | ({ action: 'edit' } & Result<EditDocument>)
  | ({ action: 'remove' } & Result<{ id: string; path: string }>)
  | ({ action: 'check' } & Result<CheckReport>)
  | ({ action: 'personas' } & Result<PersonasDocument>)
  | ({ action: 'register' } & Result<RegisterDocument>)
  | ({ action: 'key' } & Result<KeyDocument>)
  | ({ action: 'metrics' } & Result<AgentsMetrics>)
  | ({ action: 'health' } & Result<{ agents: AgentCondition[] }>);

/** Lists, shows, adds, edits, removes or checks agents. On a terminal it prompts for missing settings. */
export async function manageAgents(app: App, input: AgentsInput): Promise<AgentsResult> {
  const { action } = input;
  switch (action) {
    case 'list':
      return { action, document: await listAgentsAndWorkers(app) };
    case 'show':
      return { action, document: (await loadAgentRegistry(app)).require(requireAgentId(input)) };
    case 'add':
      return { action, document: await add(app, await askForNewAgent(app, input)) };
    case 'edit':
      return {
        action,
        document: await editAgentFile(app, requireAgentId(input), await askForEdits(app, input)),
      };
    case 'remove':
      return { action, document: await remove(app, requireAgentId(input), input.yes) };
    case 'personas':
      return { action, document: await listPersonas(app, input.id) };
    case 'register':
      return { action, document: await register(app, input) };
    case 'key':
      return { action, document: await manageAgentKey(app, requireAgentId(input), input) };
    case 'metrics':
      return {
        action,
        document: await measureAgents(app, input.id),
      };
    case 'health': {
      const document = await checkAgentsHealth(app, input.id);
      return {
        action,
        document,
        failed: document.agents.some(({ status }) => status === 'Down') ? 'failed' : undefined,
      };
    }
    case 'check': {
      const document = await check(app, input.id);
      return { action, document, failed: document.ok ? undefined : 'failed' };
    }
  }
}

function requireAgentId({ id, action }: AgentsInput): string {
  if (id !== undefined) return id;
  throw new CouncilError('usage', `Which agent? council agents ${action} needs an id.`, {
    hint: `For example: council agents ${action} henry`,
  });
}

/** Loads the agents; those without a launch timeout get the one of COUNCIL.md. */
async function loadAgentRegistry(app: App): Promise<AgentRegistry> {
  const workspace = openWorkspaceHere(app);
  return loadAgents(app, workspace, await loadConfig(app, workspace, {}));
}

async function listAgentsAndWorkers(app: App) {
  const workspace = openWorkspaceHere(app);
  const config = await loadConfig(app, workspace, {});
  const registry = await loadAgents(app, workspace, config);
  const problems = registry.problems();
  const own = registry.listOwn().filter(({ source }) => source === 'project');
  await tellPossibleSeats(app, workspace, own, config.lang);
  for (const { path, message } of problems)
    app.note(message.includes(path) ? message : `${path}: ${message}`);
  tellCopies(app, workspace, registry);
  return { agents: registry.list(), problems, workers: await listJoinedWorkers(app, workspace) };
}

async function askForNewAgent(app: App, input: AgentsInput): Promise<AgentsInput> {
  const { note, ask } = app;
  return ask && isBare(input) && !isSpeakerName(input.id) ? askForAgent({ note, ask }, input) : input;
}

async function askForEdits(app: App, input: AgentsInput): Promise<AgentsInput> {
  const { note, ask } = app;
  if (!ask || !isBare(input)) return input;
  const { agent } = await requireOwnAgent(app, requireAgentId(input));
  const current = { ...agent, capability: agent.capabilities };
  return askForAgent({ note, ask }, input, { current, fixed: ['lifecycle'] });
}

async function add(app: App, given: AgentsInput) {
  const id = requireAgentId(given);
  const here = openWorkspaceHere(app);
  const { project } = here;
  const path = join(project.agents, `${id}.md`);
  const createTakenError = (): CouncilError =>
    new CouncilError('name_taken', `${path} exists already.`, {
      hint: `Change it: council agents edit ${id}. Or remove it first: council agents remove ${id}`,
    });
  if (existsSync(path)) throw createTakenError();
  const input = await chooseRunner(app, here, id, given);
  const { command, runner } = input;
  const text = renderAgent({
    ...pickWorkSettings(input),
    id,
    command,
    runner,
    input: input.input ?? 'prompt',
    persona: (await readPersona(app, here, input)) ?? '',
    env: input.env,
    capabilities: input.capability,
    ...(input.tools.length > 0 && { tools: input.tools }),
    ...(input.model !== undefined && { model: input.model }),
    ...(input.baseUrl !== undefined && { baseUrl: input.baseUrl }),
    ...(input.apiKey !== undefined && { apiKey: input.apiKey }),
    ...(input.title !== undefined && { title: input.title }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.emoji !== undefined && { emoji: input.emoji }),
    ...(input.timeout !== undefined && { timeout: input.timeout }),
  });
  // Parsed first, so that no file is written that cannot be read back.
  const added = parseAgent(text, path, 'project');
  requireKnownTools(added);
  const workspace = await openOrInitWorkspace(app);
  if (addAgentFile(project, id, text) === undefined) throw createTakenError();
  trustSeated(app, project.root, [added]);
  await forgetFailures(workspace, id);
  await tellWhatIsMissing(app, workspace, added);
  return { id, path, runner };
}

async function remove(app: App, id: string, yes: boolean) {
  const { workspace, agent } = await requireOwnAgent(app, id);
  const isSure = yes || (app.ask && isYes(await app.ask(`Remove ${agent.path}? [y/N] `)));
  if (!isSure)
    throw new CouncilError(app.ask ? 'failed' : 'usage', 'Nothing was removed.', {
      hint: `Remove it without being asked: council agents remove ${id} --yes`,
    });
  removeAgentFile(workspace.project, agent.path);
  return { id, path: agent.path };
}

async function check(app: App, id: string | undefined): Promise<CheckReport> {
  const workspace = openWorkspaceHere(app);
  const registry = await loadAgents(app, workspace);
  tellCopies(app, workspace, registry);
  return checkAgents(
    registry,
    {
      env: app.env,
      findCommand: createCommandFinder(workspace.project.root, app.env),
      health: { book: await openProjectHealth(workspace).read(), now: workspace.ports.clock.now() },
    },
    id === undefined ? undefined : [id],
  );
}

// The keys that agents sign their messages with: created, replaced, removed. The key itself is never shown.

interface KeyDocument {
  id: string;
  /** The id of the key in messages; null if there is no key any more. */
  key: string | null;
  path: string;
  did: 'made' | 'kept' | 'replaced' | 'removed' | 'none';
}

/** Number of replaced keys to keep, so that older signatures can still be verified. */
const MOST_KEPT = 20;

/** Creates an agent's key if it has none; replaces or removes it. Throws `unknown_agent`, `forbidden`. */
async function manageAgentKey(
  app: App,
  id: string,
  { rotate, removed }: { rotate: boolean; removed: boolean },
): Promise<KeyDocument> {
  if (rotate && removed)
    throw new CouncilError('usage', 'Either --rotate or --remove, not both.', {
      hint: '--rotate gives another key in place of this one, --remove takes it away.',
    });
  const workspace = openWorkspace(app);
  const { id: agent } = (await loadAgents(app, workspace)).require(id);
  const keys = openAgentKeys(app, workspace);
  const before = keys.findKeys(agent);
  const current = before?.find(({ until }) => until === undefined);
  const path = keys.path(agent);
  if (removed) {
    if (before) keys.put(agent, []);
    return { id: agent, key: null, path, did: before ? 'removed' : 'none' };
  }
  if (current && !rotate) return { id: agent, key: current.id, path, did: 'kept' };
  const made = createAgentKey(keys);
  const replaced = (before ?? []).map((one) => ({ ...one, until: one.until ?? made.since }));
  keys.put(agent, [...replaced.slice(-MOST_KEPT), made]);
  return { id: agent, key: made.id, path, did: current ? 'replaced' : 'made' };
}

function createAgentKey(keys: AgentKeys): AgentKey {
  const key = keys.random(32);
  return { id: sha256(Buffer.from(key, 'hex')).slice(0, 8), key, since: new Date().toISOString() };
}
