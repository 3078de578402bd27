// Use cases `run --dry-run` and `ask --dry-run`: the table, its prompts, and the estimated cost. Writes and launches nothing.
import type { OutsideAgent } from '../../agents/registry.ts';
import type { Agent } from '../../agents/agent.ts';
import type { RunnerKind } from '../../agents/runner-kind.ts';
import { CouncilError } from '../../base/errors.ts';
import type { PhaseName } from '../../council/state/allowed-values.ts';
import type { App, Result } from '../app.ts';
import { resolveCouncilSetup, listLeftOutAgents } from '../convene.ts';
import { readQuestion } from '../question.ts';
import type { CouncilToStart } from '../convene.ts';
import { toListedItem } from '../context/context-item.ts';
import type { ListedContext } from '../context/context-item.ts';
import { planTable } from '../open-table.ts';
import type { RunInput } from '../input/council.ts';
import { nameCouncil } from '../play-council.ts';
import { DEFAULT_NAME } from '../../council/use/unknown-council.ts';
import { createHeartbeatPorts } from '../workspace.ts';
import { computeBudgetFit } from './budget-fit.ts';
import type { BudgetFit } from './budget-fit.ts';
import { estimateCouncilUsage, buildOpeningCouncil, buildCollectPrompts } from './council-estimate.ts';
import type { CouncilEstimate, EstimatedPrompt } from './council-estimate.ts';
import { findContextWindow, estimateTokens } from '../../agents/prices.ts';

/** The shape of `council run --dry-run --json`. */
export interface PlanDocument {
  name: string;
  topic: string;
  mode: string;
  phases: PhaseName[];
  /** Maximum duration of a phase in milliseconds. */
  phaseTimeout: number;
  rule: string;
  coordinator: string | null;
  read: 'none' | 'project';
  table: SeatPlan[];
  context: ListedContext[];
  estimate: CouncilEstimate;
  /** Seats whose longest prompt is expected to exceed the model's window, smallest window first. */
  tooLong: OversizedPrompt[];
  /** Whether that fits the budget; not set without one. */
  budget?: BudgetFit;
  /** `run` asks first above this amount of US$; null for never. */
  askAboveUsd: number | null;
  /** Agents that would not be seated because their file cannot be read. */
  outside?: OutsideAgent[];
  /** Files that `run` would write before it starts. */
  wouldWrite: string[];
}

/** A prompt that is too long, in tokens. */
export interface OversizedPrompt {
  id: string;
  prompt: number;
  window: number;
}

export interface SeatPlan {
  id: string;
  title: string;
  runner: RunnerKind;
  /** The program or the model; null for a person. */
  program: string | null;
  model: string | null;
  isCoordinator: boolean;
  /**
   * Its COLLECT prompt; null for the coordinator, which is asked last. `system`: the persona, if passed
   * separately.
   */
  prompt: (EstimatedPrompt & { tokens: number }) | null;
}

/** Returns what would be done with this input. Throws what `run` throws before it starts. */
export async function planRun(app: App, input: RunInput): Promise<Result<PlanDocument>> {
  if (input.resume)
    throw new CouncilError(
      'usage',
      '--dry-run shows a council before it starts, and --resume goes on with one.',
      {
        hint: 'Where it stands: council status',
      },
    );
  const question = await readQuestion(app, input);
  const table = await planTable(app, input, question.brief, { findsPrograms: true, isDryRun: true });
  const { workspace, config } = table;
  const ports = await createHeartbeatPorts(app, workspace, config);
  const council = await resolveCouncilSetup(ports, config, table.input, question);
  const { name = DEFAULT_NAME } = await nameCouncil(ports, input, question);
  if (await workspace.store.read(name))
    app.note(`A council "${name}" is active: this would be refused. Another name: --name`);
  const { state } = buildOpeningCouncil(council);
  const outside = listLeftOutAgents(ports, { agents: table.named }, input);
  for (const { id, why } of outside) app.note(`${id} does not sit: ${why}`);
  const prompts = buildCollectPrompts(council, config.houseRules);
  const estimate = await estimateCouncilUsage(workspace, config, council, prompts);
  const budget = await computeBudgetFit(workspace, config, council, prompts);
  return {
    document: {
      ...{ name, topic: state.topic, mode: state.mode, phases: state.phases },
      ...{ phaseTimeout: state.phaseTimeout, rule: state.rules.rule, coordinator: state.coordinator },
      read: state.read ?? 'none',
      table: listPlannedSeats(
        state.coordinator === null ? { ...council, coordinator: null } : council,
        prompts,
      ),
      context: question.context.map(toListedItem),
      estimate,
      tooLong: findTooLong(council, estimate),
      ...(budget && { budget }),
      askAboveUsd: config.askAboveUsd,
      ...(outside.length > 0 && { outside }),
      wouldWrite: workspace.planned?.agents.map(({ path }) => path) ?? [],
    },
  };
}

function listPlannedSeats(
  { agents, coordinator }: CouncilToStart,
  prompts: ReadonlyMap<string, EstimatedPrompt>,
): SeatPlan[] {
  const participants = agents.filter(({ id }) => id !== coordinator?.id);
  return [
    ...participants.map((agent) => toPlannedSeat(agent, prompts.get(agent.id) ?? null)),
    ...(coordinator ? [{ ...toPlannedSeat(coordinator, null), isCoordinator: true }] : []),
  ];
}

function findTooLong({ agents, coordinator }: CouncilToStart, { by }: CouncilEstimate): OversizedPrompt[] {
  const known = [...agents, ...(coordinator ? [coordinator] : [])];
  return by
    .flatMap(({ id, prompts }) => {
      const agent = known.find((one) => one.id === id);
      const window = agent && findContextWindow(agent);
      const prompt = Math.max(...prompts);
      return window !== undefined && prompt > window ? [{ id, prompt, window }] : [];
    })
    .sort((a, b) => a.window - b.window);
}

const toPlannedSeat = (
  { id, title, runner, command, model }: Agent,
  prompt: EstimatedPrompt | null,
): SeatPlan => ({
  ...{ id, title, runner, model, isCoordinator: false },
  prompt: prompt && { ...prompt, tokens: estimateTokens(prompt.bytes) },
  program: runner === 'human' ? null : (command[0] ?? (runner === 'model' ? model : runner)),
});
