// Offline panel: writes a reviewer's or the rapporteur's contribution to a phase.
import { CouncilError } from '../core/base/errors.ts';
import { assessDocument } from './reviewer.ts';
import type { Assessment, Reviewer, ReviewerId } from './reviewer.ts';
import { answerObjection, challenge, OBJECTIONS } from './challenge.ts';
import { readDocument } from './document.ts';
import type { Document } from './document.ts';
import {
  formatFinding,
  renderFindingHead,
  parseFindings,
  parseHead,
  isSameFinding,
  formatExchange,
  parseQuotations,
} from './finding.ts';
import type { Finding, Exchange, Quotation } from './finding.ts';
import { synthesize } from './synthesis.ts';
import { getSentences } from './says.ts';
import { renderSpeakerOpening, renderOrigin, getArguments } from './argue.ts';
import type { View } from './view.ts';

/**
 * Returns the contribution to the phase of a view. Pure: the same view gives the same text. Throws `usage` for
 * a phase in which this program does not speak.
 */
export async function speak(id: ReviewerId | 'rapporteur', view: View): Promise<string> {
  if (id === 'rapporteur') {
    if (view.phase === 'SYNTHESIZE') return synthesize(view);
    throw new CouncilError('usage', `The rapporteur speaks in SYNTHESIZE only, and this is ${view.phase}.`, {
      hint: 'Seat it with --coordinator rapporteur, not among the --agents.',
    });
  }
  if (view.phase === 'SYNTHESIZE') {
    throw new CouncilError('usage', `The reviewer ${id} writes no synthesis.`, {
      hint: 'Use --coordinator rapporteur.',
    });
  }
  const reviewer = await loadReviewer(id);
  try {
    return writeReview(reviewer, view);
  } catch (error) {
    // Recursive parsers fail like this on Markdown nested thousands of levels deep.
    if (!(error instanceof RangeError && error.message.includes('call stack'))) throw error;
    return `${renderSpeakerOpening(id)} ${getSentences('en').tooDeep}\n\n${renderOrigin('en')}\n`;
  }
}

function writeReview(reviewer: Reviewer, view: View): string {
  const document = readDocument(view.brief);
  const assessment = assessDocument(reviewer, document);
  if (view.phase === 'CHALLENGE') return challenge(reviewer, document, assessment, view);
  if (view.phase === 'RESOLVE') return resolve(reviewer, document, assessment, view);
  return collect(reviewer, document, assessment);
}

/** Writes a reviewer's contribution to COLLECT: its findings. */
function collect(reviewer: Reviewer, document: Document, { all, listed, abstains }: Assessment): string {
  const words = document.say;
  const first = all.filter(({ severity }) => severity === 'first').length;
  const parts = [
    `${renderSpeakerOpening(reviewer.id)} ${abstains ?? words.found(all.length, first)}`,
    ...listed.map(formatFinding),
    all.length > listed.length ? words.more(all.length - listed.length) : '',
    document.unread > 0 && !document.binary && abstains === undefined ? words.unread(document.unread) : '',
    renderOrigin(document.language),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Loads a reviewer's analysers on demand. */
export async function loadReviewer(id: ReviewerId): Promise<Reviewer> {
  switch (id) {
    case 'consistency':
      return (await import('./consistency.ts')).consistency;
    case 'completeness':
      return (await import('./completeness.ts')).completeness;
    case 'structure':
      return (await import('./structure.ts')).structure;
    case 'precision':
      return (await import('./completeness.ts')).precision;
  }
}

/** Shorter quotes would be ambiguous. */
const TELLING = 12;
/** Maximum number of answers in one contribution; a repeated challenge is answered once. */
const ANSWERED = 50;

/** Writes a reviewer's contribution to RESOLVE: an answer to every challenge of its findings. */
function resolve(reviewer: Reviewer, document: Document, assessment: Assessment, view: View): string {
  const words = document.say;
  const stated = view.own
    .filter(({ phase }) => phase === 'COLLECT')
    .flatMap(({ text }) => parseFindings(text));
  const mine: readonly Finding[] = stated.length > 0 ? stated : assessment.listed;
  const answers = answerChallenges(mine, document, view);
  const withdrawn = mine.filter((one) =>
    answers.some(({ kind, finding }) => kind === 'Withdrawn' && isSameFinding(finding, one)),
  );
  const kept = mine.filter(
    (one) => !withdrawn.includes(one) && answers.some(({ finding }) => isSameFinding(finding, one)),
  );
  const summary =
    mine.length === 0
      ? words.nothingToAnswer
      : answers.length === 0
        ? words.unchallenged(mine.length)
        : words.answered(withdrawn.length, kept.length);
  const parts = [
    `${renderSpeakerOpening(reviewer.id)} ${assessment.abstains ?? summary}`,
    ...answers.map((answer) => formatExchange(answer)),
    renderOrigin(document.language),
  ];
  return `${parts.join('\n\n')}\n`;
}

function answerChallenges(mine: readonly Finding[], document: Document, view: View): Exchange[] {
  const quotations = view.contributions
    .filter(({ phase }) => phase === 'CHALLENGE')
    .flatMap(({ text }) => parseQuotations(text));
  const answers: Exchange[] = [];
  for (const quotation of quotations) {
    const finding = mine.find((one) => isAboutFinding(quotation.quoted, one));
    const answered =
      finding &&
      answers.some(
        (answer) =>
          isSameFinding(answer.finding, finding) &&
          (answer.kind === 'Withdrawn' || answer.reason === (quotation.reason ?? 'free-words')),
      );
    if (finding && !answered && answers.length < ANSWERED) answers.push(answer(finding, quotation, document));
  }
  // Once a finding is withdrawn, earlier answers that upheld it are dropped.
  return answers.filter(
    ({ kind, finding }) =>
      kind === 'Withdrawn' ||
      !answers.some((other) => other.kind === 'Withdrawn' && isSameFinding(other.finding, finding)),
  );
}

function isAboutFinding(quoted: string, one: Finding): boolean {
  const head = parseHead(quoted);
  if (head) return isSameFinding(head, one);
  return quoted.length >= TELLING && (renderFindingHead(one).includes(quoted) || one.quote === quoted);
}

function answer(finding: Finding, { reason }: Quotation, document: Document): Exchange {
  const objection = OBJECTIONS.find((one) => one.reason === reason && one.against.includes(finding.rule));
  if (!objection)
    return { kind: 'Upheld', reason: 'free-words', finding, words: getArguments(document).freeWords };
  const { isConceded, words } = answerObjection(objection, finding, document);
  return { kind: isConceded ? 'Withdrawn' : 'Upheld', reason: objection.reason, finding, words };
}
