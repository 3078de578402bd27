// Plays one question through all arms, which share its blind answers.
import { loadEvalWords } from './words.ts';
import type { PhaseName, Rule } from '../core/council/state/allowed-values.ts';
import type { Mode } from '../core/council/state/mode.ts';
import type { Council } from '../core/council/state/state.ts';
import { decide } from '../core/council/vote/decision.ts';
import { computeDecision } from '../core/council/vote/outcome.ts';
import { blindVotes, collectVotes } from '../core/council/vote/votes.ts';
import type { Vote } from '../core/council/vote/votes.ts';
import type { SittingResult, ArmSpending } from './arms.ts';
import { playSitting } from './play-sitting.ts';
import type { EvalTable, Sitting } from './play-sitting.ts';
import type { Question } from './questions.ts';
import type { LaunchLine } from './record.ts';

/** Returns undefined in a replay if an answer is not recorded. Throws like `playSitting`. */
export async function playQuestion(
  table: EvalTable,
  question: Question,
  { name, repeat }: { name: string; repeat: number },
): Promise<SittingResult | undefined> {
  const { seats, mode } = table;
  const sitting = { name: `${name}-debate`, question, seats, mode };
  const debate = await playSitting(table, sitting);
  if (!debate) return undefined;
  const blind = blindVotes(debate);
  const later = listLaterPhases(table, debate);
  const revised = await playRevise(table, { ...sitting, name }, { debate, later });
  const more = revised && (await playMore(table, { ...sitting, name }, [...later.values()].flat().length));
  if (!more) return undefined;
  const quorum = mode.quorum;
  return {
    question,
    repeat,
    solo: blind.map(({ position }) => position),
    arms: {
      vote: countVotes(blind, 'plurality', quorum),
      voteMajority: countVotes(blind, 'majority', quorum),
      revise: countVotes(revised, 'plurality', quorum),
      more: countVotes([...blind, ...more], 'plurality', quorum),
      debate: decideByRule(debate, 'plurality'),
      debateMajority: decideByRule(debate, 'majority'),
      blindFirst: decideByRule(debate, 'blind-first'),
    },
    spent: splitSpent(table.record.lines, name),
  };
}

const countVotes = (votes: readonly Vote[], rule: Rule, quorum: number): string | null =>
  decide({ votes, rule, quorum, order: votes.map(({ by }) => by), vetoes: [], options: null }).position;

const decideByRule = (council: Council, rule: Rule): string | null =>
  computeDecision({ ...council, state: { ...council.state, rules: { ...council.state.rules, rule } } })
    .position;

/** Returns the phases after COLLECT in which each seat was asked. */
function listLaterPhases({ record }: EvalTable, { state }: Council): Map<string, PhaseName[]> {
  const asked = record.lines.filter(({ sitting }) => sitting === state.name);
  return new Map(
    state.order.map((id) => [
      id,
      state.transitions.flatMap(({ from, tour }) =>
        tour > 1 && asked.some((line) => line.seat === id && line.tour === tour) ? [from] : [],
      ),
    ]),
  );
}

/** Asks each seat to reconsider its own blind answer alone, as often as it was asked in the debate. */
async function playRevise(
  table: EvalTable,
  { name, question, mode }: Sitting,
  { debate, later }: { debate: Council; later: ReadonlyMap<string, PhaseName[]> },
): Promise<Vote[] | undefined> {
  const votes: Vote[] = [];
  for (const [at, vote] of blindVotes(debate).entries()) {
    const phases = later.get(vote.by) ?? [];
    const council =
      phases.length > 0 &&
      (await playSitting(table, {
        name: `${name}-revise-${at + 1}`,
        question,
        seats: table.seats.filter(({ id }) => id === vote.by),
        mode: toReviseMode(mode, phases),
        blindOf: debate.state.name,
      }));
    if (council === undefined) return undefined;
    votes.push(...(council ? collectVotes(council, { upTo: council.state.tour }) : [vote]));
  }
  return votes;
}

/** Returns the mode without early convergence, with prompts that mention no other participant. */
function toReviseMode(mode: Mode, phases: readonly PhaseName[]): Mode {
  const prompts = { ...mode.prompts };
  for (const lang of ['en', 'fr'] as const) {
    const { reconsider } = loadEvalWords(lang).eval;
    prompts[lang] = { ...prompts[lang], CHALLENGE: reconsider, RESOLVE: reconsider };
  }
  return { ...mode, phases: ['COLLECT', ...phases, 'SYNTHESIZE'], earlyConvergence: false, prompts };
}

/** Collects `count` more blind answers, seat by seat in turn; each counts as a separate vote. */
async function playMore(
  table: EvalTable,
  { name, question, mode }: Sitting,
  count: number,
): Promise<Vote[] | undefined> {
  const votes: Vote[] = [];
  for (let round = 1; votes.length < count; round++) {
    const seats = table.seats.slice(0, count - votes.length);
    const sitting = { name: `${name}-more-${round}`, question, seats, mode, reach: 'answers' } as const;
    const council = await playSitting(table, sitting);
    if (!council) return undefined;
    votes.push(...blindVotes(council).map((vote) => ({ ...vote, by: `${vote.by}#${round}` })));
  }
  return votes;
}

function splitSpent(lines: readonly LaunchLine[], name: string): SittingResult['spent'] {
  const debate = lines.filter(({ sitting }) => sitting === `${name}-debate`);
  const filterByArm = (arm: string): LaunchLine[] =>
    lines.filter(({ sitting }) => sitting.startsWith(`${name}-${arm}-`));
  return {
    blind: sumSpent(debate.filter(({ tour }) => tour === 1)),
    debate: sumSpent(debate.filter(({ tour }) => tour > 1)),
    revise: sumSpent(filterByArm('revise')),
    more: sumSpent(filterByArm('more')),
  };
}

const sumSpent = (lines: readonly LaunchLine[]): ArmSpending => ({
  turns: new Set(lines.map(({ sitting, seat, tour }) => `${sitting} ${seat} ${tour}`)).size,
  launches: lines.length,
  costUsd: lines.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
    0,
  ),
});
