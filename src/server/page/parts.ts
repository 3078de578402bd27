// Which part of a long council stands on a page: whole rounds as long as there is room for them, else a stretch of one round.
import type { Contribution, Ledger } from '../../core/council/state/state.ts';
import { formatTurnKey } from '../../core/council/state/state.ts';
import { anchor } from './show.ts';

/** UTF-16 units of what was said. Formatting them takes half a second at most, challenges included, so a council of any size opens in one. */
const MOST_TEXT = 128 * 1024;

/** Contributions of a page, and rows of a table: with more of them it takes long to arrive and to be laid out. */
export const A_PAGE = 50;

/** What the address of a page asks for, in a council that is too long for one. */
export interface AskedPart {
  /** The number of a round: the page where it begins. */
  round?: number;
  /** The address of a contribution, claim or challenge: the page that has it. */
  at?: string;
  /** From this participant on, counted from 1, the tables of who held what and what each one cost. */
  seats?: number;
}

/** A stretch of a round: what those said in it, in their order. */
export interface Part {
  tour: number;
  by: readonly string[];
  /** Counted from 1 within the round. */
  from: number;
}

export interface PagePart {
  /** Every part, by round. */
  rounds: ReadonlyMap<number, readonly Part[]>;
  here: ReadonlySet<Part>;
  /** Whether these words stand on the page. */
  isHere: (turn: Turn) => boolean;
  /** From which participant on the tables stand here; null where they have pages of their own. */
  seats: number | null;
}

type Turn = Pick<Contribution, 'tour' | 'by'>;
type Spoken = Pick<Contribution, 'tour' | 'by' | 'text'>;

/** Which part a page shows, by what may be seen on it; null for all. */
export type ChoosePart = (
  contributions: readonly Spoken[],
  ledger: Pick<Ledger, 'claims' | 'challenges'>,
) => PagePart | null;

/**
 * The part that is asked for and what fits behind it, else the newest rounds; null where everything has room. At least one part is
 * there, as many as are not too long or too many together.
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
  // What is left of the room goes to those before the one that was asked for.
  const wanted =
    first === -1 ? newestFirst(parts) : [...parts.slice(first), ...parts.slice(0, first).toReversed()];
  const here = new Set<Part>();
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

/** A round is cut only where a page has no room for all of it. */
function cutRound(said: readonly Spoken[]): { part: Part; size: number }[] {
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

/** The last round from its beginning on, then those before it. */
function newestFirst(parts: readonly Part[]): readonly Part[] {
  const last = parts.at(-1)?.tour;
  return [
    ...parts.filter(({ tour }) => tour === last),
    ...parts.filter(({ tour }) => tour !== last).toReversed(),
  ];
}

function findAsked(
  parts: readonly Part[],
  {
    contributions,
    ledger: { claims, challenges },
    asked: { round, at },
  }: {
    contributions: readonly Turn[];
    ledger: Pick<Ledger, 'claims' | 'challenges'>;
    asked: AskedPart;
  },
): number {
  if (at === undefined) return parts.findIndex(({ tour }) => tour === round);
  const turn: Turn | undefined =
    contributions.find(({ tour, by }) => anchor('said', tour, by) === at) ??
    claims.find(({ id }) => anchor('claim', id) === at) ??
    challenges.find(({ id }) => anchor('challenge', id) === at);
  return parts.findIndex(({ tour, by }) => tour === turn?.tour && by.includes(turn.by));
}
