// The human-readable part of the state file: decision rules and the decision.
import { formatOutcomeSentence } from '../vote/explain.ts';
import { collectVoteMarks } from '../vote/outcome.ts';
import { toSafeLine, renderSeatName } from './markers.ts';
import type { Council, CouncilState } from '../state/state.ts';
import { blindVotes, asVotes, tally } from '../vote/votes.ts';
import { fill } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';

/** Returns the decision rules for the metadata; rules that are off are left out. */
export function buildRuleRows(state: CouncilState, w: Words): [label: string, value: string][] {
  const { rule, options, vetoes, recused, weighted, repeat, tie } = state.rules;
  const { advocate } = state;
  const rows: [string, string | false | null][] = [
    [w.state.rule, `${w.ruleName[rule]} (${w.rule[rule]})`],
    [w.state.tie, tie !== undefined && w.state[tie]],
    [w.state.options, options && options.map(toSafeLine).join(', ')],
    [w.state.weighted, weighted && w.common.yes],
    [w.state.vetoes, vetoes.length > 0 && vetoes.map((id) => renderSeatName(state, id)).join(', ')],
    [
      w.state.recused,
      recused.length > 0 &&
        recused
          .map(({ participant, why }) =>
            fill(w.state.reasoned, { participant: renderSeatName(state, participant), why: toSafeLine(why) }),
          )
          .join(', '),
    ],
    [w.state.repeat, repeat > 1 && fill(w.state.times, { count: repeat })],
    [
      w.state.advocate,
      advocate &&
        fill(w.state.advocateDrawn, {
          ...advocate,
          participant: renderSeatName(state, advocate.participant),
        }),
    ],
  ];
  return rows.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []));
}

/** Returns why the council continued, the decision, and the blind vote that the debate started from. */
export function renderDecisionLines({ state, contributions }: Council, w: Words): string[] {
  const { decision, held, rules, blind } = state;
  const votes = (counted: Record<string, number>) =>
    Object.entries(counted)
      .map(([position, count]) => `${toSafeLine(position)} ${count}`)
      .join(', ') || w.common.none;
  const row = (label: string, value: string): string => `- ${fill(w.common.labelled, { label, value })}`;
  const lines = held === null ? [] : [row(w.state.held, toSafeLine(held))];
  if (!decision) return lines;
  const { denominator } = decision;
  const outcome = formatOutcomeSentence(decision, w, {
    name: (id) => renderSeatName(state, id),
    text: toSafeLine,
  });
  const stated = blindVotes({ state, contributions }, collectVoteMarks(state)).flatMap(
    ({ by, position, kind }) =>
      position === null || kind === 'recused' ? [] : [{ by, position, weight: 1 }],
  );
  return [
    ...lines,
    row(w.state.decision, outcome),
    row(fill(w.state.votes, { denominator }), votes(decision.votes)),
    // After an open start the first vote was not blind.
    ...(blind ? [row(w.state.blindVote, votes(asVotes(tally(stated, rules.options))))] : []),
  ];
}
