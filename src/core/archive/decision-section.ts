// Archive section on the decision: outcome, votes and the effect of the debate.
import { renderList, toSafeLine, renderTable } from '../council/document/markers.ts';
import { formatOutcomeSentence } from '../council/vote/explain.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { renderParticipantName } from './archive.ts';
import type { Archive, Proceedings, ArchiveMeta } from './archive.ts';
import { hasVotes, isSameOutcome, decideWithoutDebate } from './positions.ts';
import type { Decision } from '../council/state/state.ts';
import { cutForm, isShown } from './contribution-notes.ts';
import { embedMarkdown } from './embed-markdown.ts';

/** Renders the decision in one sentence, then how it was made: rule, votes, special rules. Blocks of Markdown. */
export function renderDecisionSection(facts: Proceedings, w: Words): string[] {
  const { meta } = facts;
  const { decision, result } = meta;
  if (result !== undefined) return [`**${toSafeLine(result)}**`];
  const outcome = describeOutcome(meta, w, {
    name: (id) => renderParticipantName(meta, id),
    text: toSafeLine,
  });
  const compared = decision ? compareVotes(decision, meta, w) : [];
  const how = decision
    ? renderRuleLines(facts, decision, w, compared.length > 0)
    : describeTableRules(facts, w);
  return [`**${outcome}**`, ...compared, ...(how.length > 0 ? [renderList(how)] : [])];
}

/** Compares the blind votes with the last ones; empty if COLLECT was open, and for older archives. */
function compareVotes({ blind, votes }: Decision, meta: Archive['meta'], w: Words): string[] {
  const positions = [...new Set([votes, blind?.votes ?? {}].flatMap(Object.keys))];
  if (!blind || positions.length === 0) return [];
  const count = (counted: Decision['votes'], position: string): string => String(counted[position] ?? 0);
  const rows = positions.map((position) => [
    prefixNumber(position, meta),
    count(blind.votes, position),
    count(votes, position),
  ]);
  return [renderTable([w.state.position, w.archive.blindVote, w.archive.finalVote], rows)];
}

/** Describes the outcome in one sentence, or why the council was cancelled. */
export function describeOutcome(
  meta: Archive['meta'],
  w: Words,
  { name, text }: { name: (id: string) => string; text: (words: string) => string },
): string {
  const { decision, why, result } = meta;
  if (result !== undefined) return text(result);
  if (decision) return formatOutcomeSentence(decision, w, { name, text });
  return why === null ? w.archive.noDecision : fill(w.archive.cancelledWhy, { why: text(why) });
}

/** Renders the outcome as a list, without individual votes; empty for a council without a decision. */
export function renderOutcomeLines(facts: Proceedings, w: Words): string {
  const { decision } = facts.meta;
  if (!decision) return '';
  return renderList([renderOutcomeSentence(facts.meta, decision, w), ...renderRuleLines(facts, decision, w)]);
}

/** Describes how the outcome came about: votes, rule, quorum, and special rules. */
function renderRuleLines(facts: Proceedings, decision: Decision, w: Words, isCompared = false): string[] {
  const { rule, votes, denominator, quorum, blockedBy } = decision;
  const byRule = fill(w.archive.byRule, { rule: w.ruleName[rule], meaning: w.rule[rule] });
  // Without votes there is nothing to count.
  if (!hasVotes(facts)) return [byRule, ...describeTableRules(facts, w)];
  return [
    ...(isCompared
      ? []
      : [
          fill(rule === 'ranked' ? w.archive.firstPlaces : w.archive.votes, {
            votes: formatVotes(votes, facts.meta, w),
            denominator,
          }),
        ]),
    byRule,
    fill(quorum.met ? w.archive.quorumMet : w.archive.quorumMissed, { ...quorum, met: '', denominator }),
    ...(blockedBy.length > 0
      ? [fill(w.archive.blockedBy, { participants: joinParticipantNames(blockedBy, facts.meta) })]
      : []),
    ...describeTableRules(facts, w),
  ];
}

/** Lists the declared options with their final votes, even if none; empty if positions were free labels. */
export function renderOptionsList({ meta }: Proceedings, w: Words): string[] {
  const options = meta.rules.options;
  if (!options) return [];
  const votes = meta.decision?.votes ?? {};
  const counted = options.map((option) =>
    fill(w.archive.voteCount, { position: `${toSafeLine(option)}:`, count: votes[option] ?? 0 }),
  );
  return [renderList(counted)];
}

/** Returns the sentence about the outcome, as Markdown. */
export const renderOutcomeSentence = (meta: Archive['meta'], decision: Decision, w: Words): string =>
  formatOutcomeSentence(decision, w, { name: (id) => renderParticipantName(meta, id), text: toSafeLine });

