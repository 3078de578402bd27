// Phrases the outcome of a council; status, archive, terminal and MCP use the same sentence.
import { fill } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import type { Decision } from '../state/state.ts';

/** Formats participants and positions for an output; by default ids and plain text. */
export interface NameFormats {
  name?: (id: string) => string;
  text?: (position: string) => string;
}

type DecisionFacts = Omit<Decision, 'why'>;

/** Returns the outcome with its rule: `Decided (majority): "build" has 3 of 4 votes.` */
export function formatOutcomeSentence(decision: DecisionFacts, w: Words, show: NameFormats = {}): string {
  const why = explainOutcome(decision, w, show);
  const { decided, rule } = decision;
  if (rule === 'none') return why;
  const outcome = fill(decided ? w.outcome.decided : w.outcome.undecided, { rule: w.ruleName[rule], why });
  return [outcome, formatOriginSentence(decision, w, show)].filter(Boolean).join(' ');
}

/** Returns how a decision came about: `All four said so before seeing any other answer.` Empty if not recorded. */
export function formatOriginSentence(
  decision: DecisionFacts,
  w: Words,
  { text = String }: NameFormats = {},
): string {
  const { how, blind, denominator } = decision;
  if (!how) return '';
  if (!blind) return w.origin.open;
  const quote = (words: string) => fill(w.outcome.position, { position: text(words) });
  const position = quote(blind.position ?? '');
  const count = blind.votes[blind.position ?? ''] ?? 0;
  switch (how) {
    case 'blind-unanimous':
      if (denominator < 3) return denominator === 1 ? w.origin.alone : w.origin.both;
      return fill(w.origin.all, { count: spellCount(denominator, w) });
    case 'blind-kept':
      return fill(w.origin.kept, { count, denominator });
    case 'blind-stood':
      return describeStand(decision, w, { quote, position, count });
    case 'overturned':
      return fill(w.origin.overturned, { position });
    case 'debate':
      return w.origin.debate;
    case 'undecided':
      // If no vote has moved, there is nothing to compare.
      if (isSameCount(blind.votes, decision.votes)) return '';
      return blind.position === null ? w.origin.undecided : fill(w.origin.undecidedSince, { position });
  }
}

const isSameCount = (before: Decision['votes'], after: Decision['votes']): boolean =>
  Object.keys(before).length === Object.keys(after).length &&
  Object.entries(before).every(([position, weight]) => after[position] === weight);

/** Says that a blind plurality prevails over the last votes, and why. */
function describeStand(
  { denominator, votes, unexplained = [] }: DecisionFacts,
  w: Words,
  blind: { quote: (words: string) => string; position: string; count: number },
): string {
  const { majority, plurality, oneMoved, moved, oneUnclear, unclear } = w.origin;
  const { movedForReason, stood, stoodAgainstAll } = w.origin;
  const { quote, position, count } = blind;
  const left = unexplained.length;
  const [held = ''] = Object.keys(votes);
  const isAllStated = Object.values(votes).reduce((sum, weight) => sum + weight, 0) >= denominator;
  const one = isAllStated ? oneMoved : oneUnclear;
  const several = isAllStated ? moved : unclear;
  return fill(votes[held] === denominator ? stoodAgainstAll : stood, {
    lead: count * 2 > denominator ? majority : plurality,
    moved: left === 0 ? movedForReason : fill(left === 1 ? one : several, { count: spellCount(left, w) }),
    ...{ position, count, denominator, held: quote(held) },
  });
}

/** Spells out a count if the language has a word for it. */
const spellCount = (count: number, w: Words): string =>
  w.origin.counts.split(' ')[count - 1] ?? String(count);

/** Explains the outcome in one sentence, plus what the budget cut short. */
export function explainOutcome(decision: DecisionFacts, w: Words, show: NameFormats = {}): string {
  const why = explainReason(decision, w, show);
  return decision.cut ? `${why} ${w.cut[decision.cut]}` : why;
}

