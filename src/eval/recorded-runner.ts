// Gives a seat's recorded answers, and launches its program only for those that are not recorded.
import type { Agent } from '../core/agents/agent.ts';
import { computeCost, findPrice } from '../core/agents/prices.ts';
import type { OwnPrices } from '../core/agents/prices.ts';
import type { FailureKind, Runner, SpeakRequest, SpeakResult } from '../core/agents/runners/turn-types.ts';
import { estimateSpending, notLaunched } from '../core/heartbeat/launch/result.ts';
import { isSameTurn } from './record.ts';
import type { EvalRecord, LaunchLine, Turn } from './record.ts';

/** What says something about a login, a quota or a person, and nothing about the question: it ends the eval, and is asked again. */
export const ENDING: readonly (FailureKind | null)[] = ['config', 'rate-limit', 'cancelled'];

export interface RecordedRunnerOptions {
  record: EvalRecord;
  prices: OwnPrices;
  /** The council that is played; `blindOf`: the one whose blind answers it begins with. */
  sitting: string;
  blindOf?: string | undefined;
  /** Not set where nobody may be launched. */
  launch: ((agent: Agent) => Runner) | undefined;
  /** Called in a replay with each seat whose answer is not recorded. */
  onMissing(seat: string): void;
}

/** The runners of one playing of one council. */
export function createRecordedRunner(options: RecordedRunnerOptions): (agent: Agent) => Runner {
  const { record, sitting, blindOf = sitting, launch } = options;
  const given = new Map<string, number>();
  return (agent) => ({
    async speak(request) {
      const tour = readTour(request);
      const turn = { sitting: tour === 1 ? blindOf : sitting, seat: agent.id, tour };
      const key = `${tour} ${agent.id}`;
      const at = given.get(key) ?? 0;
      given.set(key, at + 1);
      const known = selectPlayable(record.lines, turn);
      if (at < known.length) return toResult(known[at]!);
      // Its last attempt has failed before: it is not made again.
      if (known.at(-1)?.ok === false) return toResult(known.at(-1)!);
      if (!launch) {
        options.onMissing(agent.id);
        return notLaunched('cancelled', 'not recorded');
      }
      const result = await launch(agent).speak(request);
      if (!request.signal.aborted) record.add(toLine({ ...turn, sitting }, request, result, options.prices));
      return result;
    },
  });
}

function readTour({ turn }: SpeakRequest): number {
  if (turn?.work.kind !== 'council') throw new Error('An eval asks in councils only.');
  return turn.work.tour;
}

/** Without attempts that were made again, nor those that are to be made again. */
function selectPlayable(lines: readonly LaunchLine[], turn: Turn): LaunchLine[] {
  const known = lines.filter((line) => isSameTurn(line, turn) && !ENDING.includes(line.failure));
  return known.filter(({ ok }, at) => ok || at === known.length - 1);
}

/** A failure comes back as one that no further attempt would mend: the attempts were made when it was recorded. */
function toResult({ ok, said, encoding, reason, usage }: LaunchLine): SpeakResult {
  const output = Buffer.from(said, encoding);
  if (!ok) return { ...notLaunched('refusal', reason ?? 'it failed'), output, usage };
  return { ...notLaunched('failed', ''), ok, output, failure: null, reason: null, exitCode: 0, usage };
}

function toLine(
  turn: Turn,
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
