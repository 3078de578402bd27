import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAgent } from '../../agents/agent.ts';
import type { Agent } from '../../agents/agent.ts';
import { renderAgent } from '../../agents/render-agent.ts';
import type { AgentRegistry } from '../../agents/registry.ts';
import { PRESETS, RUNNERS } from '../../agents/runner-kind.ts';
import type { RunnerKind } from '../../agents/runner-kind.ts';
import { checkAgents } from '../../agents/check.ts';
import { commandFinder } from '../../agents/runners/find-command.ts';
import { formatDuration, parseDuration } from '../../base/duration.ts';
import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { decodeText, oneLine } from '../../base/text.ts';
import { addAgentFile, removeAgentFile } from '../../store/local/agent-files.ts';
import type { Cli } from '../io.ts';
import { givenText } from '../read-text.ts';
import type { Options } from '../../app/app.ts';
import type { Outcome } from '../print.ts';
import type { LegacyCommand } from '../spec.ts';
import { trustSeated } from '../../app/trust.ts';
import { agentHealth, loadAgents, loadConfig, openWorkspace } from '../../app/workspace.ts';
import { openOrInitWorkspace } from '../../app/prepare.ts';

export const agentsCommand: LegacyCommand = async (cli, [action = 'list', id, ...command], options) => {
  switch (action) {
    case 'list':
      return list(cli);
    case 'show':
      return show(cli, needId(id, 'show'));
    case 'add':
      return add(cli, needId(id, 'add'), command, options);
    case 'remove':
      return remove(cli, needId(id, 'remove'));
    case 'check':
      return check(cli, id);
    default:
      throw new CouncilError('usage', `There is no action ${JSON.stringify(action)}.`, {
        hint: 'Actions: list, show ID, add ID, remove ID, check [ID].',
      });
  }
};

const needId = (id: string | undefined, action: string): string => {
  if (id !== undefined) return requireId(id, 'agent id');
  throw new CouncilError('usage', `Which agent? council agents ${action} needs an id.`, {
    hint: `For example: council agents ${action} henry`,
  });
};

const facts = (agent: Agent): string =>
  [
    agent.runner,
    agent.model !== null && agent.runner !== 'human' && oneLine(agent.model),
    agent.command.length > 0 && agent.command.map((part) => oneLine(part)).join(' '),
    agent.capabilities.join(', '),
    agent.source,
  ]
    .filter(Boolean)
    .join('; ');

/** Who exists, with the launch timeout of COUNCIL.md where an agent's file gives none. */
async function registryOf(cli: Cli): Promise<AgentRegistry> {
  const workspace = openWorkspace(cli);
  return loadAgents(cli, workspace, await loadConfig(cli, workspace, {}));
}

async function list(cli: Cli): Promise<Outcome> {
  const registry = await registryOf(cli);
  for (const { path, message } of registry.problems())
    cli.note(message.includes(path) ? message : `${path}: ${message}`);
  const agents = registry.list();
  const text = agents
    .map((a) => `${a.emoji} ${a.id}${a.title === a.id ? '' : ` (${a.title})`}\n    ${facts(a)}`)
    .join('\n');
  return {
    json: { agents, problems: registry.problems() },
    text: text || 'No agent yet. Add one: council agents add henry -- your-program',
  };
}

async function show(cli: Cli, id: string): Promise<Outcome> {
  const agent = (await registryOf(cli)).require(id);
  const lines = [
    `${agent.emoji} ${agent.title} (${agent.id})`,
    agent.description,
    facts(agent),
    `timeout ${formatDuration(agent.timeout)}, input ${agent.input}${agent.env.length > 0 ? `, env ${agent.env.join(', ')}` : ''}${budgetOf(agent)}`,
    agent.path,
    '',
    agent.persona,
  ];
  return { json: agent, text: lines.join('\n') };
}

const budgetOf = ({ budget: { usd, tokens } }: Agent): string => {
  const limits = [usd !== null && `${usd} US$`, tokens !== null && `${tokens} tokens`].filter(Boolean);
  return limits.length > 0 ? `, budget ${limits.join(' and ')}` : '';
};

