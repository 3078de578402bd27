// What is recorded about the synthesis: who wrote it, through whose model, and whether it names another decision.
import { formOf } from '../ledger/text/form.ts';
import { asItems, bare } from '../ledger/text/form-values.ts';
import { withoutReasoning } from '../ledger/text/reasoning.ts';
import { numberOf } from '../state/ballot.ts';
import { joined } from './joins.ts';
import { marksOf } from './outcome.ts';
import { votesOf } from './votes.ts';
import type { BallotLine, Council, CouncilState } from '../state/state.ts';

/** The facts about a synthesis that somebody wrote. */
export interface SynthesisMark {
  by: string;
  /** Whose runner it was, where the coordinator borrowed one. */
  lender: string | null;
  model: string | null;
  /** It names another decision than the one that was counted. Only what its form says is looked at, never its prose. */
  contradicts: boolean;
}

/** The facts about the synthesis of a council; null where nobody has written one. */
export function synthesisMark({
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
    contradicts: contradicts(said.text, { state, contributions }),
  };
}

/** What a coordinator is to restate: the number of what was decided, or `none`; null where there is nothing to restate by number. */
export function decisionToRestate({
  decision,
  ballot = [],
}: Pick<CouncilState, 'decision' | 'ballot'>): string | null {
  if (!decision || decision.rule === 'none' || ballot.length === 0) return null;
  if (!decision.decided) return 'none';
  return (
    decision.number ?? (decision.position === null ? null : (numberOf(ballot, decision.position) ?? null))
  );
}

type Heard = Pick<Council, 'state' | 'contributions'>;

function contradicts(text: string, { state, contributions }: Heard): boolean {
  const recorded = decisionToRestate(state);
  if (recorded === null) return false;
  const named = new Set(declaredDecisions(text).map((words) => meant(words, state.ballot ?? [])));
  // Two that differ are none, and so is one that cannot be read.
  const [one] = named;
  if (named.size !== 1 || one === undefined || one === recorded) return false;
  // Numbers that count as one position name one decision.
  const votes = votesOf({ state, contributions }, { ...marksOf(state), upTo: state.tour - 1 });
  const { classes } = joined(votes, state.ballot ?? []);
  return !classes.some((numbers) => numbers.includes(recorded) && numbers.includes(one));
}

/** How far from the start a line is looked for where there is no form, in characters. */
const HEAD = 600;
const DECLARED =
  /^[\s#*_`"'{-]*(?:decision|décision|decided|décidé)["'*_`]*[ \u00A0\u202F]*[:：]["'*_`]*[ \t]*(\S.*)$/gimu;

/** What the lines `decision: …` of the form say. */
function declaredDecisions(text: string): string[] {
  const head = withoutReasoning(text.slice(0, formOf(text).places[0]?.end ?? HEAD)).replace(
    /^[ \t]*>.*$/gm,
    '',
  );
  return [...head.matchAll(DECLARED)].map(([, words = '']) => bare(words.replace(/^["']+|["',}\s]+$/g, '')));
}

const UNDECIDED =
  /^(?:no decision|not decided|undecided|pas de décision|aucune décision|rien n[’']est décidé)\b/iu;

/** A number of the ballot, `none`, or undefined where it could be anything else. */
function meant(words: string, ballot: readonly BallotLine[]): string | undefined {
  if (asItems(words).length === 0 || UNDECIDED.test(words)) return 'none';
  const bySentence = numberOf(ballot, words);
  if (bySentence !== undefined) return bySentence;
  const numbers = new Set(
    [...words.matchAll(/(?<![\p{L}\p{N}])P ?(\d{1,4})(?![\p{L}\p{N}])/giu)].map(([, n]) => `P${Number(n)}`),
  );
  const [number] = numbers;
  const isAlone = /^P ?\d{1,4}(?:$|\s*[:.,;(–—-])/iu.test(words) && numbers.size === 1;
  return isAlone && ballot.some(({ id }) => id === number) && !/\b(?:not|no|pas|rejected|rejet)/iu.test(words)
    ? number
    : undefined;
}
