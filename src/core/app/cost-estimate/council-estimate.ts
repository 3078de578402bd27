// Estimates the usage of a new council, in total and by participant.
import { sumFigures } from '../../base/text.ts';
import type { Agent } from '../../agents/agent.ts';
import { findPrice, PRICES_OF, computeCost, estimateTokens } from '../../agents/prices.ts';
import type { Price } from '../../agents/prices.ts';
import { formatModelKey } from '../../agents/seat-notation.ts';
import type { Config } from '../../base/config.ts';
import type { CouncilToStart } from '../convene.ts';
import type { Workspace } from '../workspace.ts';
import { archiveMetas } from '../../archive/read.ts';
import type { UsageRecord, Council } from '../../council/state/state.ts';
import { readActiveStates } from '../council-reference.ts';
import type { PhaseName } from '../../council/state/allowed-values.ts';
import { createFirstState } from '../../council/use/start.ts';
import { placePersona } from '../../council/view/prompt.ts';
import { viewFor } from '../../council/view/view.ts';

/** An estimate for the whole table. */
export interface CouncilEstimate {
  launches: number;
  inputTokens: number;
  /** Input tokens that repeat the beginning of an earlier prompt to the same program and model. */
  cacheableTokens: number;
  outputTokens: number;
  /** Sum of the costs that can be estimated; null if there are none. */
  costUsd: number | null;
  /** Agents of unknown cost: no earlier launches, and no price for the model. */
  unknownCost: string[];
  /** The month of the built-in prices. */
  pricesOf: string;
  by: Estimate[];
}

/** Estimates a council's usage from earlier councils and the size of its prompts. `isCounted` selects agents. */
export async function estimateCouncilUsage(
  workspace: Workspace,
  { prices }: Pick<Config, 'prices'>,
  council: CouncilToStart,
  prompts: ReadonlyMap<string, EstimatedPrompt>,
  { isCounted = isLaunched } = {},
): Promise<CouncilEstimate> {
  const { agents, mode, rules } = council;
  const { phases, coordinator: writes } = buildOpeningCouncil(council).state;
  const coordinator = writes === null ? null : council.coordinator;
  const launches = await findEarlierLaunches(workspace);
  // The coordinator's prompt has the same brief and about the same length.
  const [longest = NO_PROMPT] = [...prompts.values()].toSorted((a, b) => b.bytes - a.bytes);
  const seat = (agent: Agent, isCoordinator: boolean) => ({
    ...{ id: agent.id, isCoordinator, modelKey: formatModelKey(agent) },
    ...(({ bytes, common }) => ({ bytes, common }))(prompts.get(agent.id) ?? longest),
    price: findPrice(agent, prices),
    earlier: selectComparableLaunches(launches, agent),
  });
  const participants = agents.filter(({ id }) => id !== coordinator?.id);
  const seats = [
    ...participants.filter(isCounted).map((agent) => seat(agent, false)),
    ...(coordinator && isCounted(coordinator) ? [seat(coordinator, true)] : []),
  ];
  const isControlled = council.control !== undefined && phases.includes('CHALLENGE');
  const by = estimateCouncil(seats, phases, { repeat: rules.repeat ?? mode.repeat, isControlled });
  const known = by.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
  return {
    launches: sumFigures(by.map((one) => one.launches)),
    inputTokens: sumFigures(by.map((one) => one.inputTokens)),
    cacheableTokens: sumFigures(by.map((one) => one.cacheableTokens)),
    outputTokens: sumFigures(by.map((one) => one.outputTokens)),
    costUsd: known.length === 0 ? null : sumFigures(known),
    unknownCost: by.filter(({ costUsd }) => costUsd === null).map(({ id }) => id),
    pricesOf: PRICES_OF,
    by,
  };
}

const NO_PROMPT = { bytes: 0, common: 0 };

/** Plain commands report neither tokens nor cost, and most use none. */
const isLaunched = ({ runner }: Agent): boolean => runner !== 'human' && runner !== 'command';

// Finds the usage of earlier launches, in archives and active councils.

async function findEarlierLaunches(workspace: Workspace): Promise<UsageRecord[]> {
  const [{ metas }, { states }] = await Promise.all([
    archiveMetas(workspace.ports.archives),
    readActiveStates(workspace),
  ]);
  const archived = new Set(metas.map(({ conversationId }) => conversationId));
  const active = states.filter(({ conversationId }) => !archived.has(conversationId));
  return [...metas, ...active]
    .flatMap(({ usage }) => usage ?? [])
    .filter(({ inputTokens }) => inputTokens !== null);
}

/** Selects the launches of this agent; if it has none, those of its model. */
function selectComparableLaunches(
  launches: readonly UsageRecord[],
  { id, model }: { id: string; model: string | null },
): UsageRecord[] {
  const own = launches.filter(({ participant, lender }) => participant === id || lender === id);
  return own.length > 0 || model === null ? own : launches.filter((one) => one.model === model);
}

// Estimates a council's usage before it starts (pure).

/** An agent at the table. */
export interface Seat {
  id: string;
  isCoordinator: boolean;
  /** Bytes of the COLLECT prompt, including the persona; of the coordinator's without the contributions. */
  bytes: number;
  /** Bytes of the beginning shared by all prompts, and a key of seats that share a cache (program and model). */
  common: number;
  modelKey: string;
  /** Undefined if unknown. */
  price: Price | undefined;
  /** Earlier launches of the same agent, or of the same model. */
  earlier: readonly UsageRecord[];
}

