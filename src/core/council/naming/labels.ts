// Names of participants and claims in views (real or anonymous), their seeded order, and their way back to ids.
import { sha256 } from '../../base/ids.ts';
import { memoizeByObject, memoizeLast } from '../../base/memoize.ts';
import { toOneLine } from '../../base/text.ts';
import { getSeat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';
import { fill, loadWords } from '../../base/words/words.ts';

/** Returns a cache key of all that names depend on. It holds the seed: never show it. */
export const tableKey: (state: CouncilState) => string = memoizeByObject((state) => {
  const { conversationId, labelSeed, lang, anonymous, coordinator, order } = state;
  const seats = [...order, ...(coordinator ? [coordinator] : [])].map((id) => getSeat(state, id));
  const called = seats.map(({ title, emoji }) => [title, emoji]);
  return JSON.stringify([conversationId, labelSeed, lang, anonymous, coordinator, order, called]);
});

/**
 * Returns the display name of every respondent (not of the coordinator) by id: "🦉 Henry (henry)", or "Participant B" in an anonymous mode.
 * Labels are fixed per council, and their order does not reveal the seats.
 */
export const getLabels: (state: CouncilState) => ReadonlyMap<string, string> = memoizeLast(
  (state) =>
    state.anonymous
      ? createAnonymousLabels(state)
      : new Map(state.order.map((id) => [id, formatRealName(state, id)])),
  tableKey,
);

/** Returns a participant's anonymous label; undefined for the coordinator and in councils that are not anonymous. */
export const labelAmongOthers = (state: CouncilState, id: string): string | undefined =>
  state.anonymous ? getLabels(state).get(id) : undefined;

/** Returns "Participant B" for every id: the names in an anonymous council and its archive. */
export function createAnonymousLabels(table: Pick<Table, 'order' | 'lang' | SeedKey>): Map<string, string> {
  const { common } = loadWords(table.lang);
  return new Map(
    placesOf(table).map((id, place) => [id, fill(common.participant, { letter: toLetters(place) })]),
  );
}

/** Cached, because every view of a council needs them, and a large one has many. */
const placesOf = memoizeLast(
  (table: Pick<Table, 'order' | SeedKey>): readonly string[] =>
    shuffleBySeed(table.order, [labelSeed(table)], (id) => id),
  (table) => JSON.stringify([labelSeed(table), table.order]),
);

/** Returns title and id in one line: "🦉 Henry (henry)", also in an anonymous council: not for others' views. */
export function formatRealName(state: CouncilState, id: string): string {
  const { emoji, title } = getSeat(state, id);
  return `${toOneLine(`${emoji} ${title}`)} (${id})`;
}

/** Returns A, B … Z, AA, AB … for `index`, counted from 0. */
export function toLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? toLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** Shuffles items deterministically by `seed` and their keys. */
export function shuffleBySeed<T>(
  items: readonly T[],
  seed: readonly (string | number)[],
  getKey: (item: T) => string,
): T[] {
  const ranked = items.map((item) => ({ item, rank: sha256(JSON.stringify([...seed, getKey(item)])) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ item }) => item);
}

type SeedKey = 'conversationId' | 'labelSeed';

/**
 * The seed of labels and reading orders. With it and the names, anyone can undo the anonymity: it must not
 * appear in a view, path or notice. Older councils without a seed use the conversation's id.
 */
export const labelSeed = (state: Pick<CouncilState, SeedKey>): string =>
  state.labelSeed ?? state.conversationId;

/** The data that names are made from; archives have it as well. */
type Table = Pick<CouncilState, SeedKey | 'order' | 'lang' | 'anonymous'>;

/** Returns the part before the dot in claim ids, by participant: the id, or a label's letter ("b"). */
export function mapClaimPrefixes(table: Table): Map<string, string> {
  const ids = table.anonymous ? placesOf(table) : table.order;
  return new Map(ids.map((id, place) => [id, table.anonymous ? toLetters(place).toLowerCase() : id]));
}

/** The part of a ledger needed to name its claims. */
export interface LedgerOfClaims {
  ledger: { claims: readonly { id: string; by: string }[] };
}

/** Maps real claim ids to their ids in views: "sage.1", or "b.1" in an anonymous council. */
export function mapClaimIds({ ledger, ...table }: Table & LedgerOfClaims): Map<string, string> {
  if (ledger.claims.length === 0) return new Map();
  const prefixes = mapClaimPrefixes(table);
  return new Map(ledger.claims.map(({ id, by }) => [id, (prefixes.get(by) ?? by) + id.slice(by.length)]));
}

/**
 * Resolves a name in a contribution to a respondent's id: an id, or in an anonymous council a label's letter
 * ("b", "participant-b"), not the whole label. Null if unknown. A label wins over an id that looks like it, because readers saw labels.
 */
export function createNameResolver(state: CouncilState): (name: string) => string | null {
  const prefixes = state.anonymous
    ? [...mapClaimPrefixes(state)].map(([id, prefix]): [string, string] => [prefix, id])
    : [];
  const byLetter = new Map(prefixes);
  return (name) => {
    const key = name.toLowerCase();
    return byLetter.get(key.replace(/^participant-/, '')) ?? state.order.find((id) => id === key) ?? null;
  };
}
