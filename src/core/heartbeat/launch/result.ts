// How a launch ended, in one shape for runner, spool and record, and what it used up where no figure was told.
import { basename } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import type { OwnPrices } from '../../agents/prices.ts';
import type { LaunchBlock } from '../../agents/circuit-breaker.ts';
import { safeReason, wholeReason } from '../../agents/runners/failure-classes.ts';
import type { FailureKind, SpeakResult } from '../../agents/runners/turn-types.ts';
import { iso } from '../../base/clock.ts';
import { KNOWN_BEFORE } from '../../base/words/reasons.ts';
import type { CouncilState, Lease, UsageRecord, Budget } from '../../council/state/state.ts';
import type { LaunchPorts } from './ports.ts';
import { computeCost, findDearestPrice, findPrice, estimateTokens } from '../../agents/prices.ts';

/** One launch: the state it was decided on, who, and under which lease. */
export interface Launch {
  state: CouncilState;
  participant: string;
  lease: Lease;
}

/** What a record of it is made of. */
export type LaunchIdentity = Omit<Launch, 'lease'> & { lease: Pick<Lease, 'id' | 'lender'> };

/**
 * How a launch ended, in one shape from the runner to the record, through the spool and back. `ok` says whether it brought a
 * contribution. A spool keeps neither exit code nor signal, and does not tell whether it was timed out or truncated: `safeReason`
 * and `failure` say what came of that.
 */
export interface LaunchResult extends SpeakResult {
  safeReason: string | null;
  /** What it used up, for the record; null when no program was launched. */
  record: UsageRecord | null;
  /** What asking once more used up. */
  more?: UsageRecord[];
  /** The bytes of each part of the output, where asking once more has added something. */
  parts?: number[];
  /** Set where the text itself was refused. */
  refused?: string;
  /** What else there is to tell of a contribution. */
  note?: string;
}

/** Bytes of a prompt, and of its longest beginning that an earlier prompt of the council to the same program and model had. */
export type PromptSize = NonNullable<UsageRecord['prompt']>;

/** The id of the agent whose file says what a launch runs. */
export const getRunnerId = ({
  participant,
  lease,
}: Pick<Launch, 'participant'> & { lease: Pick<Lease, 'lender'> }): string => lease.lender ?? participant;

/** What the runner told, with what only its launch knows. `after`: when the launch before under the same lease ended. */
export function launchResult(
  { agents, clock }: Pick<LaunchPorts, 'agents' | 'clock'>,
  launch: LaunchIdentity,
  told: SpeakResult,
  after = '',
  prompt?: PromptSize,
): LaunchResult {
  const { participant, state, lease } = launch;
  const { model, inputTokens = null, cachedTokens, outputTokens = null, costUsd = null } = told.usage ?? {};
  const durationMs = Math.round(told.durationMs);
  const agent = agents.find(getRunnerId(launch));
  const record = {
    participant,
    phase: state.currentPhase,
    tour: state.tour,
    // Later than the launch before, so that the two can be told apart.
    at: iso(Math.max(clock.now(), (Date.parse(after) || 0) + 1)),
    model: model ?? agent?.model ?? null,
    ...(agent && { program: getProgramName(agent) }),
    ...(lease.lender !== undefined && { lender: lease.lender }),
    ...(state.budget && { lease: lease.id }),
    inputTokens,
    ...(cachedTokens !== undefined && { cachedTokens }),
    outputTokens,
    costUsd,
    ...(prompt && { prompt }),
    ms: durationMs,
    ok: told.ok,
    ...(told.cancelled && { cancelled: true as const }),
  };
  return { ...told, durationMs, reason: wholeReason(told), safeReason: safeReason(told), record };
}

/** The same model may be reached through several programs, each with its own prompts, tools and price. */
const getProgramName = ({ runner, command: [program] }: Agent): string =>
  program === undefined ? runner : basename(program);

/** What all its programs used up; empty when none was launched. */
export const listUsageRecords = ({ record, more = [] }: LaunchResult): UsageRecord[] => [
  ...(record ? [record] : []),
  ...more,
];

/** For a launch without any known result. */
export const NO_RESULT: LaunchResult = {
  ok: false,
  output: Buffer.alloc(0),
  exitCode: null,
  signal: null,
  timedOut: false,
  cancelled: false,
  truncated: false,
  durationMs: 0,
  reason: null,
  safeReason: null,
  failure: null,
  retryAfterMs: null,
  usage: null,
  stderrTail: '',
  record: null,
};

