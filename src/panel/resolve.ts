// Offline panel: a reviewer's contribution to RESOLVE.
import type { Assessment } from './assess.ts';
import { OBJECTIONS } from './challenge.ts';
import type { Document } from './document.ts';
import { formatExchange, parseQuotations } from './exchange.ts';
import type { Exchange, Quotation } from './exchange.ts';
import { headOf, parseFindings, parseHead, sameFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import {
  canLiveWith,
  confidenceOf,
  majority,
  positionOf,
  statedPosition,
  weightOf,
  withStance,
} from './position.ts';
import type { Reviewer } from './reviewer.ts';
import { PHASES } from './view.ts';
import type { View } from './view.ts';
import { count, origin } from './wording.ts';

/** Shorter quotes could mean any finding. */
const TELLING = 12;
/** Answers to one contribution; a participant that repeats itself is answered once. */
const ANSWERED = 50;

/** A reviewer's contribution to RESOLVE: an answer to every challenge of its findings. */
export function resolve(reviewer: Reviewer, document: Document, assessment: Assessment, view: View): string {
  const stated = view.own
    .filter(({ phase }) => phase === 'COLLECT')
    .flatMap(({ text }) => parseFindings(text));
  const mine: readonly Finding[] = stated.length > 0 ? stated : assessment.listed;
  const answers = answersTo(mine, document, view);
  const withdrawn = mine.filter((one) =>
    answers.some(({ kind, finding }) => kind === 'Withdrawn' && sameFinding(finding, one)),
  );
  const contested = mine.filter(
    (one) => !withdrawn.includes(one) && answers.some(({ finding }) => sameFinding(finding, one)),
  );
  const kept = assessment.all.filter((one) => !withdrawn.some((gone) => sameFinding(gone, one)));
  const abstains = assessment.abstains !== undefined;
  const blocked = assessment.blocking.length > 0;
  const position = abstains ? (blocked ? 'major-changes' : 'abstain') : positionOf(kept, document.words);

  const summary =
    mine.length === 0
      ? 'I have no findings, so there is nothing to answer.'
      : answers.length === 0
        ? `none of my listed findings (${mine.length}) was challenged; they stand.`
        : `${count(withdrawn.length + contested.length, 'finding')} of mine were challenged: I withdraw ${withdrawn.length} and uphold ${contested.length}.`;
  const parts = [
    `**${reviewer.title}**: ${summary}`,
    `Position: ${position}.${withdrawn.length > 0 ? ` What is left weighs ${weightOf(kept, document.words)} per 1,000 words.` : ''}`,
    ...answers.map((answer) => formatExchange(answer)),
    origin(reviewer),
  ];
  const wanted = majority([...lastPositions(view), position]);
  const agreed = contested.length === 0 && !blocked && canLiveWith(position, wanted);
  return withStance(
    {
      position,
      confidence: confidenceOf(document.words, kept.length, withdrawn.length),
      agreed,
      blocking: assessment.blocking,
    },
    parts.join('\n\n'),
  );
}

function answersTo(mine: readonly Finding[], document: Document, view: View): Exchange[] {
  const quotations = view.contributions
    .filter(({ phase }) => phase === 'CHALLENGE')
    .flatMap(({ text }) => parseQuotations(text));
  const answers: Exchange[] = [];
  for (const quotation of quotations) {
    const finding = mine.find((one) => means(quotation.quoted, one));
    const answered =
      finding &&
      answers.some(
        (answer) =>
          sameFinding(answer.finding, finding) &&
          (answer.kind === 'Withdrawn' || answer.reason === (quotation.reason ?? 'free-words')),
      );
    if (finding && !answered && answers.length < ANSWERED) answers.push(answer(finding, quotation, document));
  }
  // Once withdrawn, it is withdrawn: answers that upheld it before the argument that counted are not worth reading.
  return answers.filter(
    ({ kind, finding }) =>
      kind === 'Withdrawn' ||
      !answers.some((other) => other.kind === 'Withdrawn' && sameFinding(other.finding, finding)),
  );
}

function means(quoted: string, one: Finding): boolean {
  const head = parseHead(quoted);
  if (head) return sameFinding(head, one);
  return quoted.length >= TELLING && (headOf(one).includes(quoted) || one.quote === quoted);
}

function answer(finding: Finding, { reason, words }: Quotation, document: Document): Exchange {
  const objection = OBJECTIONS.find((one) => one.reason === reason && one.against.includes(finding.rule));
  if (!objection) {
    return {
      kind: 'Upheld',
      reason: 'free-words',
      finding,
      words:
        'I am a fixed rule and cannot weigh an argument in free words; I leave the finding to the reader.',
    };
  }
  const { withdrawn, why } = objection.answer(finding, document, words);
  return { kind: withdrawn ? 'Withdrawn' : 'Upheld', reason: objection.reason, finding, words: why };
}

/** The last position each of the others stated; a view may list contributions in any order. */
function lastPositions(view: View): string[] {
  const last = new Map<string, string>();
  for (const phase of PHASES) {
    for (const said of view.contributions) {
      const position = said.phase === phase ? statedPosition(said.text) : undefined;
      if (position) last.set(said.label, position);
    }
  }
  return [...last.values()];
}