/** Describes special rules of this council: options, vetoes, recusals, weights, the advocate. */
function describeTableRules({ meta }: Proceedings, w: Words): string[] {
  const { rules, advocate, held } = meta;
  const { options, vetoes, recused, weighted } = rules;
  return [
    ...(options ? [fill(w.archive.options, { options: options.map(toSafeLine).join(', ') })] : []),
    ...(vetoes.length > 0
      ? [fill(w.archive.vetoes, { participants: joinParticipantNames(vetoes, meta) })]
      : []),
    ...recused.map(({ participant, why }) =>
      fill(w.archive.recused, {
        participant: renderParticipantName(meta, participant),
        why: toSafeLine(why),
      }),
    ),
    ...(weighted ? [w.archive.weighted] : []),
    ...(advocate
      ? [
          fill(w.archive.askedAdvocate, {
            ...advocate,
            participant: renderParticipantName(meta, advocate.participant),
          }),
        ]
      : []),
    ...(held === null ? [] : [fill(w.archive.held, { why: toSafeLine(held) })]),
  ];
}

/** Describes what would have been decided without the debate, and who changed. */
export function renderChangesList(facts: Proceedings, decision: Decision, w: Words): string {
  const { meta } = facts;
  const before = decideWithoutDebate(facts);
  // Only a decision without rules has nothing to compare with.
  if (!before) return w.archive.noMeasures;
  const vote = meta.blind ? w.archive.blindVote : w.archive.firstVote;
  const { flips, minority } = meta.metrics;
  const joinPositions = (held: string[]): string => held.map(toSafeLine).join(', ');
  return renderList([
    fill(w.archive.baseline, {
      vote,
      votes: formatVotes(before.votes, meta, w),
      outcome: renderOutcomeSentence(meta, before, w),
    }),
    isSameOutcome(before, decision) ? w.archive.outcomeKept : w.archive.outcomeChanged,
    ...(flips.explained !== null && flips.unexplained !== null
      ? [fill(w.archive.flips, { explained: flips.explained, unexplained: flips.unexplained })]
      : []),
    ...(minority.kept?.length
      ? [fill(w.archive.minorityKept, { positions: joinPositions(minority.kept) })]
      : []),
    ...(minority.lost?.length
      ? [fill(w.archive.minorityLost, { positions: joinPositions(minority.lost) })]
      : []),
  ]);
}

/** Formats votes as "P1 build 2, P2 buy 1", widest support first. */
function formatVotes(votes: Decision['votes'], meta: Archive['meta'], w: Words): string {
  const counted = Object.entries(votes).sort(([, a], [, b]) => b - a);
  const words = counted.map(([position, count]) =>
    fill(w.archive.voteCount, { position: prefixNumber(position, meta), count }),
  );
  return words.join(', ') || w.common.none;
}

function prefixNumber(position: string, { ballot }: Archive['meta']): string {
  const line = ballot?.find((one) => one.position === position);
  return line ? `${line.id} ${toSafeLine(position)}` : toSafeLine(position);
}

const joinParticipantNames = (ids: readonly string[], meta: Archive['meta']): string =>
  ids.map((id) => renderParticipantName(meta, id)).join(', ');

type Answer = NonNullable<NonNullable<ArchiveMeta['control']>['answers']>[number];

/** Blocks of Markdown; empty for a council without a control. */
export function renderControlSection(meta: ArchiveMeta, w: Words): string[] {
  const { control, metrics } = meta;
  if (!control) return [];
  const { answers = [], launched } = control;
  const findAnswer = (id: string): Answer | undefined =>
    answers.find(({ participant }) => participant === id);
  return [
    `## ${w.control.title}`,
    w.control.intro,
    ...(metrics.control ? [fill(w.control.figures, { ...metrics.control })] : []),
    ...(launched.length === 0 ? [w.control.none] : []),
    ...launched.flatMap(({ participant }) => [
      `### ${renderParticipantName(meta, participant)}`,
      ...renderAnswer(findAnswer(participant), w),
    ]),
  ];
}

function renderAnswer(answer: Answer | undefined, w: Words): string[] {
  if (!answer) return [w.control.cut];
  const { text, position, moved, failed = '' } = answer;
  if (text === null) return [fill(w.control.failed, { why: toSafeLine(failed) })];
  const { form, body } = cutForm(text);
  const sentence = moved === null ? w.control.unread : moved ? w.control.moved : w.control.kept;
  return [
    fill(sentence, { position: toSafeLine(position ?? '') }),
    embedMarkdown(isShown(form) ? body : text, 3),
  ];
}
