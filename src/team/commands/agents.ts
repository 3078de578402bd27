// Command `agents`: renders its result.
import { formatMoney, loadWords } from '../../core/base/words/words.ts';
import { manageAgents, selectWorkSettings } from '../agents/agents.ts';
import type { Agent, AgentsResult } from '../agents/agents.ts';
import type { AgentsInput } from '../../core/app/input/project.ts';
import { formatDuration } from '../../core/base/duration.ts';
import { NOBODY, formatPercent, renderAgentsMetrics } from './worker-tables.ts';
import { quoteShellWord, toOneLine } from '../../core/base/text.ts';
import { foldForTerminal } from '../../core/cli/stdout.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';
import { loadFindingWords } from '../../core/app/language.ts';
import { formatLocalTime } from '../../core/base/local-time.ts';

/** Translates a sentence into the configured language. */
type Translator = (english: string) => string;

export const performAgents: Command<AgentsInput> = async (cli, input) => {
  const result = await manageAgents(cli, input);
  const text = renderAgentsResult(result, await loadFindingWords(cli));
  const isList = ['list', 'check', 'metrics', 'health'].includes(result.action);
  return toTextOutcome(result, isList ? await foldForTerminal(text) : text);
};

function renderAgentsResult(result: AgentsResult, say: Translator): string {
  switch (result.action) {
    case 'list':
      return renderAgentsList(result.document, say);
    case 'show':
      return renderAgentCard(result.document);
    case 'add': {
      const { id, runner, path } = result.document;
      return say(`Added ${id} (${runner}): ${path}`);
    }
    case 'edit': {
      const { id, changed, path } = result.document;
      return say(
        changed.length === 0
          ? `There is nothing to change in ${id}.`
          : `Changed ${id} (${changed.join(', ')}): ${path}`,
      );
    }
    case 'remove':
      return say(`Removed ${result.document.path}`);
    case 'check':
      return renderAgentsCheck(result.document, say);
    case 'personas':
      return renderPersonas(result.document, say);
    case 'register':
      return result.document.answers.join('\n');
    case 'metrics':
      return renderAgentsMetrics(result.document);
    case 'health':
      return formatConditions(result.document.agents);
    case 'key':
      return describeAgentKey(result.document);
  }
}

function describeAgentKey({ id, key, path, did }: (AgentsResult & { action: 'key' })['document']): string {
  switch (did) {
    case 'made':
      return `${id} signs its messages from now on, with the key ${key}. Unsigned messages in its name are refused.\n${path}`;
    case 'kept':
      return `${id} signs its messages with the key ${key}.\n${path}`;
    case 'replaced':
      return `${id} signs its messages with a new key from now on: ${key}. What it signed before stays believed.\n${path}`;
    case 'removed':
      return `Removed the key of ${id}: its messages are believed unsigned.`;
    case 'none':
      return `${id} has no key.`;
  }
}

/** Quotes a word for the shell, except for the placeholders that council fills in. */
const formatCommandWord = (part: string): string =>
  /^(?:[\w./-]|\$\{\w+\})+$/.test(part) ? part : toOneLine(quoteShellWord(part));

const formatAgentFacts = (agent: Agent): string =>
  [
    agent.runner,
    agent.model !== null && agent.runner !== 'human' && toOneLine(agent.model),
    agent.command.length > 0 && agent.command.map(formatCommandWord).join(' '),
    agent.capabilities.join(', '),
    agent.seat !== undefined && `for --agents ${toOneLine(agent.seat)}`,
    agent.source,
  ]
    .filter(Boolean)
    .join('; ');

