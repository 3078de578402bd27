// Offline panel: a reviewer's contribution to RESOLVE.
import { argue } from './argue.ts';
import type { Assessment } from './assess.ts';
import { OBJECTIONS } from './challenge.ts';
import type { Document } from './document.ts';
import { formatExchange, parseQuotations } from './exchange.ts';
import type { Exchange, Quotation } from './exchange.ts';
import { headOf, parseFindings, parseHead, sameFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Reviewer } from './reviewer.ts';
import { says } from './says.ts';
import type { View } from './view.ts';
import { opening, origin } from './wording.ts';

/** Shorter quotes could mean any finding. */
const TELLING = 12;
/** Answers to one contribution; a participant that repeats itself is answered once. */
const ANSWERED = 50;

/** A reviewer's contribution to RESOLVE: an answer to every challenge of its findings. */
export function resolve(reviewer: Reviewer, document: Document, assessment: Assessment, view: View): string {
  const words = says(document.language);
  const stated = view.own
    .filter(({ phase }) => phase === 'COLLECT')
    .flatMap(({ text }) => parseFindings(text));
  const mine: readonly Finding[] = stated.length > 0 ? stated : assessment.listed;
  const answers = answersTo(mine, document, view);
  const withdrawn = mine.filter((one) =>
    answers.some(({ kind, finding }) => kind === 'Withdrawn' && sameFinding(finding, one)),
  );
  const kept = mine.filter(
    (one) => !withdrawn.includes(one) && answers.some(({ finding }) => sameFinding(finding, one)),
  );
  const summary =
    mine.length === 0
      ? words.nothingToAnswer
      : answers.length === 0
        ? words.unchallenged(mine.length)
        : words.answered(withdrawn.length, kept.length);
  const parts = [
    `${opening(reviewer.id)} ${assessment.abstains ?? summary}`,
    ...answers.map((answer) => formatExchange(answer)),
    origin(document.language),
  ];
  return `${parts.join('\n\n')}\n`;
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
      words: argue(document).freeWords,
    };
  }
  const { withdrawn, why } = objection.answer(finding, document, words);
  return { kind: withdrawn ? 'Withdrawn' : 'Upheld', reason: objection.reason, finding, words: why };
}
