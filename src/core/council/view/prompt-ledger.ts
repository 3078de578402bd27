// Parts of prompts made from the ledger: challenges to answer, and facts for the synthesis.
import type { SeenChallenge } from './excerpt.ts';
import type { SynthesisFacts, HeldPosition } from './synthesis-facts.ts';
import type { Fence } from './fence.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { QuoteStatus } from '../state/allowed-values.ts';
import type { Language, Words } from '../../base/words/words.ts';

/** Renders the challenges to one participant in RESOLVE. The author is named outside the fences. */
export function renderChallengesToAnswer(
  challenges: SeenChallenge[],
  lang: Language,
  fenced: Fence,
): string[] {
  const { view } = loadWords(lang);
  if (challenges.length === 0) return [view.noChallenges];
  return challenges.flatMap((one) => {
    const { id, by, claim, text, quote } = one;
    return [
      `### ${claim ? fill(view.challenge, { id, by, claim: claim.id }) : fill(view.challengeAtLarge, { id, by })}`,
      ...(claim ? [fenced(claim.text)] : []),
      view.challengeText,
      fenced(text),
      ...renderQuoteRemark(quote, view),
    ];
  });
}

/** Renders the recorded facts that the synthesis must mention. */
export function renderMandatoryFacts(facts: SynthesisFacts, lang: Language, fenced: Fence): string[] {
  const w = loadWords(lang);
  const { view } = w;
  const { positions, minority, unanswered, blocking, absences } = facts;
  const replaceEmpty = (paragraphs: string[]) => (paragraphs.length > 0 ? paragraphs : [w.common.none]);
  const renderHeldPosition = ({ id, position, votes, by }: HeldPosition) => [
    id === null
      ? fill(view.factsPosition, { votes, by: by.join(', ') })
      : fill(view.factsPositionNumber, { votes, by: by.join(', '), id }),
    fenced(position),
  ];
  return [
    view.factsNote,
    ...renderDecisionLines(facts, w, fenced),
    fill(view.factsHeard, {
      present: facts.decision.quorum.present,
      denominator: facts.decision.denominator,
      needed: facts.decision.quorum.needed,
    }),
    ...positions.flatMap(renderHeldPosition),
    `### ${view.factsMinority}`,
    ...replaceEmpty(minority.flatMap(renderHeldPosition)),
    `### ${view.factsUnanswered}`,
    ...replaceEmpty(unanswered.flatMap((one) => renderUnansweredLines(one, w, fenced))),
    `### ${view.factsBlocking}`,
    ...replaceEmpty(blocking.flatMap(({ by, issue }) => [fill(view.factsIssue, { by }), fenced(issue)])),
    `### ${view.factsAbsent}`,
    absences
      .map(({ by, phase, tour }) => `- ${fill(view.contribution, { label: by, phase, tour })}`)
      .join('\n') || w.common.none,
  ];
}

function renderDecisionLines({ decision }: SynthesisFacts, { view, reason }: Words, fenced: Fence): string[] {
  const { decided, id, position, rule } = decision;
  if (!decided) return [fill(view.factsUndecided, { rule, reason: reason[decision.reason] })];
  return position === null
    ? [fill(view.factsDecidedOpen, { rule })]
    : [
        id === null ? fill(view.factsDecided, { rule }) : fill(view.factsDecidedNumber, { rule, id }),
        fenced(position),
      ];
}

function renderUnansweredLines(
  { id, by, against, claim, text, quote }: SeenChallenge,
  { view, common }: Words,
  fenced: Fence,
): string[] {
  const to = against ?? common.nobody;
  return [
    claim
      ? fill(view.factsChallengeOfClaim, { id, by, to, claim: claim.id })
      : fill(view.factsChallenge, { id, by, to }),
    fenced(text),
    ...renderQuoteRemark(quote, view),
  ];
}

/** Returns a remark on a quote that is not verified. */
function renderQuoteRemark(
  quote: QuoteStatus,
  { quoteNotFound, quoteNear, quoteElsewhere }: Words['view'],
): string[] {
  if (quote === 'not_found') return [quoteNotFound];
  if (quote === 'near') return [quoteNear];
  return quote === 'elsewhere' ? [quoteElsewhere] : [];
}