/** Of a launch that did not come about. */
export const notLaunched = (failure: FailureKind, reason: string): LaunchResult => ({
  ...NO_RESULT,
  cancelled: failure === 'cancelled',
  failure,
  reason,
  safeReason: reason,
});

/** Of a launch that would have failed like an earlier one. */
export const foreseeFailure = ({ reason, until }: LaunchBlock): LaunchResult => ({
  ...notLaunched('config', `${reason}${KNOWN_BEFORE}`),
  // A limit passes by itself.
  ...(until === null && { known: { says: reason, mend: '' } }),
});

/** Why an agent is left out that is paused because launches failed, and what lets it speak all the same. */
export const explainPause = (agent: string, reason: string): string =>
  `paused: ${reason}; ask it at once with: council retry ${agent}`;

/** Whether every further launch would fail in the same way until a person mends it: no login, no such model. */
export const isUnableToSpeak = ({ failure, known }: Pick<SpeakResult, 'failure' | 'known'>): boolean =>
  failure === 'config' && Boolean(known);

/** When the provider wants to be asked again, in milliseconds since the epoch; null when it did not say. */
export const findRetryTime = ({ record, retryAfterMs }: LaunchResult): number | null =>
  record && retryAfterMs !== null ? Date.parse(record.at) + retryAfterMs : null;

const SAYS = {
  invisible: 'printed nothing that can be read',
  reasoning: 'printed nothing but its reasoning',
  'empty form': 'printed nothing but the empty form',
};

/** A result whose text says nothing is a failed launch: its log keeps what was printed. */
export async function rejectEmptyAnswer(result: LaunchResult): Promise<LaunchResult> {
  if (!result.ok) return result;
  // Loaded only here, because it brings the reader of forms.
  const { nothingSaid } = await import('../../council/ledger/text/empty-answer.ts');
  const nothing = nothingSaid(result.output.toString('utf8'));
  if (nothing === null) return result;
  const reason = SAYS[nothing];
  const record = result.record && { ...result.record, ok: false };
  return { ...result, ok: false, failure: 'failed', reason, safeReason: reason, record };
}

/** Bytes of what it was asked and of what it has said. */
interface Sizes {
  input: number;
  output: number;
}

/** The result with an estimate in its record where a budget needs one. Its note has no figure, for the phase may be blind. */
export function withEstimate(
  { agents, prices }: Pick<LaunchPorts, 'agents' | 'prices'>,
  launch: LaunchIdentity,
  result: LaunchResult,
  sizes: Sizes,
): LaunchResult {
  const agent = agents.find(getRunnerId(launch));
  const { record } = result;
  const untold = record ? whatIsUntold(launch.state.budget, record) : undefined;
  if (!record || !agent || untold === undefined) return result;
  const estimate = estimateSpending(agent, prices, record, sizes);
  const note = `it told ${untold}, so an estimate counts for the budget`;
  return { ...result, record: { ...record, estimate }, note };
}

/** What a launch has used up as its program told, with estimates for what it did not tell. */
export function estimateSpending(
  agent: Agent,
  prices: OwnPrices,
  told: Pick<UsageRecord, 'inputTokens' | 'outputTokens' | 'costUsd'> | null,
  sizes: Sizes,
): Record<'inputTokens' | 'outputTokens' | 'costUsd', number> {
  const isSilent = !told || (told.inputTokens === null && told.outputTokens === null);
  const tokens = isSilent
    ? { inputTokens: estimateTokens(sizes.input), outputTokens: estimateTokens(sizes.output) }
    : { inputTokens: told.inputTokens ?? 0, outputTokens: told.outputTokens ?? 0 };
  const price = findPrice(agent, prices) ?? findDearestPrice(agent);
  return { ...tokens, costUsd: told?.costUsd ?? computeCost(price, tokens) };
}

/** Which figures a limit needs and the launch's program did not tell, in words; undefined where none is missing. */
function whatIsUntold(budget: Budget | undefined, record: UsageRecord): string | undefined {
  const limits = budget ? [budget, ...Object.values(budget.agents)] : [];
  const untold = [
    limits.some(({ tokens }) => tokens !== null) &&
      record.inputTokens === null &&
      record.outputTokens === null &&
      'no tokens',
    limits.some(({ usd }) => usd !== null) && record.costUsd === null && 'no cost',
  ].filter((one) => one !== false);
  return untold.length === 0 ? undefined : untold.join(' and ');
}
