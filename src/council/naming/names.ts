// All spellings of participants' names, and a pattern that finds them.
import { onFirstUse, rememberingWhile } from '../../base/remember.ts';
import { oneLine } from '../../base/text.ts';
import { seat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';
import { readingsOf, readOf } from './as-read.ts';
import { isSameTable } from './labels.ts';

/** One spelling by which somebody at the table may be called. */
export interface Name {
  spelling: string;
  what: 'id' | 'title' | 'emoji';
  /** More than one when several share it, and nobody can tell who is meant. */
  owners: string[];
}

/** A name in a text. */
export interface Found {
  name: Name;
  /** Where it stands, in UTF-16 units. */
  start: number;
  end: number;
  /** As it is read there. */
  words: string;
}

/** All names of a table, and what finds them in a text. */
export interface NameBook {
  names: Name[];
  /** Where names stand in a text, in order, also in characters that are read as theirs. */
  foundIn(text: string): Found[];
  /** False when no name can occur in a text: a cheap check, which spares most texts `pattern`. That takes 10 ms to build. */
  mayBeIn(text: string): boolean;
  /** Capturing group `n` stands for name `n`, counted from 0. */
  pattern(): RegExp;
}

// Without the underscore: it is how Markdown writes emphasis. Without what chooses between emoji and text.
const IN_WORD = String.raw`(?![\uFE00-\uFE0F\u20E3])[\p{L}\p{N}\p{M}]`;
/** In scripts that set no spaces between words a name may stand anywhere. */
const EDGE = String.raw`(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])${IN_WORD}`;
/** In front of a word stands no other letter; in front of an emoji nothing that joins it to another one. */
const START = String.raw`(?:(?=${EDGE})(?<!${IN_WORD})|(?!${EDGE})(?<!\u200D))`;
const END = String.raw`(?:(?<=${EDGE})(?!${IN_WORD})|(?<!${EDGE})(?![\u200D\uFE0F\u{1F3FB}-\u{1F3FF}]))`;

/**
 * Everybody's ids, titles and emoji, coordinator included: as whole words in any case, with any white space inside,
 * composed or not; emoji only where they are no part of another one. "🦉 Henry (henry)" is one name, not three.
 */
export const nameBook: (state: CouncilState) => NameBook = rememberingWhile(isSameTable, (state) => {
  const names = namesOf(calledIn(state));
  const pieces = [...new Set(names.map(pieceOf))];
  const mayBeIn = (text: string): boolean => {
    if (pieces.length > MOST_PIECES) return true;
    const all = caseless(text);
    return pieces.some((piece) => piece === undefined || all.includes(piece));
  };
  const pattern = onFirstUse(() => {
    // One border for all of them: a border of its own for each name takes a second to compile.
    const spellings = names.map(({ spelling }) => `(${sourceOf(spelling)})`).join('|');
    return new RegExp(`${START}(?:${spellings})${END}`, 'giu');
  });
  const find = (text: string): Found[] => {
    const found: Found[] = [];
    if (!mayBeIn(text)) return found;
    // Of a table of a thousand it is long, and `matchAll` would compile it anew for each text.
    const spelled = pattern();
    spelled.lastIndex = 0;
    for (let match = spelled.exec(text); match; match = spelled.exec(text)) {
      const [words, ...groups] = match;
      const name = names[groups.findIndex((group) => group !== undefined)]!;
      found.push({ name, start: match.index, end: match.index + words.length, words });
    }
    return found;
  };
  return {
    names,
    mayBeIn,
    pattern,
    foundIn: (text) =>
      apart(
        readingsOf(text).flatMap(({ text: read, from, to }) =>
          find(read).map((one) => ({ ...one, start: from(one.start), end: to(one.end - 1) })),
        ),
      ),
  };
});

/** In order, and without what lies in another one: of two that begin at the same place, the first stays. */
function apart(found: readonly Found[]): Found[] {
  let end = 0;
  return [...found]
    .sort((a, b) => a.start - b.start)
    .filter((one) => {
      if (one.start < end) return false;
      end = one.end;
      return true;
    });
}

/** With more of them, looking for each takes longer than one pattern for all. */
const MOST_PIECES = 20;

/** What stands in every form of a spelling: its longest stretch of ASCII, or its emoji; undefined where that cannot be told. */
function pieceOf({ spelling }: Name): string | undefined {
  const composed = readOf(spelling);
  const [longest] = (composed.match(/[a-z\d]+/gi) ?? []).sort((a, b) => b.length - a.length);
  const piece = longest ?? /^\p{Extended_Pictographic}/u.exec(composed)?.[0];
  return piece === undefined ? undefined : caseless(piece);
}

/** As an expression without case compares it, which takes a long s for an s. */
const caseless = (text: string): string => text.toLowerCase().replaceAll('\u017F', 's');

/** Everybody at the table, as their seats name them. */
type Called = Readonly<Record<'id' | 'title' | 'emoji', string>>;

function calledIn(state: CouncilState): Called[] {
  const everybody = [...state.order, ...(state.coordinator ? [state.coordinator] : [])];
  return everybody.map((id) => ({ id, title: seat(state, id).title, emoji: seat(state, id).emoji }));
}

/** Every spelling once, the longest first. */
function namesOf(everybody: readonly Called[]): Name[] {
  const spellings = everybody.flatMap((called): (Omit<Name, 'owners'> & { id: string })[] => {
    const { id } = called;
    const [title, emoji] = [oneLine(called.title), oneLine(called.emoji)];
    return [
      { id, spelling: id, what: 'id' },
      { id, spelling: title, what: 'title' },
      { id, spelling: emoji, what: 'emoji' },
      { id, spelling: `${emoji} ${title} (${id})`.trim(), what: 'id' },
      { id, spelling: `${title} (${id})`.trim(), what: 'id' },
      { id, spelling: `${emoji} ${title}`.trim(), what: 'title' },
    ];
  });
  const spelled = spellings.filter(({ spelling }) => /[^\s\p{M}\p{Cf}]/u.test(spelling));
  const groups = Map.groupBy(spelled, ({ spelling }) => readOf(spelling).toLowerCase());
  return [...groups.values()]
    .map((same) => ({ ...same[0]!, owners: [...new Set(same.map(({ id }) => id))] }))
    .sort((a, b) => b.spelling.length - a.spelling.length)
    .map(({ spelling, what, owners }) => ({ spelling, what, owners }));
}

function sourceOf(spelling: string): string {
  return (
    readOf(spelling)
      .replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
      .replace(/(?<=[\p{L}\p{N}\p{M}])\s+/gu, String.raw`\s{1,20}`)
      .replace(/['’]/g, "['’]")
      // "🦉Henry" is meant as well as "🦉 Henry".
      .replace(/\s+/g, String.raw`\s{0,20}`)
      .replace(/(\p{Extended_Pictographic})\uFE0F?/gu, String.raw`$1\uFE0F?`)
      .replaceAll('\uFE0F', String.raw`\uFE0F?`)
  );
}
