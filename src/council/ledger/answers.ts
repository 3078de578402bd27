// Reads answers to challenges from contributions to RESOLVE.
import { sayer } from './quotable.ts';
import { readQuote } from './quotes.ts';
import { answerInSentences, answerWords, isSettled } from './text/answer-words.ts';
import { bare } from './text/form-values.ts';
import type { AnswerStatus } from './text/answer-words.ts';
import { blocksOf, linesIn } from './text/blocks.ts';
import type { Block } from './text/blocks.ts';
import type { Stretch } from './text/stretch.ts';
import { answerAt, challengeAlone } from './text/mentions.ts';
import { withoutReasoning } from './text/reasoning.ts';
import type { Contribution, Challenge } from '../state/state.ts';

/** An answer to a challenge, where it stands in its contribution. */
interface Answer extends Stretch {
  challenge: string;
  status: AnswerStatus;
}

/**
 * The challenges with what a tour of RESOLVE says to them: `c1 answered: …`, `c1 conceded: …`, `c1 rejected: …` and the
 * like at the start of a paragraph, a list item or a line of them; a heading or a row of a table with the id; or a quote of
 * the challenge and a sentence such as "I accept this". Only whom a challenge is put to may answer it; the last
 * answer counts. What is still open then is `unanswered`.
 */
export function readAnswers(
  { tour, contributions }: { tour: number; contributions: readonly Contribution[] },
  challenges: readonly Challenge[],
): Challenge[] {
  const answers = contributions
    .filter((c) => c.tour === tour)
    .flatMap(({ by, text }) => {
      const theirs = challenges.filter(({ against, tour: raised }) => against === by && raised < tour);
      const quoted = challengeQuoted(theirs, contributions);
      return answersIn(withoutReasoning(text), quoted).map((answer) => ({ by, ...answer }));
    });
  // Whoever answers twice means the last one: a map keeps that.
  const lastOf = new Map(answers.map((answer) => [`${answer.challenge} ${answer.by}`, answer]));
  return challenges.map((challenge): Challenge => {
    const { id, against, answer: known } = challenge;
    if (challenge.tour >= tour || (known && known.tour > tour)) return challenge;
    const last = lastOf.get(`${id} ${against}`);
    if (last)
      return { ...challenge, status: last.status, answer: { tour, start: last.start, end: last.end } };
    return challenge.status === 'open' ? { ...challenge, status: 'unanswered' } : challenge;
  });
}

/** Which challenge a block quote has words of; undefined for none, or where several have them. */
function challengeQuoted(
  challenges: readonly Challenge[],
  contributions: readonly Contribution[],
): (quote: string) => string | undefined {
  const sayers = challenges.map(({ id, by, tour, start, end }) => {
    const text = contributions.find((c) => c.by === by && c.tour === tour)?.text ?? '';
    return { id, says: sayer(text.slice(start, end)) };
  });
  return (quote) => {
    const found = sayers.filter(({ says }) => says(readQuote(quote)));
    return found.length === 1 ? found[0]!.id : undefined;
  };
}

function answersIn(text: string, quoted: (quote: string) => string | undefined): Answer[] {
  const answers: Answer[] = [];
  // A head alone goes on in the paragraphs below it; else only code and quotes belong to an answer.
  let isOpen = false;
  let isHeadAlone = false;
  /** What the block above has named: the paragraph below says what becomes of it. */
  let named: { challenge: string; isQuote: boolean; start: number } | undefined;
  for (const block of blocksOf(text)) {
    const last = answers.at(-1);
    const above = named;
    named = undefined;
    if (block.kind === 'break') {
      isOpen = false;
      const challenge = challengeAlone(text.slice(block.start, block.end));
      if (challenge) named = { challenge, isQuote: false, start: block.start };
    } else if (block.kind === 'prose' || block.kind === 'item') {
      const below = above && answerBelow(text, block, above);
      const found = below ? [below] : answersOfBlock(text, block);
      if (found.length === 0 && isOpen && isHeadAlone && last) last.end = block.end;
      else isOpen = found.length > 0;
      const head = found.at(-1);
      if (head) isHeadAlone = head.isHeadAlone;
      answers.push(...found.map(({ isHeadAlone: _, ...answer }) => answer));
    } else {
      const rows = block.kind === 'attached' ? answersOfTable(text, block) : [];
      answers.push(...rows);
      if (isOpen && last && rows.length === 0) last.end = block.end;
      else if (block.kind === 'quote') {
        const challenge = quoted(text.slice(block.start, block.end));
        if (challenge) named = { challenge, isQuote: true, start: block.start };
      }
    }
  }
  return answers;
}

/** The answer in a paragraph below a heading with an id, or below a quote of the challenge. */
function answerBelow(
  text: string,
  { start, end }: Stretch,
  above: { challenge: string; isQuote: boolean; start: number },
): (Answer & { isHeadAlone: boolean }) | undefined {
  const words = text.slice(start, end).replace(/^[\s*_`]+/, '');
  const head = answerWords(words);
  const isMarked = head && isSettled(words.slice(head.length));
  const status = isMarked ? head.status : above.isQuote ? answerInSentences(words) : undefined;
  if (!status) return undefined;
  const isHeadAlone = isMarked === true && /^[*_`:.\s]*$/.test(words.slice(head.length));
  return { challenge: above.challenge, status, start: above.start, end, isHeadAlone };
}

/** The heading of the column that says what becomes of a challenge. */
const ANSWERED = /^[\s*_]*(?:my )?(?:answer|status|verdict|response|réponse|statut)[\s*_]*$/i;

/** The rows of a table whose first cell is an id, and what their column of answers says. */
function answersOfTable(text: string, block: Block): Answer[] {
  const [head, ...rows] = linesIn(text, block).map((line) => ({
    ...line,
    cells: text.slice(line.start, line.end).split('|').slice(1),
  }));
  const column = head?.cells.findIndex((cell) => ANSWERED.test(cell)) ?? -1;
  if (column === -1) return [];
  return rows.flatMap(({ start, end, cells }): Answer[] => {
    const challenge = challengeAlone(cells[0] ?? '');
    const words = bare((cells[column] ?? '').trim());
    const answer = challenge === undefined ? undefined : answerWords(words);
    const isAll = answer !== undefined && /^[.]?$/.test(words.slice(answer.length));
    return challenge && isAll ? [{ challenge, status: answer.status, start, end }] : [];
  });
}

function answersOfBlock(text: string, block: Stretch): (Answer & { isHeadAlone: boolean })[] {
  let isCode = false;
  const heads = linesIn(text, block).flatMap((line) => {
    const words = text.slice(line.start, line.end);
    // Code in a list item belongs to its block.
    if (/^[ \t]*(?:[-*+][ \t]+)?(?:```|~~~)/.test(words)) isCode = !isCode;
    const head = isCode ? undefined : answerAt(words);
    return head ? [{ ...head, start: line.start }] : [];
  });
  return heads.map(({ challenge, status, length, start }, index) => {
    const words = text.slice(start, heads[index + 1]?.start ?? block.end).trimEnd();
    return {
      challenge,
      status,
      start,
      end: start + words.length,
      isHeadAlone: words.slice(length).trim() === '',
    };
  });
}
