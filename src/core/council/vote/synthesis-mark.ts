// Records facts about the synthesis: its author, the model, and whether it contradicts the decision.
import { makeOnFirstUse } from '../../base/memoize.ts';
import { readForm } from '../ledger/text/form.ts';
import { asItems, stripValueMarkup } from '../ledger/text/form-value-words.ts';
import { findFieldName, mentionsAnotherForm } from '../ledger/text/form-names.ts';
import { voicesOpposition } from '../ledger/text/support-or-objection.ts';
import { findBallotNumber } from '../state/ballot.ts';
import { joinEquivalentPositions } from './joined-positions.ts';
import { collectVoteMarks } from './outcome.ts';
import { collectVotes } from './votes.ts';
import type { BallotLine, Council, CouncilState } from '../state/state.ts';

/** Facts about a written synthesis. */
export interface SynthesisMark {
  by: string;
  /** The participant whose runner the coordinator borrowed, if any. */
  lender: string | null;
  model: string | null;
  /** It names a different decision than the one counted. */
  contradicts: boolean;
  /** It mentions neither the decision nor any position; not set in older archives. */
  silent?: true | undefined;
}

/** Returns facts about a council's synthesis; null if none was written. */
export function readSynthesisMark({
  state,
  contributions,
}: Pick<Council, 'state' | 'contributions'>): SynthesisMark | null {
  const said = contributions.findLast(({ phase }) => phase === 'SYNTHESIZE');
  if (!said) return null;
  const launch = state.usage?.findLast(
    (one) => one.participant === said.by && one.tour === said.tour && one.ok,
  );
  return {
    by: said.by,
    lender: launch?.lender ?? null,
    model: launch?.model ?? null,
    contradicts: contradictsDecision(said.text, { state, contributions }),
    ...(isSilent(said.text, state) && { silent: true as const }),
  };
}

/** Returns what the coordinator must restate: the decision's number or `none`; null without a ballot. */
export function getDecisionToRestate({
  decision,
  ballot = [],
}: Pick<CouncilState, 'decision' | 'ballot'>): string | null {
  if (!decision || decision.rule === 'none' || ballot.length === 0) return null;
  if (!decision.decided) return 'none';
  return (
    decision.number ??
    (decision.position === null ? null : (findBallotNumber(ballot, decision.position) ?? null))
  );
}

type MarkedCouncil = Pick<Council, 'state' | 'contributions'>;

function contradictsDecision(text: string, { state, contributions }: MarkedCouncil): boolean {
  const recorded = getDecisionToRestate(state);
  if (recorded === null) return false;
  const ballot = state.ballot ?? [];
  const declared = readDeclaredDecisions(text);
  const read =
    declared.length > 0
      ? declared.map((words) => readDecision(words, ballot) ?? findAnnouncedPosition(words, ballot))
      : [findDecisionInProse(text, ballot) ?? findOnlyNamed(text, ballot, recorded)];
  const named = new Set(read.filter((one) => one !== undefined));
  // Conflicting statements count as none.
  const [one] = named;
  if (named.size !== 1 || one === undefined || one === recorded) return false;
  // Numbers joined into one position are the same decision.
  const votes = collectVotes({ state, contributions }, { ...collectVoteMarks(state), upTo: state.tour - 1 });
  const { classes } = joinEquivalentPositions(votes, ballot);
  return !classes.some((numbers) => numbers.includes(recorded) && numbers.includes(one));
}

/**
 * Whether a synthesis says nothing about the decision: it contains no decision, no ballot number, and no word
 * that distinguishes a position from the others. Examples are a refusal or a provider's error message.
 */
export function isSilent(text: string, state: CouncilState): boolean {
  const recorded = getDecisionToRestate(state);
  if (recorded === null || recorded === 'none') return false;
  if (readDeclaredDecisions(text).length > 0) return false;
  const ballot = (state.ballot ?? []).map(({ position }) => segmentWords(position));
  const isShared = (word: string): boolean =>
    ballot.length > 1 && ballot.every((words) => words.includes(word));
  const telling = new Set(ballot.flat().filter((word) => !isShared(word) && !isShort(word)));
  return !segmentWords(readForm(text).own).some((word) => telling.has(word) || /^p\d{1,4}$/.test(word));
}

/** "to", "a", "der": too common to be evidence. */
const isShort = (word: string): boolean => /^\p{sc=Latin}{1,3}$/u.test(word);

const SEGMENTS = makeOnFirstUse(() => new Intl.Segmenter(undefined, { granularity: 'word' }));
const segmentWords = (text: string): string[] =>
  [...SEGMENTS().segment(text.normalize('NFKC').toLowerCase())].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );

