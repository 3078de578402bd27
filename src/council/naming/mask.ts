// Hides participants' names in the texts of an anonymous council.
import { rememberingLast, rememberingNewest, rememberingWhile } from '../../base/remember.ts';
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
 * words, in any case. What would destroy more than it hides is left: names of fewer than three letters, names that
 * several share, names that look like a label or a number of the ballot, spellings that topic, brief or options use themselves,
 * and names in code and paths.
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
  const { names, mayBeIn, pattern } = nameBook(state);
  const labels = new Map(labelsOf(state));
  if (state.coordinator) labels.set(state.coordinator, wordsFor(state.lang).view.theCoordinator);
  const handles = handlesOf(state);
  const open = [state.topic, brief, ...(state.rules.options ?? [])];
  const common = new Set(open.flatMap((text) => (mayBeIn(text) ? (text.match(pattern()) ?? []) : [])));
  const inLabels = new Set<Name>();
  const nameIn = (groups: unknown[]) => names[groups.findIndex((group) => group !== undefined)]!;
  const labelled = [...labels.values()].join('\n');
  if (mayBeIn(labelled))
    for (const [, ...groups] of labelled.matchAll(pattern())) inLabels.add(nameIn(groups));
  const spellings = new Set(names.map(({ spelling }) => spelling.toLowerCase()));
  // Stretches of one text are asked about in a row.
  const literals = rememberingLast(
    (text: string) => literalsIn(text, (word) => spellings.has(word.toLowerCase())),
    (text) => text,
  );
  const mask = (all: string, { start, end }: Literal = { start: 0, end: all.length }): Masked => {
    const [replaced, left]: [Name[], Name[]] = [[], []];
    const places: Replacement[] = [];
    let grown = 0;
    const text = all.slice(start, end);
    if (!mayBeIn(text)) return { text, replaced, left, places };
    const masked = text.replace(pattern(), (found: string, ...rest: (string | number | undefined)[]) => {
      const name = nameIn(rest);
      const [owner = ''] = name.owners;
      const offset = rest[names.length] as number;
      const isAddress = /^\.\d/.test(text.slice(offset + found.length, offset + found.length + 2));
      const isId = text[offset - 1] === '@' || isAddress;
      const instead = (isId ? handles.get(owner) : undefined) ?? labels.get(owner);
      // "al" may be an ordinary word; "@al" and "al.1" can only mean that participant.
      const isAddressed = isId && name.owners.length === 1;
      const isKept =
        (!isTelling(name) && !isAddressed) ||
        inLabels.has(name) ||
        common.has(found) ||
        (!isId && BALLOT_NUMBER.test(found)) ||
        (!isAddress && isInside(literals(all), start + offset));
      if (instead === undefined || isKept) {
        left.push(name);
        return found;
      }
      replaced.push(name);
      places.push({ at: offset + grown, label: instead, name: found });
      grown += instead.length - found.length;
      return instead;
    });
    return { text: masked, replaced, left, places };
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
