// Edits an agent's file in the project.
import { resolve } from 'node:path';
import { parseAgent } from '../../core/agents/agent.ts';
import type { Agent } from '../../core/agents/agent.ts';
import { editAgent } from '../../core/agents/render-agent.ts';
import { findUnknownTools, sayUnknownTools } from '../../core/agents/check.ts';
import { WORK_SETTINGS, pickWorkSettings } from '../../core/agents/work-settings.ts';
import { formatExactDuration } from '../../core/base/duration.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { isId } from '../../core/base/ids.ts';
import { decodeText } from '../../core/base/text.ts';
import { replaceAgentFile, findPathKind, readTextFile } from '../../core/store/local/project.ts';

import type { App } from '../../core/app/app.ts';
import type { AgentsInput } from '../../core/app/input/project.ts';
import { trustSeated } from '../../core/app/trust.ts';
import { openProjectHealth, loadAgents, loadConfig, openWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';

export interface EditDocument {
  id: string;
  path: string;
  /** The keys with changed values. */
  changed: string[];
}

const SETTINGS = [
  ...['title', 'description', 'emoji', 'runner', 'model', 'baseUrl', 'apiKey', 'input', 'tools', 'env'],
] as const satisfies readonly (keyof AgentsInput)[];
/** Keys that may be removed from a file. */
const OPTIONAL = [...SETTINGS, 'timeout', 'capabilities', ...Object.keys(WORK_SETTINGS)];
const LONGEST_PERSONA = 10_000;

/**
 * Returns one of this project's own agents, which may be changed and removed. Throws `unknown_agent`,
 * `usage`.
 */
export async function requireOwnAgent(app: App, id: string): Promise<{ workspace: Workspace; agent: Agent }> {
  const workspace = openWorkspace(app);
  const agent = (await loadAgents(app, workspace, {}, { alsoOver: true })).require(id);
  if (agent.source === 'project') return { workspace, agent };
  throw new CouncilError('usage', `${id} is not one of this project's own agents: ${agent.path}`, {
    hint: 'Change or remove that file yourself.',
  });
}

/**
 * Returns the persona: by its name, from a file, or as a literal sentence. Throws `usage` if it is none of
 * these, empty, or too long for a system prompt.
 */
export async function readPersona(
  app: App,
  workspace: Workspace,
  { persona }: Pick<AgentsInput, 'persona'>,
): Promise<string | undefined> {
  if (persona === undefined) return undefined;
  const { findPersonas, requirePersona } = await import('../../core/app/seats/personas.ts');
  const personas = findPersonas(workspace.project, (await loadConfig(app, workspace, {})).lang);
  const { from } = persona;
  const isFile = findPathKind(resolve(app.cwd, from)) === 'file';
  const isName = isId(from) && !isFile;
  if (isName || personas.some(({ name }) => name === from)) return requirePersona(personas, from).text;
  const isSentence = /\s/.test(from) && !isFile;
  const given = isSentence ? from : decodeText(await persona.bytes(), 'The persona');
  // Over HTTP the name is passed as the text itself.
  const text = personas.find(({ name }) => name === given)?.text ?? given.trim();
  const length = [...text].length;
  if (length >= 1 && length <= LONGEST_PERSONA) return text;
  throw new CouncilError(
    'usage',
    `The persona must have 1 to ${LONGEST_PERSONA} characters; it has ${length}.`,
    {
      hint: 'Leave --persona out for none.',
    },
  );
}

/** Throws `invalid_agent` for an unknown tool. */
export function requireKnownTools(agent: Agent): void {
  const unknown = findUnknownTools(agent);
  if (unknown.length > 0)
    throw new CouncilError('invalid_agent', sayUnknownTools(unknown), {
      hint: `Leave it out, or name the server that has it: --mcp-server NAME. See docs/team/tools.md`,
    });
}

/**
 * Writes the given changes to the agent's file; everything else in it is kept. Throws `usage`,
 * `invalid_agent`.
 */
export async function editAgentFile(app: App, id: string, input: AgentsInput): Promise<EditDocument> {
  const { workspace, agent } = await requireOwnAgent(app, id);
  const { path } = agent;
  const settings = { ...collectGivenSettings(input), ...parseUnsetKeys(input.unset) };
  requireSameLifecycle(agent, settings);
  const persona = await readPersona(app, workspace, input);
  if (Object.keys(settings).length === 0 && persona === undefined)
    throw new CouncilError('usage', `What should change in ${id}?`, {
      hint: `For example: council agents edit ${id} --role worker. All options: council agents --help`,
    });
  const before = readTextFile(path) ?? '';
  const text = editAgent(before, path, { settings, persona });
  // Verifies that the result can be read before it is written.
  const after = parseAgent(text, path, 'project');
  if (settings.tools !== undefined) requireKnownTools(after);
  const changed = (Object.keys(after) as (keyof Agent)[])
    .filter((key) => key !== 'path' && key !== 'source')
    .filter((key) => JSON.stringify(after[key]) !== JSON.stringify(agent[key]));
  if (text !== before) replaceAgentFile(workspace.project, path, text);
  trustSeated(app, workspace.project.root, [after]);
  if (changed.length > 0) await forgetFailures(workspace, id);
  return { id, path, changed };
}

/** Clears the failures of a changed agent, so that it is tried again at once. */
export const forgetFailures = (workspace: Workspace, id: string): Promise<void> =>
  openProjectHealth(workspace).change(id, () => ({ next: undefined, result: undefined }));

/** By the keys of the file. An empty text removes its key. */
function collectGivenSettings(input: AgentsInput): Record<string, unknown> {
  const { command, capability, timeout, ttl } = input;
  const given = {
    ...Object.fromEntries(SETTINGS.map((key) => [key, input[key]])),
    ...pickWorkSettings(input),
    capabilities: capability,
    command,
    timeout: timeout === undefined ? undefined : formatExactDuration(timeout),
    ttl: ttl === undefined ? undefined : formatExactDuration(ttl),
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
      const isEmpty = value === '' || (Array.isArray(value) && value.every((one) => one === ''));
      return [[key, isEmpty ? undefined : value]];
    }),
  );
}

function parseUnsetKeys(keys: string[]): Record<string, undefined> {
  const wrong = keys.find((key) => !OPTIONAL.includes(key));
  if (wrong !== undefined)
    throw new CouncilError(
      'usage',
      `No key that can be taken out is called ${JSON.stringify(wrong.slice(0, 80))}.`,
      {
        hint: `Keys: ${OPTIONAL.join(', ')}.`,
      },
    );
  return Object.fromEntries(keys.map((key) => [key, undefined]));
}

/** Permanent agents keep state and statistics, temporary ones do not, so an agent cannot change between them. */
function requireSameLifecycle(agent: Agent, settings: Record<string, unknown>): void {
  if (!Object.hasOwn(settings, 'lifecycle') || settings.lifecycle === agent.lifecycle) return;
  if (settings.lifecycle === undefined && agent.lifecycle === 'permanent') return;
  throw new CouncilError(
    'usage',
    `The lifecycle of ${agent.id} cannot be changed: it is ${agent.lifecycle}.`,
    {
      hint: `Remove it and add it again, or add another agent: council agents add ${agent.id}-2`,
    },
  );
}
