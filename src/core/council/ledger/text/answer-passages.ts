// Cuts a contribution to RESOLVE into passages that answer challenges, and says what each of them answers.
import { COLUMN, NOUN } from './answer-shapes.ts';
import { readAnswer, readClauses, readSentences, readAnswerWord, countWords } from './answer-words.ts';
import type { AnswerStatus } from './answer-words.ts';
import { challengesAlone, findHeads } from './answer-heads.ts';
import { cutBlocks, splitLines } from './blocks.ts';
import type { Block } from './blocks.ts';
import { readForm } from './form.ts';
import { speaksOfAnother } from './form-names.ts';
import { stripValueMarkup } from './form-value-words.ts';
import { findRecords } from './json-records.ts';
import type { Stretch } from './text-range.ts';

/** What is said of some challenges, and where. */
export interface AnswerPassage extends Stretch {
  challenges: string[];
  /** Several that differ are none. */
  statuses: AnswerStatus[];
  /** False for a verdict alone. */
  hasReason: boolean;
}

interface AnswerDraft extends Stretch {
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
 * table with one, or at a quote of a challenge; `quoted` knows these. In a form or an object of JSON the id is a key. What stands
 * below a line such as "Ben:" is another's, down to the next paragraph, and below such a heading to the next one.
 */
export function cutAnswers(
  text: string,
  quoted: (quote: string) => string | undefined,
  namesAnother: (words: string) => boolean,
): AnswerPassage[] {
  const drafts = readForm(text).places.flatMap((place) => readFormAnswers(text, place));
  let reach: Reach | undefined;
  /** What a heading such as "Rejected" says of the ids below it. */
  let section: AnswerStatus | undefined;
  let anothers: 'section' | 'next' | 'items' | undefined;
  for (const block of cutBlocks(text)) {
    const last = reach === undefined ? undefined : drafts.at(-1);
    const [first = '', ...others] = text.slice(block.start, block.end).split('\n');
    if (block.kind === 'break') anothers = namesAnother(readLabel(first)) ? 'section' : undefined;
    else if (anothers === 'items' && block.kind !== 'item') anothers = undefined;
    const isAnothers = anothers !== undefined || announcesAnother(first);
    const { found, next } = isAnothers
      ? { found: [], next: 'block' as const }
      : beginPassages(text, block, quoted);
    if (announcesAnother(others.at(-1) ?? first)) anothers = 'next';
    else if (anothers !== 'section') anothers = isAnothers && block.kind === 'item' ? 'items' : undefined;
    if (block.kind === 'break') section = found.length > 0 ? undefined : readSection(text, block);
    const goesOn =
      last && found.every(({ challenges }) => challenges.every((id) => last.challenges.includes(id)));
    const isAttached = block.kind === 'quote' || block.kind === 'attached';
    if (found.length > 0 && !(block.kind === 'quote' && goesOn)) {
      drafts.push(...found.map((one) => ({ ...one, status: one.status ?? section })));
      reach = next;
    } else if (block.kind === 'break') reach = undefined;
    else if (last && (isAttached || reach !== 'block')) {
      last.end = block.end;
      if (!isAttached && !isAnothers) last.starts.push(block.start);
      if (!isAttached && reach === 'below') reach = 'block';
    } else reach = undefined;
  }
  return drafts.flatMap((draft) => judgeAnswer(text, draft));

  function announcesAnother(line: string): boolean {
    return /[:：][*_\s]*$/.test(line) && (speaksOfAnother(line) || namesAnother(readLabel(line)));
  }
}

/** A short line without what may be set around a name. */
const readLabel = (line: string): string => line.slice(0, 200).replace(/^[\s#*_@>-]+|[\s*_:：]+$/g, '');

/** The passages that begin in a block, and how far the last of them goes on. */
function beginPassages(
  text: string,
  block: Block,
  quoted: (quote: string) => string | undefined,
): { found: AnswerDraft[]; next: Reach } {
  const isForm = /^\s*(?:[{[]|(?:```|~~~)[ \t]*(?:ya?ml|json))/i.test(
    text.slice(block.start, block.start + 30),
  );
  const answers = isForm ? readFormAnswers(text, block) : [];
  if (block.kind === 'attached') return { found: isForm ? answers : readRows(text, block), next: 'block' };
  if (answers.length > 0) return { found: answers, next: 'block' };
  if (block.kind === 'quote') {
    const challenge = quoted(text.slice(block.start, block.end));
    const found = { challenges: [challenge ?? ''], status: undefined, body: block.end, starts: [] };
    return { found: challenge ? [{ ...found, start: block.start, end: block.end }] : [], next: 'below' };
  }
  const found = readHeads(text, block);
  const last = found.at(-1);
  if (block.kind === 'break') return { found, next: 'section' };
  const isAlone = last !== undefined && /^[\s*_`:：.—–-]*$/.test(text.slice(last.body, last.end));
  return { found, next: isAlone ? 'paragraphs' : 'block' };
}

/**
 * The answer heads in the lines of a block; code in a list item belongs to it and answers nothing.
 */
function readHeads(text: string, block: Stretch): AnswerDraft[] {
  let isCode = false;
  const heads = splitLines(text, block).flatMap((line) => {
    const words = text.slice(line.start, line.end);
    if (/^[ \t]*(?:[-*+][ \t]+)?(?:```|~~~)/.test(words)) isCode = !isCode;
    if (isCode || /^[ \t]*>/.test(words)) return [];
    const spoken = words.replace(/^[ \t]*[-*+][ \t]+(?=\S)/, (marker) => ' '.repeat(marker.length));
    return findHeads(spoken).map((head) => ({ ...head, start: line.start + head.start }));
  });
  return heads.map(({ challenges, status, length, start }, index) => {
    const words = text.slice(start, heads[index + 1]?.start ?? block.end).trimEnd();
    const body = Math.min(start + length, start + words.length);
    return { challenges, status, start, end: start + words.length, body, starts: [body] };
  });
}

/** What a form answers: "c1: conceded" in a line, `{"c1": "conceded"}` and `{"id": "c1", "answer": "conceded"}` in JSON. */
function readFormAnswers(text: string, form: Stretch): AnswerDraft[] {
  const records = findRecords(text, form);
  if (records.length === 0) return splitLines(text, form).flatMap((line) => readHeads(text, line));
  return records.flatMap(({ start, end, pairs }): AnswerDraft[] => {
    const named = pairs.flatMap(({ value }) => challengesAlone(text.slice(value.start, value.end)));
    return pairs.flatMap(({ key, value }): AnswerDraft[] => {
      const challenges = COLUMN().test(key) && named.length > 0 ? named : challengesAlone(key);
      const said = readAnswerWord(text.slice(value.start, value.end));
      if (challenges.length === 0 || !said) return [];
      const place = challenges === named ? { start, end } : value;
      const body = challenges === named ? start : value.start + said.length;
      return [{ challenges, status: said.status, ...place, body, starts: [] }];
    });
  });
}

/** The rows of a table with ids in their first cell, and what their column of answers says. */
function readRows(text: string, block: Block): AnswerDraft[] {
  const [head, ...rows] = splitLines(text, block).map((line) => ({
    ...line,
    cells: text.slice(line.start, line.end).split('|').slice(1),
  }));
  const column = head?.cells.findIndex((cell) => COLUMN().test(cell)) ?? -1;
  if (column === -1) return [];
  return rows.flatMap(({ start, end, cells }): AnswerDraft[] => {
    const challenges = challengesAlone(cells[0] ?? '');
    const words = stripValueMarkup((cells[column] ?? '').trim());
    const said = readAnswerWord(words);
    if (challenges.length === 0 || !said) return [];
    const body = start + text.slice(start, end).indexOf(words) + said.length;
    return [{ challenges, status: said.status, start, end, body, starts: [] }];
  });
}

/** What a heading says of all that stands under it: "Rejected", "Conceded challenges". */
function readSection(text: string, { start, end }: Block): AnswerStatus | undefined {
  const words = text.slice(start, end).replace(/^[#\s*_]*(?:\p{Extended_Pictographic}\uFE0F?\s*)?/u, '');
  const answer = readAnswer(words);
  return answer && NOUN().test(words.slice(answer.length)) ? answer.status : undefined;
}

/** "I do not accept this" has five words, and no reason. */
const LONGEST_SENTENCE = 5;
const SHORTEST_REASON = 3;

function judgeAnswer(
  text: string,
  { challenges, start, end, body, starts, status }: AnswerDraft,
): AnswerPassage[] {
  const words = text.slice(body, end);
  const beginPassages = (status === undefined ? starts : []).flatMap((at) => {
    const said = readAnswerWord(text.slice(at, end));
    return said ? [{ status: said.status, words: countWords(text.slice(at, at + said.length)) }] : [];
  });
  const said =
    beginPassages.length > 0
      ? beginPassages.map((one) => one.status)
      : [status].flatMap((one) => one ?? readSentences(words));
  const statuses = said.filter((one) => one !== undefined);
  const clauses = new Set([...statuses, ...readClauses(words)]);
  // What says both says neither.
  if (statuses.length > 0 && clauses.has('conceded') && clauses.has('rejected')) statuses.push(...clauses);
  const verdict = status === undefined ? (beginPassages[0]?.words ?? LONGEST_SENTENCE) : 0;
  return statuses.length === 0
    ? []
    : [{ challenges, statuses, start, end, hasReason: countWords(words) >= verdict + SHORTEST_REASON }];
}
