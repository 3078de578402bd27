// Splits a contribution to RESOLVE into passages that answer challenges, and reads each answer.
import { COLUMN, NOUN } from './answer-shapes.ts';
import { contradictsAnswer, countWords, readAnswer, readAnswerWord, readSentences } from './answer-words.ts';
import type { AnswerStatus } from './answer-words.ts';
import { readOnlyChallenges, findHeads } from './answer-heads.ts';
import { cutBlocks, splitLines } from './blocks.ts';
import type { Block } from './blocks.ts';
import { readForm } from './form.ts';
import { mentionsAnotherForm } from './form-names.ts';
import { findRecords } from './units.ts';
import type { TextRange } from './limits.ts';

/** The answer to one or more challenges, and its range. */
export interface AnswerPassage extends TextRange {
  challenges: string[];
  /** Conflicting statuses count as no answer. */
  statuses: AnswerStatus[];
  /** False if there is only a verdict. */
  hasReason: boolean;
}

interface AnswerDraft extends TextRange {
  challenges: string[];
  status: AnswerStatus | undefined;
  /** Start of the words after the head. */
  body: number;
  /** Starts of its blocks; each may open with a verdict. */
  starts: number[];
}

/**
 * Returns the answer passages of a text, in order. A passage starts at a line that begins with a challenge
 * id, at a heading or table row with one, or at a quote of a challenge (found by `quoted`). In forms and JSON
 * objects the id is a key.
 * Words below a line such as "Ben:" are someone else's, up to the next paragraph; below such a heading, up to
 * the next heading.
 */
export function cutAnswers(
  text: string,
  quoted: (quote: string) => string | undefined,
  namesAnother: (words: string) => boolean,
): AnswerPassage[] {
  const { own, places } = readForm(text);
  const drafts = places.flatMap((place) => {
    const cells = readCells(text, place);
    return cells.length > 0 ? cells : readHeads(own, place);
  });
  let open: AnswerDraft | undefined;
  /** How many more blocks belong to it, not counting quotes and code. */
  let reach = 0;
  /** The status that a heading such as "Rejected" gives to the ids below it. */
  let section: AnswerStatus | undefined;
  let anothers: 'section' | 'next' | 'items' | undefined;
  for (const block of cutBlocks(text)) {
    const [first = '', ...others] = text.slice(block.start, block.end).split('\n');
    const isBreak = block.kind === 'break';
    const isBelow = anothers === 'items' ? block.kind === 'item' : anothers !== undefined && !isBreak;
    const isAnothers = isBelow || announcesAnother(first);
    if (isBreak && namesAnother(readLabel(first))) anothers = 'section';
    else if (announcesAnother(others.at(-1) ?? first)) anothers = 'next';
    else if (!isBelow || anothers !== 'section')
      anothers = isAnothers && block.kind === 'item' ? 'items' : undefined;
    const begun = isAnothers ? { found: [], reach: 0 } : beginPassages(text, own, block, quoted);
    const isSame = begun.found.every(({ challenges }) =>
      challenges.every((id) => open?.challenges.includes(id)),
    );
    const isAttached = block.kind === 'quote' || block.kind === 'attached';
    if (isBreak) section = begun.found.length > 0 ? undefined : readSection(text, block);
    if (begun.found.length > 0 && !(block.kind === 'quote' && isSame)) {
      drafts.push(...begun.found.map((one) => ({ ...one, status: one.status ?? section })));
      [open, reach] = [drafts.at(-1), begun.reach];
    } else if (isBreak || (!isAttached && reach === 0)) open = undefined;
    else if (open) {
      open.end = block.end;
      if (isAttached) continue;
      if (!isAnothers) open.starts.push(block.start);
      reach -= 1;
    }
  }
  return drafts.flatMap((draft) => judgeAnswer(text, draft));

  function announcesAnother(line: string): boolean {
    return /[:：][*_\s]*$/.test(line) && (mentionsAnotherForm(line) || namesAnother(readLabel(line)));
  }
}

