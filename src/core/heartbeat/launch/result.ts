// The result of a launch, shared by runner, spool and record, and estimates for unreported usage.
import { basename } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import type { OwnPrices } from '../../agents/prices.ts';
import type { LaunchBlock } from '../../agents/circuit-breaker.ts';
import { findSafeReason, findFullReason } from '../../agents/runners/failure-classes.ts';
import type { FailureKind, SpeakResult } from '../../agents/runners/turn-types.ts';
import { formatIso } from '../../base/clock.ts';
import { KNOWN_BEFORE } from '../../base/words/reasons.ts';
import type { CouncilState, Lease, UsageRecord, Budget } from '../../council/state/state.ts';
import type { LaunchPorts } from './ports.ts';
import { computeCost, findDearestPrice, findPrice, estimateTokens } from '../../agents/prices.ts';

/** One launch: the state it was decided on, the participant, and the lease. */
export interface Launch {
  state: CouncilState;
  participant: string;
  lease: Lease;
}

/** The data needed for a usage record. */
export type LaunchIdentity = Omit<Launch, 'lease'> & { lease: Pick<Lease, 'id' | 'lender'> };

/**
 * The result of a launch, from the runner through the spool to the record. `ok` says whether it brought a
 * contribution. A spool stores neither exit code nor signal, nor whether it was timed out or truncated:
 * `safeReason` and `failure` cover that.
 */
export interface LaunchResult extends SpeakResult {
  safeReason: string | null;
  /** Its usage, for the record; null if no program was launched. */
  record: UsageRecord | null;
  /** Usage of asking again. */
  more?: UsageRecord[];
  /** Byte lengths of the output's parts, if asking again has added something. */
  parts?: number[];
  /** Set if the text itself was refused. */
  refused?: string;
  /** A remark on the contribution. */
  note?: string;
}

/** Bytes of a prompt, and of its longest prefix in an earlier one to the same program and model. */
export type PromptSize = NonNullable<UsageRecord['prompt']>;

/** Returns the id of the agent whose file defines what a launch runs. */
export const getRunnerId = ({
  participant,
  lease,
}: Pick<Launch, 'participant'> & { lease: Pick<Lease, 'lender'> }): string => lease.lender ?? participant;

/** Adds the launch's data to the runner's result. `after`: end of the previous launch under the same lease. */
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
    // Later than the previous launch, to keep them distinct.
    at: formatIso(Math.max(clock.now(), (Date.parse(after) || 0) + 1)),
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
  return { ...told, durationMs, reason: findFullReason(told), safeReason: findSafeReason(told), record };
}

/** The same model may be available through several programs, each with its own prompts, tools and price. */
const getProgramName = ({ runner, command: [program] }: Agent): string =>
  program === undefined ? runner : basename(program);

/** Returns the usage of all its programs; empty if none was launched. */
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

/** Returns the result of a launch that did not take place. */
export const createNotLaunchedResult = (failure: FailureKind, reason: string): LaunchResult => ({
  ...NO_RESULT,
  cancelled: failure === 'cancelled',
  failure,
  reason,
  safeReason: reason,
});

/** Returns the result of a launch that would have failed like an earlier one. */
export const foreseeFailure = ({ reason, until }: LaunchBlock): LaunchResult => ({
  ...createNotLaunchedResult('config', `${reason}${KNOWN_BEFORE}`),
  // A limit ends by itself.
  ...(until === null && { known: { says: reason, mend: '' } }),
});

/** Explains why an agent that is paused after failed launches is left out, and how to ask it anyway. */
export const explainPause = (agent: string, reason: string): string =>
  `paused: ${reason}; ask it at once with: council retry ${agent}`;

/** Whether every further launch would fail until someone fixes the cause: no login, no such model. */
export const isUnableToSpeak = ({ failure, known }: Pick<SpeakResult, 'failure' | 'known'>): boolean =>
  failure === 'config' && Boolean(known);

/** Returns when the provider allows another request, in milliseconds since the epoch; null if it did not say. */
export const findRetryTime = ({ record, retryAfterMs }: LaunchResult): number | null =>
  record && retryAfterMs !== null ? Date.parse(record.at) + retryAfterMs : null;

const SAYS = {
  invisible: 'printed nothing that can be read',
  reasoning: 'printed nothing but its reasoning',
  'empty form': 'printed nothing but the empty form',
};

/** Turns a result whose text says nothing into a failed launch; its log keeps the output. */
export async function rejectEmptyAnswer(result: LaunchResult): Promise<LaunchResult> {
  if (!result.ok) return result;
  // Imported on demand, because it loads the form parser.
  const { classifyEmptyAnswer } = await import('../../council/ledger/text/spoken-words.ts');
  const nothing = classifyEmptyAnswer(result.output.toString('utf8'));
  if (nothing === null) return result;
  const reason = SAYS[nothing];
  const record = result.record && { ...result.record, ok: false };
  return { ...result, ok: false, failure: 'failed', reason, safeReason: reason, record };
}

/** Bytes of its input and output. */
interface Sizes {
  input: number;
  output: number;
}

/** Adds an estimate to the record if a budget needs one. The note has no figure, as the phase may be blind. */
export function addEstimate(
  { agents, prices }: Pick<LaunchPorts, 'agents' | 'prices'>,
  launch: LaunchIdentity,
  result: LaunchResult,
  sizes: Sizes,
): LaunchResult {
  const agent = agents.find(getRunnerId(launch));
  const { record } = result;
  const untold = record ? describeUnreportedUsage(launch.state.budget, record) : undefined;
  if (!record || !agent || untold === undefined) return result;
  const estimate = estimateSpending(agent, prices, record, sizes);
  const note = `it told ${untold}, so an estimate counts for the budget`;
  return { ...result, record: { ...record, estimate }, note };
}

/** Returns the reported usage of a launch, with estimates for unreported figures. */
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

/** Returns in words which figures a limit needs and the program did not report; undefined if none. */
function describeUnreportedUsage(budget: Budget | undefined, record: UsageRecord): string | undefined {
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
