// Cuts a contribution to RESOLVE into passages that answer challenges, and says what each of them answers.
import { answerIn, answerWords, isSettled, wordCount } from './answer-words.ts';
import type { AnswerStatus } from './answer-words.ts';
import { challengesAlone, headsAt } from './answer-heads.ts';
import { blocksOf, linesIn } from './blocks.ts';
import type { Block } from './blocks.ts';
import { bare } from './form-values.ts';
import type { Stretch } from './stretch.ts';

/** What is said of some challenges, and where. */
export interface AnswerPassage extends Stretch {
  challenges: string[];
  status: AnswerStatus;
  /** Its head names the verdict: another passage that names none does not change it. */
  isNamed: boolean;
  /** False for a verdict alone. */
  hasReason: boolean;
}

interface Draft extends Stretch {
  challenges: string[];
  status: AnswerStatus | undefined;
  /** Where the words behind the head begin. */
  body: number;
  /** The beginnings of its blocks: a verdict may stand there. */
  starts: number[];
}

/** How far a passage goes on: with code and quotes only, with the block below, with paragraphs up to the next head, or to the next heading. */
type Reach = 'block' | 'below' | 'paragraphs' | 'section';

/**
 * The passages of a text in their order. One begins at a line that starts with the id of a challenge, at a heading or a row of a
 * table with one, or at a quote of a challenge; `quoted` knows these.
 */
export function answerPassages(text: string, quoted: (quote: string) => string | undefined): AnswerPassage[] {
  const drafts: Draft[] = [];
  let reach: Reach | undefined;
  /** What a heading such as "Rejected" says of the ids below it. */
  let section: AnswerStatus | undefined;
  for (const block of blocksOf(text)) {
    const last = reach === undefined ? undefined : drafts.at(-1);
    const { found, next } = begun(text, block, quoted);
    if (block.kind === 'break') section = found.length > 0 ? undefined : sectionOf(text, block);
    const goesOn =
      last && found.every(({ challenges }) => challenges.every((id) => last.challenges.includes(id)));
    const isAttached = block.kind === 'quote' || block.kind === 'attached';
    if (found.length > 0 && !(block.kind === 'quote' && goesOn)) {
      drafts.push(...found.map((one) => ({ ...one, status: one.status ?? section })));
      reach = next;
    } else if (block.kind === 'break') reach = undefined;
    else if (last && (isAttached || reach !== 'block')) {
      last.end = block.end;
      if (!isAttached) last.starts.push(block.start);
      if (!isAttached && reach === 'below') reach = 'block';
    } else reach = undefined;
  }
  return drafts.flatMap((draft) => asAnswer(text, draft));
}

/** The passages that begin in a block, and how far the last of them goes on. */
function begun(
  text: string,
  block: Block,
  quoted: (quote: string) => string | undefined,
): { found: Draft[]; next: Reach } {
  if (block.kind === 'attached') return { found: rowsOf(text, block), next: 'block' };
  if (block.kind === 'quote') {
    const challenge = quoted(text.slice(block.start, block.end));
    const found = { challenges: [challenge ?? ''], status: undefined, body: block.end, starts: [] };
    return { found: challenge ? [{ ...found, start: block.start, end: block.end }] : [], next: 'below' };
  }
  const found = headsOf(text, block);
  const last = found.at(-1);
  if (block.kind === 'break') return { found, next: 'section' };
  const isAlone = last !== undefined && /^[\s*_`:：.—–-]*$/.test(text.slice(last.body, last.end));
  return { found, next: isAlone ? 'paragraphs' : 'block' };
}

/** The heads in the lines of a block; code in a list item belongs to it and is nobody's answer. */
function headsOf(text: string, block: Block): Draft[] {
  let isCode = false;
  const heads = linesIn(text, block).flatMap((line) => {
    const words = text.slice(line.start, line.end);
    if (/^[ \t]*(?:[-*+][ \t]+)?(?:```|~~~)/.test(words)) isCode = !isCode;
    if (isCode || /^[ \t]*>/.test(words)) return [];
    return headsAt(words.replace(/^[ \t]*[-*+][ \t]+(?=\S)/, (marker) => ' '.repeat(marker.length))).map(
      (head) => ({
        ...head,
        start: line.start + head.start,
      }),
    );
  });
  return heads.map(({ challenges, status, length, start }, index) => {
    const words = text.slice(start, heads[index + 1]?.start ?? block.end).trimEnd();
    const body = Math.min(start + length, start + words.length);
    return { challenges, status, start, end: start + words.length, body, starts: [body] };
  });
}

