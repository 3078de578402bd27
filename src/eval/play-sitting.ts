// Plays one council of an eval in memory, with the same machine, prompts and parsers as `run`; replays recorded
// answers, and launches only for the others.

import type { Agent } from '../core/agents/agent.ts';
import { agentRegistry } from '../core/agents/registry.ts';
import type { AgentRegistry } from '../core/agents/registry.ts';
import type { Runner, FailureKind, SpeakRequest, SpeakResult } from '../core/agents/runners/turn-types.ts';
import { memoryPorts } from '../core/app/storage/memory-ports.ts';
import { CouncilError } from '../core/base/errors.ts';
import { sha256OfParts } from '../core/base/ids.ts';
import type { Random } from '../core/base/clock.ts';
import { formatMoney, loadWords } from '../core/base/words/words.ts';
import type { Language } from '../core/base/words/words.ts';
import type { Mode } from '../core/council/state/mode.ts';
import type { Reach } from '../core/council/state/allowed-values.ts';
import type { Council } from '../core/council/state/state.ts';
import { start } from '../core/council/use/start.ts';
import { readCouncil } from '../core/council/use/council-access.ts';
import type { HeartbeatPorts, Progress, TickOptions } from '../core/heartbeat/ports.ts';
import { runTick } from '../core/heartbeat/tick.ts';
import { openAgentHealth } from '../core/store/agent-health.ts';
import { createMemoryDueIndex } from '../core/store/due-index.ts';
import { identifyThisProcess } from '../core/store/local/liveness.ts';
import { isSameTurn } from './record.ts';
import type { EvalRecord, LaunchTurn, LaunchLine } from './record.ts';
import type { Question } from './questions.ts';
import { computeCost, findPrice } from '../core/agents/prices.ts';
import type { OwnPrices } from '../core/agents/prices.ts';
import { estimateSpending, createNotLaunchedResult } from '../core/heartbeat/launch/result.ts';

/** The seats, the mode and the means of launching: shared by all councils of an eval. */
export interface EvalTable extends Pick<
  HeartbeatPorts,
  'mayRun' | 'turns' | 'root' | 'env' | 'repair' | 'prices'
> {
  houseRules: string;
  seats: readonly Agent[];
  mode: Mode;
  lang: Language;
  /** Timeout of a phase in milliseconds; null for the mode's own. */
  timeout: number | null;
  record: EvalRecord;
  /** Not set in a replay, where nothing may be launched. */
  launch: ((agent: Agent) => Runner) | undefined;
  slots: TickOptions['slots'];
  concurrency: number;
  /** US$; null for no limit. */
  budgetUsd: number | null;
  signal: AbortSignal;
}

export interface Sitting {
  name: string;
  question: Question;
  seats: readonly Agent[];
  mode: Mode;
  reach?: Reach;
  /** The council whose blind answers are reused. */
  blindOf?: string;
}

/**
 * Returns the council when all contributions are in, or undefined in a replay if one is not recorded. Throws
 * `interrupted`, and `failed` if a program cannot be launched or the budget has no room.
 */
export async function playSitting(table: EvalTable, sitting: Sitting): Promise<Council | undefined> {
  const { question, seats, mode, reach, name } = sitting;
  const ended = new AbortController();
  const signal = AbortSignal.any([table.signal, ended.signal]);
  const failures: string[] = [];
  const missing: string[] = [];
  const createRunner = createRecordedRunner(table, sitting, (seat) => void missing.push(seat));
  const ports = createPorts(table, sitting, createRunner);
  await start(ports, {
    ...{ name, mode, reach, topic: question.topic, brief: question.brief, agents: [...seats] },
    ...{ coordinator: null, phaseTimeout: table.timeout, blind: true, lang: table.lang },
    rules: { options: question.options, advocate: seats.length > 1 },
    budget: { usd: computeRoom(table, sitting), tokens: null },
  });
  const onProgress = (progress: Progress): void => {
    if (progress.type !== 'attempt_failed' || progress.next !== 'absent') return;
    const { participant: seat, reason } = progress;
    const last = table.record.lines.findLast((line) => line.seat === seat && line.sitting === name);
    if (!last || !ENDING.includes(last.failure)) return;
    failures.push(`${seat}: ${reason}`);
    ended.abort();
  };
  const options = { name, launch: true, signal, onProgress, startedAt: Infinity, slots: table.slots };
  for (;;) {
    const [done] = await runTick(ports, { ...options, concurrency: table.concurrency });
    if (missing.length > 0) return undefined;
    if (failures.length > 0)
      throw createSittingError(`A program could not be asked: ${failures.join('; ')}.`);
    if (table.signal.aborted) throw new CouncilError('interrupted', 'Interrupted.');
    if (done?.error) throw createSittingError(`${name}: ${done.error.message}`);
    const short = done?.failed.find(({ kind }) => kind === 'budget');
    const budget =
      table.budgetUsd === null ? '' : ` of ${formatMoney(table.budgetUsd, loadWords('en').common)}`;
    if (short)
      throw createSittingError(`The budget${budget} has no room for another launch: name a larger one.`);
    const { council } = await readCouncil(ports, name);
    if (council.state.currentPhase === 'SYNTHESIZE') return council;
  }
}

const createSittingError = (message: string): CouncilError => new CouncilError('failed', message);