interface Estimate {
  id: string;
  isCoordinator: boolean;
  /** Tokens of each prompt, in order. */
  prompts: number[];
  launches: number;
  inputTokens: number;
  cacheableTokens: number;
  outputTokens: number;
  /** Null if unknown from earlier launches and prices. */
  costUsd: number | null;
  /** Number of earlier launches it is based on; 0: only on prompt sizes. */
  earlier: number;
}

/** Tokens of an answer, if there is no earlier one. */
const ASSUMED_OUTPUT = 800;

/** Estimates the usage of each seat: every phase runs once per `repeat`, without retries. */
export function estimateCouncil(
  seats: readonly Seat[],
  phases: readonly PhaseName[],
  { repeat, isControlled = false }: { repeat: number; isControlled?: boolean },
): Estimate[] {
  const rounds = countSpeakingRounds(phases, repeat);
  const speakers = seats.filter(({ isCoordinator }) => !isCoordinator).length;
  return seats.map((seat, at) => {
    const output = averageEarlierFigure(seat, ({ outputTokens }) => outputTokens) ?? ASSUMED_OUTPUT;
    // Each prompt contains everything said in earlier rounds.
    const estimateHeard = (round: number): number => round * speakers * output;
    const base = estimateTokens(seat.bytes);
    const least = averageEarlierFigure(seat, ({ inputTokens }) => inputTokens) ?? 0;
    const inputs = seat.isCoordinator
      ? [base + estimateHeard(rounds)]
      : [
          ...Array.from({ length: rounds }, (_, round) => base + estimateHeard(round)),
          // A control reads only its own answer.
          ...(isControlled ? [base + output] : []),
        ];
    const common = estimateTokens(seat.common);
    const isKnown = seats.slice(0, at).some(({ modelKey }) => modelKey === seat.modelKey);
    // Its first prompt starts like another seat's, later ones like its own before, up to newer contributions.
    const cacheable = inputs.map((_, round) =>
      round === 0 ? (isKnown ? common : 0) : common + (round < rounds ? estimateHeard(round - 1) : 0),
    );
    const prompts = inputs.map((tokens) => Math.round(Math.max(tokens, least)));
    const inputTokens = sumFigures(prompts);
    const launches = inputs.length;
    const used = { inputTokens, outputTokens: Math.round(launches * output) };
    return {
      id: seat.id,
      isCoordinator: seat.isCoordinator,
      prompts,
      launches,
      cacheableTokens: Math.round(sumFigures(cacheable)),
      ...used,
      costUsd: estimateSeatCost(seat, used),
      earlier: seat.earlier.length,
    };
  });
}

/** Rounds in which participants speak: CHALLENGE and RESOLVE may be played several times. */
function countSpeakingRounds(phases: readonly PhaseName[], repeat: number): number {
  const spoken = phases.filter((phase) => phase !== 'SYNTHESIZE');
  return spoken.length + (repeat - 1) * spoken.filter((phase) => phase !== 'COLLECT').length;
}

function estimateSeatCost(
  { price, earlier }: Seat,
  used: { inputTokens: number; outputTokens: number },
): number | null {
  // Earlier bills include caches and discounts.
  const billed = earlier.flatMap(({ costUsd, inputTokens, outputTokens }) =>
    costUsd === null || inputTokens === null ? [] : { costUsd, tokens: inputTokens + (outputTokens ?? 0) },
  );
  const tokens = sumFigures(billed.map((one) => one.tokens));
  if (tokens > 0)
    return (
      (sumFigures(billed.map(({ costUsd }) => costUsd)) / tokens) * (used.inputTokens + used.outputTokens)
    );
  return price ? computeCost(price, used) : null;
}

function averageEarlierFigure(
  { earlier }: Seat,
  figure: (record: UsageRecord) => number | null,
): number | undefined {
  const known = earlier.map(figure).filter((one) => one !== null);
  return known.length === 0 ? undefined : sumFigures(known) / known.length;
}

/** The prompt of a participant; `system` is the persona, if the runner takes it separately. */
export interface EstimatedPrompt {
  bytes: number;
  /** Bytes of the beginning that is the same in every prompt of the council. */
  common: number;
  text: string;
  system: string;
}

/** A placeholder conversation id. Prompt markers derived from it differ in a real council. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The council as it starts, without contributions. Throws like `start`. */
export const buildOpeningCouncil = (council: CouncilToStart): Council => ({
  state: createFirstState(council, NOBODY, Date.now()),
  brief: council.brief,
  contributions: [],
});

export function buildCollectPrompts(
  council: CouncilToStart,
  houseRules: string,
): Map<string, EstimatedPrompt> {
  const opening = buildOpeningCouncil(council);
  const { agents, coordinator, mode, reading } = council;
  const participants = agents.filter(({ id }) => id !== coordinator?.id);
  const borrowed = coordinator?.borrows && agents.find(({ id }) => id === coordinator.borrows![0]);
  const seated = [...participants, ...(coordinator ? [borrowed ?? coordinator] : [])];
  return new Map(
    participants.map((agent) => {
      const { persona, system } = placePersona(agent, seated, agent.persona, opening.state.lang);
      const view = viewFor({ council: opening, participant: agent.id, persona, houseRules, mode, reading });
      const text = agent.input === 'json' ? JSON.stringify(view) : view.prompt;
      const measure = (part: string): number => Buffer.byteLength(part) + Buffer.byteLength(system);
      const common = text === view.prompt ? measure(text.slice(0, view.stable[0])) : 0;
      return [agent.id, { bytes: measure(text), common, text, system }];
    }),
  );
}
