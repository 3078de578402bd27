// Hides participants' names in the texts of an anonymous council.
import { rememberingLast, rememberingNewest, rememberingWhile } from '../../base/remember.ts';
import { readOf } from './as-read.ts';
import { handlesOf, isSameTable, labelsOf } from './labels.ts';
import { isInside, literalsIn } from './literal.ts';
import type { Literal } from './literal.ts';
import { nameBook } from './names.ts';
import type { Name } from './names.ts';
import type { Council } from '../state/state.ts';
import { wordsFor } from '../../base/words/words.ts';

/** Names of somebody else that a view shows all the same: where, of what kind, how often. Never the name itself. */
export interface Unmasked {
  /** `topic`, `brief`, `options`, `persona`, `houseRules`, `own`, or the label of the one who wrote the text. */
  where: string;
  what: Name['what'];
  count: number;
}

/** A text with names replaced. A name stands in the lists once for each place where it was found. */
export interface Masked {
  text: string;
  replaced: Name[];
  left: Name[];
  /** Where labels stand in `text` now, in order, and for what. */
  places: Replacement[];
}

export interface Replacement {
  at: number;
  label: string;
  name: string;
}

/** Hides who is who in the texts of one council. Made once for a view: it reads the whole brief. */
export interface Mask {
  /** Only a stretch of it, where one is given: code that it lies in is code. */
  (text: string, stretch?: Literal): Masked;
  /** Every name in a text, once for each place; none where nobody is anonymous. */
  find: (text: string) => readonly Name[];
}

/** With fewer letters and digits a name is an article or a number somewhere. */
const SHORTEST = 3;
/** An agent may be called p1, and votes are for P1. */
const BALLOT_NUMBER = /^P\d+$/i;
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u;

/**
 * Replaces the ids, titles and emoji of participants and coordinator by their labels, and `@sage.1` by `@b.1`: whole
 * words, in any case, in all characters that are read as theirs. What would destroy more than it hides is left: names of
 * fewer than three letters, names that several share, names that look like a label or a number of the ballot, spellings
 * that topic, brief or options use themselves, and names in code and paths.
 *
 * Everybody but a text's author sees it through this mask, all of them the same. They quote what they see, so a quote
 * holds when the original text or the masked one has it; its author reads it as written (`own-words.ts`).
 */
export const maskFor: (council: Masks) => Mask = rememberingWhile(hasSameMask, makeMask);

type Masks = Pick<Council, 'state' | 'brief'>;

/** Many views of a large table want the same mask. */
function hasSameMask(before: Masks, now: Masks): boolean {
  const told = ({ brief, state: { topic, rules } }: Masks) => [brief, topic, ...(rules.options ?? [])];
  const [then, is] = [told(before), told(now)];
  return (
    then.length === is.length &&
    is.every((text, at) => text === then[at]) &&
    isSameTable(before.state, now.state)
  );
}

function makeMask({ state, brief }: Masks): Mask {
  if (!state.anonymous) return Object.assign(asItIs, { find: () => [] });
  const { names, foundIn } = nameBook(state);
  const labels = new Map(labelsOf(state));
  if (state.coordinator) labels.set(state.coordinator, wordsFor(state.lang).view.theCoordinator);
  const handles = handlesOf(state);
  const open = [state.topic, brief, ...(state.rules.options ?? [])];
  const common = new Set(open.flatMap((text) => foundIn(text).map(({ words }) => words)));
  const inLabels = new Set(foundIn([...labels.values()].join('\n')).map(({ name }) => name));
  const spellings = new Set(names.map(({ spelling }) => readOf(spelling).toLowerCase()));
  // Stretches of one text are asked about in a row.
  const literals = rememberingLast(
    (text: string) => literalsIn(text, (word) => spellings.has(readOf(word).toLowerCase())),
    (text) => text,
  );
  const mask = (all: string, { start, end }: Literal = { start: 0, end: all.length }): Masked => {
    const [replaced, left]: [Name[], Name[]] = [[], []];
    const places: Replacement[] = [];
    const text = all.slice(start, end);
    const parts: string[] = [];
    let [done, grown] = [0, 0];
    for (const { name, start: from, end: to, words } of foundIn(text)) {
      const [owner = ''] = name.owners;
      const isAddress = /^\.\d/.test(text.slice(to, to + 2));
      const isId = text[from - 1] === '@' || isAddress;
      const instead = (isId ? handles.get(owner) : undefined) ?? labels.get(owner);
      // "al" may be an ordinary word; "@al" and "al.1" can only mean that participant.
      const isAddressed = isId && name.owners.length === 1;
      const isKept =
        (!isTelling(name) && !isAddressed) ||
        inLabels.has(name) ||
        common.has(words) ||
        (!isId && BALLOT_NUMBER.test(words)) ||
        (!isAddress && isInside(literals(all), start + from));
      if (instead === undefined || isKept) {
        left.push(name);
        continue;
      }
      replaced.push(name);
      places.push({ at: from + grown, label: instead, name: text.slice(from, to) });
      grown += instead.length - (to - from);
      parts.push(text.slice(done, from), instead);
      done = to;
    }
    return { text: parts.join('') + text.slice(done), replaced, left, places };
  };
  const remembered = rememberingNewest<readonly Name[]>(FOUND_AGAIN);
  return Object.assign(mask, {
    find: (text: string): readonly Name[] =>
      remembered(text, () => {
        const { replaced, left } = mask(text);
        return [...replaced, ...left];
      }),
  });
}

/** Topic, brief, house rules and the like are looked through for each view. */
const FOUND_AGAIN = 8;

const asItIs = (text: string, stretch?: Literal): Masked => ({
  text: stretch ? text.slice(stretch.start, stretch.end) : text,
  replaced: [],
  left: [],
  places: [],
});

/** What the names in a text tell to `reader`, whose own ones are no secret. */
export function unmasked(names: readonly Name[], where: string, reader: string): Unmasked[] {
  const telling = names.filter(({ owners }) => owners.some((owner) => owner !== reader));
  return [...Map.groupBy(telling, ({ what }) => what)].map(([what, all]) => ({
    where,
    what,
    count: all.length,
  }));
}

/** One owner, and enough of a name that it is no article and no bullet. */
function isTelling({ spelling, what, owners }: Name): boolean {
  if (owners.length > 1) return false;
  if (what === 'emoji') return PICTURE.test(spelling);
  return /\p{L}/u.test(spelling) && (spelling.match(/[\p{L}\p{N}]/gu) ?? []).length >= SHORTEST;
}