async function add(cli: Cli, id: string, command: string[], options: Options): Promise<Outcome> {
  // What is wrong with the command line is said before a project is made.
  const runner = runnerOf(options.runner, command);
  const input = options.input ?? 'prompt';
  if (input !== 'prompt' && input !== 'json')
    throw new CouncilError('usage', `There is no input ${JSON.stringify(input)}.`, {
      hint: 'Inputs: prompt, json.',
    });
  const { project } = await openOrInitWorkspace(cli);
  const path = join(project.agents, `${id}.md`);
  const taken = (): CouncilError =>
    new CouncilError('name_taken', `${path} exists already.`, {
      hint: `Edit it, or remove it first: council agents remove ${id}`,
    });
  if (existsSync(path)) throw taken();
  const persona =
    options.persona === undefined
      ? ''
      : decodeText(
          await givenText(cli)(String(options.persona), {
            kind: 'document',
            help: '',
            limit: 2 ** 24,
          })!.bytes(),
          'The persona',
        );
  const agent: Partial<Agent> & { id: string } = {
    id,
    command,
    runner,
    input,
    persona,
    env: options.env as string[],
    capabilities: options.capability as string[],
    ...(typeof options.model === 'string' && { model: options.model }),
    ...(typeof options.title === 'string' && { title: options.title }),
    ...(typeof options.emoji === 'string' && { emoji: options.emoji }),
    ...(typeof options.timeout === 'string' && { timeout: parseDuration(options.timeout) }),
  };
  const text = renderAgent(agent);
  // What cannot be read back is not written.
  const added = parseAgent(text, path, 'project');
  if (addAgentFile(project, id, text) === undefined) throw taken();
  trustSeated(cli, project.root, [added]);
  if (agent.runner === 'human' && (PRESETS as readonly string[]).includes(id))
    cli.note(`${id} is a person now. For the program: --runner ${id}`);
  return { json: { id, path, runner: agent.runner }, text: `Added ${id} (${agent.runner}): ${path}` };
}

function runnerOf(option: unknown, command: string[]): RunnerKind {
  if (option === undefined) return command.length > 0 ? 'command' : 'human';
  const runner = RUNNERS.find((kind) => kind === option);
  if (runner !== undefined) return runner;
  throw new CouncilError('usage', `There is no runner ${JSON.stringify(option)}.`, {
    hint: `Runners: ${RUNNERS.join(', ')}.`,
  });
}

async function remove(cli: Cli, id: string): Promise<Outcome> {
  const workspace = openWorkspace(cli);
  const agent = (await loadAgents(cli, workspace)).require(id);
  if (agent.source !== 'project')
    throw new CouncilError('usage', `${id} is not one of this project's own agents: ${agent.path}`, {
      hint: 'Remove that file yourself if you want it gone.',
    });
  removeAgentFile(workspace.project, agent.path);
  return { json: { id, path: agent.path }, text: `Removed ${agent.path}` };
}

async function check(cli: Cli, id: string | undefined): Promise<Outcome> {
  const workspace = openWorkspace(cli);
  const registry = await loadAgents(cli, workspace);
  const report = checkAgents(
    registry,
    {
      env: cli.env,
      findCommand: commandFinder(workspace.project.root, cli.env),
      health: { book: await agentHealth(cli, workspace).read(), now: workspace.ports.clock.now() },
    },
    id === undefined ? undefined : [id],
  );
  const lines = [
    ...report.agents.map(
      (a) =>
        `${a.ok ? 'ok    ' : 'failed'}  ${a.id}${a.findings.map(({ level, message }) => `\n        ${level}: ${oneLine(message, 300)}`).join('')}`,
    ),
    ...report.problems.map(({ path, message }) => `failed  ${path}\n        ${oneLine(message, 300)}`),
  ];
  return { json: report, text: lines.join('\n') || 'No agent yet.', exitCode: report.ok ? 0 : 1 };
}