/** Strips markup around a name from a short line. */
const readLabel = (line: string): string => line.slice(0, 200).replace(/^[\s#*_@>-]+|[\s*_:：]+$/g, '');

/** Returns the passages that begin in a block, and how many blocks the last one extends to. */
function beginPassages(
  text: string,
  own: string,
  block: Block,
  quoted: (quote: string) => string | undefined,
): { found: AnswerDraft[]; reach: number } {
  const cells = readCells(text, block);
  if (cells.length > 0 || block.kind === 'attached') return { found: cells, reach: 0 };
  if (block.kind === 'quote') {
    const { start, end } = block;
    const challenge = quoted(text.slice(start, end));
    const found = challenge && {
      challenges: [challenge],
      status: undefined,
      start,
      end,
      body: end,
      starts: [],
    };
    return { found: found ? [found] : [], reach: 1 };
  }
  const found = readHeads(own, block);
  const last = found.at(-1);
  const isAlone = last !== undefined && /^[\s*_`:：.—–-]*$/.test(text.slice(last.body, last.end));
  return { found, reach: isAlone || block.kind === 'break' ? Infinity : 0 };
}

/** Returns the heads in the lines of a range, each with the text up to the next head. */
function readHeads(own: string, block: TextRange): AnswerDraft[] {
  const heads = splitLines(own, block).flatMap((line) =>
    findHeads(
      own
        .slice(line.start, line.end)
        .replace(/^[ \t]*[-*+][ \t]+(?=\S)/, (marker) => ' '.repeat(marker.length)),
    ).map((head) => ({ ...head, start: line.start + head.start })),
  );
  return heads.map(({ challenges, status, length, start }, index) => {
    const end = start + own.slice(start, heads[index + 1]?.start ?? block.end).trimEnd().length;
    const body = Math.min(start + length, end);
    return { challenges, status, start, end, body, starts: [body] };
  });
}

/** Reads answers from table rows and JSON objects where the challenge id is a key or alone in a cell. */
const readCells = (text: string, place: TextRange): AnswerDraft[] =>
  findRecords(text, place).flatMap(({ cells, ...record }) => {
    const read = ({ start, end }: TextRange, challenges: string[], whole: TextRange): AnswerDraft[] => {
      const from = start + /^[*_`]*/.exec(text.slice(start, end))![0].length;
      const said = readAnswerWord(text.slice(from, end));
      const body = from + (said?.length ?? 0);
      return said && challenges.length > 0
        ? [{ challenges, status: said.status, ...whole, body, starts: [] }]
        : [];
    };
    const named = cells.flatMap(({ start, end }) => readOnlyChallenges(text.slice(start, end)));
    return cells.flatMap((cell) => [
      ...read(cell, readOnlyChallenges(cell.name), cell),
      ...(COLUMN().test(cell.name) ? read(cell, named, record) : []),
    ]);
  });

/** Reads a heading that applies to everything below it: "Rejected", "Conceded challenges". */
function readSection(text: string, { start, end }: Block): AnswerStatus | undefined {
  const words = text.slice(start, end).replace(/^[#\s*_]*(?:\p{Extended_Pictographic}\uFE0F?\s*)?/u, '');
  const answer = readAnswer(words);
  return answer && NOUN().test(words.slice(answer.length)) ? answer.status : undefined;
}

/** "I do not accept this" has five words and no reason. */
const LONGEST_SENTENCE = 5;
const SHORTEST_REASON = 3;

function judgeAnswer(text: string, { body, starts, status, ...draft }: AnswerDraft): AnswerPassage[] {
  const words = text.slice(body, draft.end);
  const opened = (status === undefined ? starts : []).flatMap((at) => {
    const said = readAnswerWord(text.slice(at, draft.end));
    return said ? [{ status: said.status, words: countWords(text.slice(at, at + said.length)) }] : [];
  });
  const said =
    opened.length > 0
      ? opened.map((one) => one.status)
      : [status].flatMap((one) => one ?? readSentences(words));
  const statuses = said.filter((one) => one !== undefined);
  // A contradictory answer counts as none.
  if (statuses.length > 0 && contradictsAnswer(statuses, words)) statuses.push('conceded', 'rejected');
  const verdict = status === undefined ? (opened[0]?.words ?? LONGEST_SENTENCE) : 0;
  return statuses.length === 0
    ? []
    : [{ ...draft, statuses, hasReason: countWords(words) >= verdict + SHORTEST_REASON }];
}