function explainReason(
  decision: DecisionFacts,
  w: Words,
  { name = String, text = String }: NameFormats,
): string {
  const { reason, rule, denominator, quorum, blockedBy, agreed, unheard } = decision;
  const names = (ids: readonly string[]) => ids.map(name).join(', ');
  const say = (template: string, more: Record<string, string | number> = {}) =>
    fill(template, {
      denominator,
      present: quorum.present,
      needed: quorum.needed,
      rule: w.ruleName[rule],
      ...more,
    });
  const label = (position: string, id?: string | null) => {
    const quoted = fill(w.outcome.position, { position: text(position) });
    return id ? `${id} ${quoted}` : quoted;
  };
  const describeLeader = () => describeLeadingPosition(decision, w, { say, label, name });
  switch (reason) {
    case 'accepted':
      return decision.ranking
        ? describeRankedOutcome(decision, w, { say, label, name })
        : describeAcceptedOutcome(decision, w, { say, label, name });
    case 'blocked':
      return say(w.outcome.blocked, { names: names(blockedBy) });
    case 'unheard':
      return unheard ? say(w.outcome.unheard, { names: names(unheard) }) : say(w.outcome.somebodyUnheard);
    case 'not_agreed':
      return agreed === undefined ? say(w.outcome.notAll) : say(w.outcome.not_agreed, { agreed });
    case 'tie':
      if (decision.ranking) return describeRankedOutcome(decision, w, { say, label, name });
      return say(
        rule === 'approval' ? w.outcome.approvalTie : w.outcome.tie,
        describeTie(decision, w, { say, label, name }),
      );
    case 'too_few':
      return say(w.outcome.too_few, { votes: describeLeader(), enough: w.enough[rule] });
    case 'open':
      if (decision.ranking) return say(w.outcome.rankedOpen);
      return say(w.outcome.open, { votes: describeLeader(), away: denominator - quorum.present });
    case 'no_rule':
    case 'nobody':
    case 'no_quorum':
    case 'differ':
      return say(w.outcome[reason]);
    case 'no_position':
      return say(decision.ranking ? w.outcome.rankedNothing : w.outcome.no_position);
  }
}

/** Describes the first place of a ranking, or a tie for it. */
function describeRankedOutcome(decision: DecisionFacts, w: Words, tools: Tools): string {
  const { position, number, ranking, tied = [] } = decision;
  const scores = ranking?.scores ?? [];
  const score = Math.max(...scores.map(({ mean }) => mean ?? 0)).toFixed(2);
  if (position === null)
    return tools.say(w.outcome.rankedTie, { score, positions: joinPositions(tied, w, tools) });
  const sentence =
    scores.length === 1
      ? w.outcome.rankedAlone
      : ranking?.method === 'condorcet'
        ? w.outcome.rankedFirst
        : w.outcome.rankedMean;
  return tools.say(sentence, { position: tools.label(position, number), score });
}

interface Tools {
  say: (template: string, more?: Record<string, string | number>) => string;
  label: (position: string, id?: string | null) => string;
  name: (id: string) => string;
}

function describeAcceptedOutcome(decision: DecisionFacts, w: Words, tools: Tools): string {
  const { rule, position, number, settledBy } = decision;
  const { say, label } = tools;
  if (rule === 'consensus')
    return position === null
      ? say(w.outcome.agreedOpen)
      : say(w.outcome.agreedOn, { position: label(position, number) });
  if (position === null) return say(w.outcome.nobodyBlocks);
  if (settledBy) {
    const approvals = decision.approvals?.[position] ?? 0;
    return say(w.outcome.settled, {
      ...describeTie(decision, w, tools),
      position: label(position, number),
      approvals,
    });
  }
  const votes = describeLeadingPosition(decision, w, tools);
  return rule === 'no-blocking' ? say(w.outcome.nobodyBlocksWith, { votes }) : `${votes}.`;
}

/** Describes the position with the widest support and its votes, or its approvals under `approval`. */
function describeLeadingPosition(decision: DecisionFacts, w: Words, { say, label }: Tools): string {
  const { rule, votes, approvals, position, number } = decision;
  const counted = (rule === 'approval' ? approvals : undefined) ?? votes;
  const [leader = '', weight = 0] = Object.entries(counted).sort(([, a], [, b]) => b - a)[0] ?? [];
  const shown = position ?? leader;
  // A blind plurality may prevail even if no vote supports it any more.
  const count = position === null ? weight : (counted[position] ?? 0);
  const ofAll = decision.denominator === 1 && count === 1 ? w.outcome.onlyVote : w.outcome.votes;
  const ofVotes = decision.how === 'blind-stood' ? w.outcome.lastVotes : ofAll;
  return say(rule === 'approval' ? w.outcome.approvals : ofVotes, {
    position: label(shown, number),
    count,
  });
}

function describeTie(decision: DecisionFacts, w: Words, tools: Tools): { positions: string; count: number } {
  const { votes, approvals, tied, rule } = decision;
  const counted = (rule === 'approval' ? approvals : undefined) ?? votes;
  const most = Math.max(...Object.values(counted));
  const leading = Object.keys(counted).filter((position) => counted[position] === most);
  const positions = joinPositions(tied ?? leading.map((position) => ({ position, by: [] })), w, tools);
  return { positions, count: most };
}

/** "P1 "build" (ada) and P2 "buy" (ben)". */
function joinPositions(
  tied: readonly { id?: string | undefined; position: string; by: readonly string[] }[],
  w: Words,
  { label, name }: Tools,
): string {
  const positions = tied.map(
    ({ id, position, by }) => label(position, id) + (by.length > 0 ? ` (${by.map(name).join(', ')})` : ''),
  );
  const last = positions.pop() ?? '';
  return positions.length === 0 ? last : `${positions.join(', ')} ${w.common.and} ${last}`;
}