function renderAgentsList(
  { agents: all, workers }: (AgentsResult & { action: 'list' })['document'],
  say: Translator,
): string {
  const own = all.filter(({ source }) => source !== 'built-in');
  const builtIn = all.filter(({ source }) => source === 'built-in').map(({ id }) => id);
  const named = own.map(
    (a) => `${a.emoji} ${a.id}${a.title === a.id ? '' : ` (${a.title})`}\n    ${say(formatAgentFacts(a))}`,
  );
  const joined = workers.map(({ id, agent, capabilities, status }) =>
    toOneLine(`${id}${agent === null ? '' : ` (${agent})`}: ${[...capabilities, status].join(', ')}`, 200),
  );
  return [
    ...(named.length > 0
      ? named
      : [
          say(
            'No agent yet. council ask seats the programs on PATH. Add another: council agents add ID -- PROGRAM',
          ),
        ]),
    ...(joined.length > 0 ? [say('Workers that have joined:'), ...joined] : []),
    '',
    say(`Built-in, for checking documents without a model (--panel offline): ${builtIn.join(', ')}.`),
    say('Personas for a program, as claude@skeptic: council agents personas'),
  ].join('\n');
}

function renderPersonas(
  { personas, tables }: (AgentsResult & { action: 'personas' })['document'],
  say: Translator,
): string {
  const [only, ...others] = personas;
  if (only && others.length === 0)
    return [`${only.emoji} ${only.title} (${only.name})`, only.path, '', only.text].join('\n');
  return [
    ...personas.map(
      ({ emoji, name, description, replaces, path }) =>
        `${emoji} ${name.padEnd(12)}${description}${replaces ? ` (${path}, in place of council's own)` : ''}`,
    ),
    '',
    say('Tables, for --table:'),
    ...Object.entries(tables).map(([name, seats]) => `  ${name.padEnd(14)}${seats.join(', ')}`),
  ].join('\n');
}

function renderAgentCard(agent: Agent): string {
  const lines = [
    `${agent.emoji} ${agent.title} (${agent.id})`,
    agent.description,
    formatAgentFacts(agent),
    `timeout ${formatDuration(agent.timeout)}, input ${agent.input}${agent.env.length > 0 ? `, env ${agent.env.join(', ')}` : ''}${formatAgentBudget(agent)}`,
    ...listWorkSettings(agent),
    agent.path,
    '',
    agent.persona,
  ];
  return lines.join('\n');
}

function listWorkSettings(agent: Agent): string[] {
  const said = Object.entries(selectWorkSettings(agent));
  const tools = agent.tools.length > 0 ? [`tools ${agent.tools.join(', ')}`] : [];
  const all = [...said.map(([key, value]) => `${key} ${[value].flat().join(', ')}`), ...tools];
  return all.length > 0 ? [toOneLine(all.join('; '), 400)] : [];
}

const formatAgentBudget = ({ budget: { usd, tokens } }: Agent): string => {
  const limits = [
    usd !== null && formatMoney(usd, loadWords('en').common),
    tokens !== null && `${tokens} tokens`,
  ].filter(Boolean);
  return limits.length > 0 ? `, budget ${limits.join(' and ')}` : '';
};

/** Pads all states to the same width. */
function formatCheckState({ ok, findings }: { ok: boolean; findings: unknown[] }): string {
  if (!ok) return 'failed ';
  return findings.length > 0 ? 'warning' : 'ok     ';
}

function renderAgentsCheck(
  report: (AgentsResult & { action: 'check' })['document'],
  say: Translator,
): string {
  const lines = [
    ...report.agents.map(
      (a) =>
        `${formatCheckState(a)}  ${a.id}${a.findings.map(({ level, message }) => `\n         ${level}: ${toOneLine(message, 300)}`).join('')}`,
    ),
    ...report.problems.map(({ path, message }) => `failed   ${path}\n         ${toOneLine(message, 300)}`),
  ];
  return lines.join('\n') || say('No agent yet.');
}

type ShownCondition = (AgentsResult & { action: 'health' })['document']['agents'][number];

const formatConditions = (agents: ShownCondition[]): string =>
  agents
    .map(({ id, status, reasons, last_success: last, error_rate: rate }) => {
      const facts = [
        ...(rate === null ? [] : [`${formatPercent(rate)} errors`]),
        last === null ? 'no success yet' : `last success ${formatLocalTime(last, Date.now())}`,
      ];
      return [
        `${toOneLine(id, 64)}: ${status} (${facts.join(', ')})`,
        ...reasons.map((one) => `  ${toOneLine(one, 300)}`),
      ].join('\n');
    })
    .join('\n') || NOBODY;