/** The heading of the column that says what becomes of a challenge. */
const ANSWERED =
  /^[\s*_]*(?:my )?(?:answer|status|verdict|response|decision|outcome|réponse|statut|décision)[\s*_]*$/i;

/** The rows of a table with ids in their first cell, and what their column of answers says. */
function rowsOf(text: string, block: Block): Draft[] {
  const [head, ...rows] = linesIn(text, block).map((line) => ({
    ...line,
    cells: text.slice(line.start, line.end).split('|').slice(1),
  }));
  const column = head?.cells.findIndex((cell) => ANSWERED.test(cell)) ?? -1;
  if (column === -1) return [];
  return rows.flatMap(({ start, end, cells }): Draft[] => {
    const challenges = challengesAlone(cells[0] ?? '');
    const words = bare((cells[column] ?? '').trim()).replace(/^\p{Extended_Pictographic}\uFE0F?\s*/u, '');
    const answer = answerWords(words.replace(/^[*_]+/, ''));
    const said = words.replace(/^[*_]+/, '');
    if (challenges.length === 0 || !answer || !isSettled(said.slice(answer.length), answer.status)) return [];
    const body = start + text.slice(start, end).indexOf(said) + answer.length;
    return [{ challenges, status: answer.status, start, end, body, starts: [] }];
  });
}

/** What a heading says of all that stands under it: "Rejected", "Conceded challenges". */
function sectionOf(text: string, { start, end }: Block): AnswerStatus | undefined {
  const words = text.slice(start, end).replace(/^[#\s*_]*(?:\p{Extended_Pictographic}\uFE0F?\s*)?/u, '');
  const answer = answerWords(words);
  const isAll = answer && /^(?: (?:challenges|objections|défis))?[\s*_:]*$/i.test(words.slice(answer.length));
  return isAll ? answer.status : undefined;
}

const FILLER =
  /^[\s*_`>:–—-]*(?:(?:my )?(?:status|verdict|answer|response|statut|réponse)[*_]*[ \u00A0]?[:：][\s*_]*)?(?:\p{Extended_Pictographic}\uFE0F?\s*)?[*_]*/iu;

/** A verdict at the beginning of words that leave it as it is. */
function verdictAt(
  text: string,
  at: number,
  end: number,
): { status: AnswerStatus; words: number } | undefined {
  const from = at + FILLER.exec(text.slice(at, Math.min(end, at + 200)))![0].length;
  const words = text.slice(from, Math.min(end, from + 200));
  const answer = answerWords(words);
  if (!answer || !isSettled(words.slice(answer.length), answer.status)) return undefined;
  return { status: answer.status, words: wordCount(words.slice(0, answer.length)) };
}

/** "I do not accept this" has five words, and no reason. */
const LONGEST_VERDICT = 5;
const SHORTEST_REASON = 3;

function asAnswer(text: string, { challenges, start, end, body, ...draft }: Draft): AnswerPassage[] {
  const words = text.slice(body, end);
  const said = wordCount(words);
  if (draft.status !== undefined) {
    const hasReason = said >= SHORTEST_REASON;
    return [{ challenges, status: draft.status, start, end, isNamed: true, hasReason }];
  }
  const given = draft.starts.flatMap((at) => verdictAt(text, at, end) ?? []);
  const first = given[0] ?? { status: answerIn(words), words: LONGEST_VERDICT };
  if (first.status === undefined || given.some(({ status }) => status !== first.status)) return [];
  const isNamed = given.length > 0 || first.status !== 'answered';
  const hasReason = said >= first.words + SHORTEST_REASON;
  return [{ challenges, status: first.status, start, end, isNamed, hasReason }];
}
