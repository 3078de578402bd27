// Chooses the part of a long council for a page: whole rounds as far as they fit, or else a part of one round.
import type { Contribution, Ledger } from '../../core/council/state/state.ts';
import { formatTurnKey } from '../../core/council/state/state.ts';
import { formatAnchor } from './page-formats.ts';
import { fill } from '../../core/base/words/words.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { RenderContext } from './page-formats.ts';

/**
 * Maximum UTF-16 units of contributions. Formatting them takes at most half a second, including challenges, so
 * that a council of any size opens within a second.
 */
const MOST_TEXT = 128 * 1024;

/** Maximum contributions per page and rows per table: more would be slow to transfer and lay out. */
export const A_PAGE = 50;

/** The part requested by the page's address, for a long council. */
export interface AskedPart {
  /** The number of a round: requests the page where it starts. */
  round?: number;
  /** The id of a contribution, claim or challenge: requests the page that contains it. */
  at?: string;
  /** The first participant, from 1, for the tables of positions and costs. */
  seats?: number;
}

/** A part of a round: the participants whose contributions it contains, in order. */
export interface RoundPart {
  tour: number;
  by: readonly string[];
  /** Position in the round, from 1. */
  from: number;
}

export interface PagePart {
  rounds: ReadonlyMap<number, readonly RoundPart[]>;
  here: ReadonlySet<RoundPart>;
  /** Returns whether a contribution is on the page. */
  isHere: (turn: PartTurn) => boolean;
  /** The first participant in the tables; null if these are on separate pages. */
  seats: number | null;
}

type PartTurn = Pick<Contribution, 'tour' | 'by'>;
type Spoken = Pick<Contribution, 'tour' | 'by' | 'text'>;

/** Chooses a page's part from what may be seen; null for all. */
export type ChoosePart = (
  contributions: readonly Spoken[],
  ledger: Pick<Ledger, 'claims' | 'challenges'>,
) => PagePart | null;

/**
 * Returns the requested part with those that fit after it, or else the newest rounds; null if everything fits.
 * Contains at least one part, and as many as fit in size and number.
 */
export function choosePart(
  contributions: readonly Spoken[],
  ledger: Pick<Ledger, 'claims' | 'challenges'>,
  asked: AskedPart = {},
): PagePart | null {
  const cut = [...Map.groupBy(contributions, ({ tour }) => tour)]
    .sort(([a], [b]) => a - b)
    .flatMap(([, said]) => cutRound(said));
  const parts = cut.map(({ part }) => part);
  const sizes = new Map(cut.map(({ part, size }) => [part, size]));
  const first = findAsked(parts, { contributions, ledger, asked });
  // Remaining space goes to the parts before the requested one.
  const wanted =
    first === -1 ? sortNewestFirst(parts) : [...parts.slice(first), ...parts.slice(0, first).toReversed()];
  const here = new Set<RoundPart>();
  let [size, count] = [0, 0];
  for (const part of wanted) {
    size += sizes.get(part) ?? 0;
    count += part.by.length;
    if ((size > MOST_TEXT || count > A_PAGE) && here.size > 0) break;
    here.add(part);
  }
  if (here.size === parts.length) return null;
  const seats = asked.seats ?? null;
  if (seats !== null) here.clear();
  const turns = new Set([...here].flatMap(({ tour, by }) => by.map((id) => formatTurnKey({ tour, by: id }))));
  return {
    rounds: Map.groupBy(parts, ({ tour }) => tour),
    here,
    isHere: (turn) => turns.has(formatTurnKey(turn)),
    seats,
  };
}

/** Splits a round only if a page cannot hold all of it. */
function cutRound(said: readonly Spoken[]): { part: RoundPart; size: number }[] {
  const cut: Spoken[][] = [[]];
  let size = 0;
  for (const one of said) {
    size += one.text.length;
    const last = cut.at(-1)!;
    if (last.length > 0 && (last.length === A_PAGE || size > MOST_TEXT)) {
      cut.push([one]);
      size = one.text.length;
    } else last.push(one);
  }
  let from = 1;
  return cut.map((those) => {
    const part = { tour: those[0]!.tour, by: those.map(({ by }) => by), from };
    from += those.length;
    return { part, size: those.reduce((sum, { text }) => sum + text.length, 0) };
  });
}

/** Returns the last round from its start, then the parts before it, newest first. */
function sortNewestFirst(parts: readonly RoundPart[]): readonly RoundPart[] {
  const last = parts.at(-1)?.tour;
  return [
    ...parts.filter(({ tour }) => tour === last),
    ...parts.filter(({ tour }) => tour !== last).toReversed(),
  ];
}

function findAsked(
  parts: readonly RoundPart[],
  {
    contributions,
    ledger: { claims, challenges },
    asked: { round, at },
  }: {
    contributions: readonly PartTurn[];
    ledger: Pick<Ledger, 'claims' | 'challenges'>;
    asked: AskedPart;
  },
): number {
  if (at === undefined) return parts.findIndex(({ tour }) => tour === round);
  const turn: PartTurn | undefined =
    contributions.find(({ tour, by }) => formatAnchor('said', tour, by) === at) ??
    claims.find(({ id }) => formatAnchor('claim', id) === at) ??
    challenges.find(({ id }) => formatAnchor('challenge', id) === at);
  return parts.findIndex(({ tour, by }) => tour === turn?.tour && by.includes(turn.by));
}

/** Returns the address of the page that starts at a participant. */
export const linkToSeats = (from: number): string => `?seats=${from}`;

/** Returns the first participant on the page that contains the given one; both from 1. */
export const findFirstSeat = (asked: number, count: number): number =>
  A_PAGE * Math.floor((Math.min(Math.max(1, asked), count) - 1) / A_PAGE) + 1;

/** Links to all pages; null if one is enough. */
export function renderSeatsNavigation(
  count: number,
  from: number | null,
  { page }: RenderContext['w'],
): Html | null {
  if (count <= A_PAGE) return null;
  const pages = Array.from({ length: Math.ceil(count / A_PAGE) }, (_, at) => at * A_PAGE + 1);
  return html`<nav aria-label="${fill(page.everySeat, { count })}">
    <ul>
      ${pages.map((first) => {
        const name = `${first}–${Math.min(count, first + A_PAGE - 1)}`;
        return html`<li>
          ${first === from ? html`<strong>${name}</strong>` : html`<a href="${linkToSeats(first)}">${name}</a>`}
        </li> `;
      })}
    </ul>
  </nav>`;
}