/** Computes this council's budget: what is left, plus its recorded answers, which count again when replayed. */
function computeRoom({ budgetUsd, record }: EvalTable, { name, blindOf, seats }: Sitting): number | null {
  if (budgetUsd === null) return null;
  const isGiven = ({ sitting, seat, tour }: LaunchTurn): boolean =>
    sitting === name || (sitting === blindOf && tour === 1 && seats.some(({ id }) => id === seat));
  const others = record.lines.filter((line) => !isGiven(line));
  return Math.max(0, budgetUsd - others.reduce((sum, line) => sum + line.countedUsd, 0));
}

/** Everything but the programs is in memory and specific to this council, so that a replay runs identically. */
function createPorts(
  table: EvalTable,
  { name, mode }: Sitting,
  createRunner: HeartbeatPorts['createRunner'],
): HeartbeatPorts {
  const { seats, houseRules } = table;
  const memory = memoryPorts();
  const agents = createRegistry(seats);
  const self = identifyThisProcess();
  return {
    ...memory,
    random: createFixedRandom(name),
    processes: { self: () => self, isAlive: () => true },
    agents,
    health: openAgentHealth(memoryPorts().store),
    mode: () => mode,
    guidance: async (_, participant) => ({ mode, houseRules, persona: agents.find(participant)?.persona }),
    createRunner,
    notifiers: [],
    toolServers: [],
    due: createMemoryDueIndex(async () => undefined),
    heartbeats: { renew: async () => undefined, list: async () => [], remove: async () => undefined },
    heart: {
      id: name,
      begin: async () => undefined,
      renew: () => undefined,
      inTouch: () => table.signal,
      end: async () => undefined,
    },
    labels: [],
    self,
    ...{ mayRun: table.mayRun, turns: table.turns, root: table.root, env: table.env },
    ...{ repair: table.repair, prices: table.prices },
  };
}

const createRegistry = (seats: readonly Agent[]): AgentRegistry => {
  const agents = agentRegistry([]);
  const find = (id: string): Agent | undefined => seats.find((agent) => agent.id === id);
  return {
    ...agents,
    list: () => [...seats],
    listOwn: () => [...seats],
    find,
    require: (id) => find(id) ?? agents.require(id),
  };
};

/** Derives all random values from the council's name: letters, order and ids are the same in every replay. */
function createFixedRandom(name: string): Random {
  let drawn = 0;
  return {
    hex: (count) =>
      sha256OfParts([name])
        .repeat(Math.ceil(count / 32))
        .slice(0, 2 * count),
    uuid() {
      const hex = sha256OfParts([name, String(drawn++)]);
      return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
    },
  };
}

/** Failures due to a login, a quota or an interruption: they end the eval, and are not replayed. */
const ENDING: readonly (FailureKind | null)[] = ['config', 'rate-limit', 'cancelled'];

/** Creates the runners of one council. In a replay, calls `onMissing` with each seat whose answer is not recorded. */
function createRecordedRunner(
  { record, prices, launch }: EvalTable,
  { name: sitting, blindOf = sitting }: Sitting,
  onMissing: (seat: string) => void,
): (agent: Agent) => Runner {
  const given = new Map<string, number>();
  return (agent) => ({
    async speak(request) {
      const round = readRound(request);
      const turn = { sitting: round === 1 ? blindOf : sitting, seat: agent.id, tour: round };
      const key = `${round} ${agent.id}`;
      const at = given.get(key) ?? 0;
      given.set(key, at + 1);
      const known = selectPlayable(record.lines, turn);
      // If the last attempt failed when recorded, it is not retried.
      const next = known[at] ?? (known.at(-1)?.ok === false ? known.at(-1) : undefined);
      if (next) return toResult(next);
      if (!launch) {
        onMissing(agent.id);
        return createNotLaunchedResult('cancelled', 'not recorded');
      }
      const result = await launch(agent).speak(request);
      if (!request.signal.aborted) record.add(toLine({ ...turn, sitting }, request, result, prices));
      return result;
    },
  });
}

function readRound({ turn }: SpeakRequest): number {
  if (turn?.work.kind !== 'council') throw new Error('An eval asks in councils only.');
  return turn.work.tour;
}

/** Leaves out failed attempts that were retried, and those to be retried now. */
function selectPlayable(lines: readonly LaunchLine[], turn: LaunchTurn): LaunchLine[] {
  const known = lines.filter((line) => isSameTurn(line, turn) && !ENDING.includes(line.failure));
  return known.filter(({ ok }, at) => ok || at === known.length - 1);
}

/** Returns failures as not retryable: the retries were made when they were recorded. */
function toResult({ ok, said, encoding, reason, usage }: LaunchLine): SpeakResult {
  const output = Buffer.from(said, encoding);
  if (!ok) return { ...createNotLaunchedResult('refusal', reason ?? 'it failed'), output, usage };
  return {
    ...createNotLaunchedResult('failed', ''),
    ok,
    output,
    failure: null,
    reason: null,
    exitCode: 0,
    usage,
  };
}

function toLine(
  turn: LaunchTurn,
  { agent, input, system }: SpeakRequest,
  { ok, output, failure, reason, usage }: SpeakResult,
  prices: OwnPrices,
): LaunchLine {
  const said = output.toString('utf8');
  const isText = Buffer.from(said).equals(output);
  const sizes = { input: Buffer.byteLength(input) + Buffer.byteLength(system), output: output.length };
  const estimate = estimateSpending(agent, prices, usage, sizes);
  const price = findPrice(agent, prices);
  return {
    ...turn,
    ok,
    failure,
    reason,
    ...(isText ? { said } : { said: output.toString('base64'), encoding: 'base64' }),
    usage,
    costUsd: usage?.costUsd ?? (price ? computeCost(price, estimate) : null),
    countedUsd: estimate.costUsd,
  };
}
