// Sets up the seats of an eval: the project's agents, or the recorded ones, which are not launched.
import { join, relative } from 'node:path';
import pLimit from 'p-limit';
import { parseAgent } from '../core/agents/agent.ts';
import type { Agent } from '../core/agents/agent.ts';
import { renderAgent } from '../core/agents/render-agent.ts';
import { createRunner } from '../core/agents/runners/runner.ts';
import type { App } from '../core/app/app.ts';
import { resolveCouncilSetup } from '../core/app/convene.ts';
import { askFirst } from '../core/app/cost-estimate/ask-first.ts';
import { checkInput } from '../core/app/input/check-input.ts';
import { runFields } from '../core/app/input/council.ts';
import type { RunInput } from '../core/app/input/council.ts';
import { findModes } from '../core/app/modes.ts';
import { planTable } from '../core/app/open-table.ts';
import { confirmFolder, writePlanned } from '../core/app/init.ts';
import { confirmTrust, listCouncilRunnables } from '../core/app/trust.ts';
import { createHeartbeatPorts } from '../core/app/workspace.ts';
import { CouncilError } from '../core/base/errors.ts';
import { formatCount } from '../core/base/text.ts';
import { DEFAULT_REPAIR } from '../core/heartbeat/launch/repair.ts';
import { parseMode } from '../core/council/state/mode.ts';
import type { EvalInput } from './input.ts';
import type { EvalTable } from './play-sitting.ts';
import type { Question } from './questions.ts';
import { openRecord } from './record.ts';
import type { EvalSetup } from './record.ts';

const MODE = 'debate';
/** Maximum turns of a seat: one blind, then at most two each in debate, revise and more. */
const MOST_TURNS = 7;
/** The turns of one debate, which the estimate for a council covers. */
const DEBATE_TURNS = 3;

interface TableOptions {
  folder: string;
  /** The setup in the folder, if it has a record. */
  known: EvalSetup | undefined;
  questions: Question[];
  signal: AbortSignal;
}

/** Seats the project's agents, confirms trust and cost, and opens the record. */
export async function openTable(
  app: App,
  input: EvalInput,
  { folder, known, questions, signal }: TableOptions,
): Promise<EvalTable> {
  const asked = toRunInput({ ...input, agents: input.agents ?? known?.seats.map(({ id }) => id) });
  const [{ topic, brief, options }] = questions as [Question];
  const { workspace, config, input: seated } = await planTable(app, asked, brief, { findsPrograms: true });
  const ports = await createHeartbeatPorts(app, workspace, config);
  const council = await resolveCouncilSetup(ports, config, seated, { topic, brief, context: [] });
  const { agents } = council;
  requirePrograms(agents);
  const lang = known?.lang ?? config.lang;
  const setup: EvalSetup = {
    schema: 1,
    lang,
    mode: known?.mode ?? findModes(workspace.project).find(({ name }) => name === MODE)?.text ?? '',
    seats: agents.map(({ id, runner, model, repair }) => ({
      ...{ id, runner, model },
      repair: repair ?? config.repair,
    })),
    questions,
    repeat: input.repeat ?? known?.repeat ?? 1,
    limit: Math.min(input.limit ?? known?.limit ?? Infinity, questions.length),
  };
  if (known && JSON.stringify(known.seats) !== JSON.stringify(setup.seats))
    throw new CouncilError(
      'usage',
      `${folder} has the record of other seats: ${known.seats.map(({ id }) => id).join(', ')}.`,
      {
        hint: 'Go on with those by leaving --agents out, or name another folder with --record.',
      },
    );
  const results = setup.limit * setup.repeat;
  const first = { ...council, rules: { ...council.rules, options }, coordinator: null };
  const times = (results * MOST_TURNS) / DEBATE_TURNS;
  await askFirst(app, workspace, config, { council: first, yes: input.yes, times });
  await confirmFolder(app, ports.root, input);
  const items = listCouncilRunnables(agents, null);
  const recordTrust = await confirmTrust(app, ports.root, items, input, workspace.planned?.agents);
  writePlanned(app, workspace, config.lang);
  recordTrust();
  const names = agents.map(({ id }) => id).join(', ');
  app.note(
    `${formatCount(results, 'question')} to ${names}: ${describeMostLaunches(results, setup.seats)}; recorded in ${relative(app.cwd, folder) || '.'}`,
  );
  return {
    ...createTable(setup, agents, { folder, signal, writes: true }),
    ...{ mayRun: ports.mayRun, turns: ports.turns, root: ports.root, env: ports.env },
    ...{ repair: config.repair, prices: config.prices, timeout: config.timeout },
    houseRules: config.houseRules,
    launch: createRunner,
    concurrency: config.concurrency,
    slots: pLimit(config.concurrency),
    budgetUsd: config.budgetUsd,
  };
}

/** Describes the maximum of launches: each seat's repair requests are launches, too. */
function describeMostLaunches(results: number, seats: EvalSetup['seats']): string {
  const turns = results * MOST_TURNS;
  const answers = turns * seats.length;
  const launches = seats.reduce((sum, { repair }) => sum + turns * (1 + (repair ?? DEFAULT_REPAIR)), 0);
  const most = formatCount(launches, 'launch', 'launches');
  return launches === answers
    ? `at most ${most}, and again what fails`
    : `at most ${formatCount(answers, 'answer')} in ${most}, since each may be asked once more for its form, and again what fails`;
}

function toRunInput({ agents, budgetUsd, timeout, lang, concurrency, trust, yes }: EvalInput): RunInput {
  const all = checkInput(
    runFields,
    { mode: MODE, coordinator: '' },
    { command: 'eval', env: {}, isOwnCommandLine: false, text: () => undefined },
  );
  return { ...all, ...{ agents, budgetUsd, timeout, lang, concurrency, trust, yes } };
}

function requirePrograms(agents: readonly Agent[]): void {
  const people = agents.filter(({ runner }) => runner === 'human').map(({ id }) => id);
  if (people.length > 0)
    throw new CouncilError(
      'usage',
      `An eval asks programs and models only; ${people.join(', ')} would have to be waited for.`,
      {
        hint: 'Name the others: council eval questions.jsonl --agents claude,codex,gemini',
      },
    );
}

/** Sets up the table as recorded; nothing can be launched. */
export function openRecordedTable(
  { cwd }: Pick<App, 'cwd'>,
  setup: EvalSetup,
  { folder, signal }: Pick<TableOptions, 'folder' | 'signal'>,
): EvalTable {
  const seats = setup.seats.map(({ id, ...seat }) => ({
    ...parseAgent(renderAgent({ id, runner: 'ollama', model: 'm' }), `${id}.md`, 'project'),
    ...seat,
  }));
  return {
    ...createTable(setup, seats, { folder, signal, writes: false }),
    ...{ mayRun: () => true, turns: NO_TURNS, root: cwd, env: {} },
    ...{ repair: null, prices: {}, timeout: null, houseRules: '' },
    launch: undefined,
    concurrency: seats.length,
    slots: undefined,
    budgetUsd: null,
  };
}

const NO_TURNS: EvalTable['turns'] = {
  begin() {
    throw new Error('A replay launches nobody.');
  },
  listOpen: () => [],
};

const createTable = (
  setup: EvalSetup,
  seats: Agent[],
  { folder, signal, writes }: Pick<TableOptions, 'folder' | 'signal'> & { writes: boolean },
) => ({
  seats,
  mode: parseMode(setup.mode, join(folder, `${MODE}.md`)),
  lang: setup.lang,
  record: openRecord(folder, setup, { writes }),
  signal,
});