/** Returns the decisions declared in fields and headings; otherwise the form's position and vote. */
function readDeclaredDecisions(text: string): string[] {
  const { fields, found } = readForm(text);
  const choices = fields.filter(({ name, isAside }) => (name === 'position' || name === 'vote') && !isAside);
  const decisions = found.filter(({ name }) => name === 'decision');
  return (decisions.length > 0 ? decisions : choices)
    .flatMap(({ value }) => value)
    .filter((words) => words.trim() !== '');
}

/** Returns the only position a text names, if it contains no word specific to the decided one: "P1 wins." */
function findOnlyNamed(text: string, ballot: readonly BallotLine[], recorded: string): string | undefined {
  const { own } = readForm(text);
  const named = findNamedPositions(own, ballot);
  const decided = ballot.find(({ id }) => id === recorded);
  const others = new Set(ballot.flatMap((line) => (line === decided ? [] : segmentWords(line.position))));
  const words = segmentWords(decided?.position ?? '').filter((word) => !others.has(word));
  const long = words.filter((word) => !isShort(word));
  const telling = long.length > 0 ? long : words;
  const isNamed = segmentWords(own).some((word) => telling.includes(word));
  const isRejected = own
    .split(SENTENCE_END)
    .some((sentence) => mentionsAnotherForm(sentence) || voicesOpposition(sentence));
  const isUncertain = isRejected || segmentWords(own).some(isDeciding);
  return decided && named.length === 1 && !isNamed && !isUncertain ? named[0] : undefined;
}

const SENTENCE_END = /(?<=[.!?。！？])["”»*_]*\s+|\n+/u;

/** Returns the position named in a sentence about deciding; undefined if the text names none, or several. */
function findDecisionInProse(text: string, ballot: readonly BallotLine[]): string | undefined {
  const sentences = readForm(text).own.split(SENTENCE_END);
  const named = new Set(sentences.flatMap((sentence) => findNamedPositions(sentence, ballot)));
  const [one] = named;
  const isSaid = sentences.some(
    (sentence) =>
      findNamedPositions(sentence, ballot).length > 0 &&
      !mentionsAnotherForm(sentence) &&
      !voicesOpposition(sentence) &&
      isDecided(segmentWords(sentence)),
  );
  return named.size === 1 && isSaid ? one : undefined;
}

/** "decided on P1", "P1 is the decision". A verb in between, as in "decided to drop P1", may mean the opposite. */
function isDecided(words: readonly string[]): boolean {
  const at = words.findIndex(isDeciding);
  const number = words.findIndex((word) => /^p\d{1,4}$/.test(word));
  const between = words.slice(at + 1, number);
  const isNear = number < at ? at - number <= 3 : between.length < 2 && between.join('').length <= 4;
  return at !== -1 && (number === -1 || isNear);
}

const isDeciding = (word: string): boolean => findFieldName(word) === 'decision';

function findNamedPositions(sentence: string, ballot: readonly BallotLine[]): string[] {
  const words = ` ${segmentWords(sentence).join(' ')} `;
  return ballot.flatMap(({ id, position }) =>
    words.includes(` ${id.toLowerCase()} `) || words.includes(` ${segmentWords(position).join(' ')} `)
      ? [id]
      : [],
  );
}

/** Returns the only position named in the words under a decision: "The council decided to buy." */
function findAnnouncedPosition(words: string, ballot: readonly BallotLine[]): string | undefined {
  const [first = ''] = words.split(SENTENCE_END);
  const [one, ...others] = findNamedPositions(first, ballot);
  return others.length === 0 && !mentionsAnotherForm(first) && !voicesOpposition(first) ? one : undefined;
}

const UNDECIDED =
  /^(?:no decision|not decided|undecided|pas de décision|aucune décision|rien n[’']est décidé)(?!\p{L})/iu;

/** Returns a ballot number or `none`; undefined if ambiguous. */
function readDecision(said: string, ballot: readonly BallotLine[]): string | undefined {
  const [first = ''] = said.split(SENTENCE_END);
  const words = stripValueMarkup(first.replace(/^[\s*_`"“«]+|[\s*_`"”»]+$/g, ''));
  if (asItems(words).length === 0 || UNDECIDED.test(words)) return 'none';
  const bySentence = findBallotNumber(ballot, words) ?? findBallotNumber(ballot, said);
  if (bySentence !== undefined) return bySentence;
  const numbers = new Set(
    [...said.matchAll(/(?<![\p{L}\p{N}])P ?(\d{1,4})(?![\p{L}\p{N}])/giu)].map(([, n]) => `P${Number(n)}`),
  );
  const [number] = numbers;
  const isAlone = /^P ?\d{1,4}(?:$|\s*[:.,;(–—-])|\(P ?\d{1,4}\)[.!]?$/iu.test(words) && numbers.size === 1;
  return isAlone && ballot.some(({ id }) => id === number) && !mentionsAnotherForm(words)
    ? number
    : undefined;
}
