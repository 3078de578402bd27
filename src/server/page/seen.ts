// A council as one reader may see it, and which of its rounds stand on the page in full; all of an archive as everybody may.
import { showAsWritten } from '../../core/council/ledger/quotable-texts.ts';
import type { Archive } from '../../core/archive/archive.ts';
import { ledgerDocument } from '../../core/council/ledger/ledger-document.ts';
import type { LedgerDocument } from '../../core/council/ledger/ledger-document.ts';
import type { QuotedInput } from '../../core/council/ledger/quoted-places.ts';
import type { ModeSummary } from '../../core/council/state/mode-reading.ts';
import type { Contribution } from '../../core/council/state/state.ts';

/** A council as one reader may see it: an archive, or what has been revealed of one that goes on. */
export interface Seen {
  archive: Archive;
  /** With the words of every claim and challenge. */
  ledger: LedgerDocument;
  /** Where quotes are looked for; null where none are marked. */
  quotable: QuotedInput | null;
  /** The rounds that stand on the page in full, and are all that is quoted from; null for all. */
  rounds: ReadonlySet<number> | null;
  /** Set while the council goes on. */
  underway: { until: string; hides: boolean; phase: string; tour: number; hasLetters: boolean } | null;
  /** What is no longer word for word in the archive's file, for people. */
  altered: readonly string[];
  /** What came out, in modes that have rules of their own. */
  summary?: ModeSummary | undefined;
}

export const everyRound: ChooseRounds = () => null;

/** What is seen of an archive: everything. */
export function showWholeArchive(
  { archive, summary }: { archive: Archive & { altered?: readonly string[] } } & Pick<Seen, 'summary'>,
  choose: ChooseRounds = everyRound,
): Seen {
  const { meta, contributions, altered = [] } = archive;
  const rounds = choose(contributions);
  const order = meta.participants.map(({ id }) => id);
  return {
    archive,
    summary,
    ledger: ledgerDocument({ ledger: meta.ledger, contributions }),
    quotable: {
      ...{ contributions, claims: meta.ledger.claims, order, shown: showAsWritten },
      challenges: inRounds(meta.ledger.challenges, rounds),
    },
    rounds,
    underway: null,
    altered,
  };
}

/** Those of the rounds that stand on the page. */
export const inRounds = <T extends { tour: number }>(
  all: readonly T[],
  rounds: ReadonlySet<number> | null,
): readonly T[] => (rounds === null ? all : all.filter(({ tour }) => rounds.has(tour)));

/** UTF-16 units of what was said. Formatting them takes half a second at most, challenges included, so a council of any size opens in one. */
const MOST = 128 * 1024;

/** Contributions of a page: with more of them it takes long to arrive and to be laid out. */
const MOST_CONTRIBUTIONS = 50;

/** Which rounds a page shows, by what may be seen on it; null for all. */
export type ChooseRounds = (
  contributions: readonly Pick<Contribution, 'tour' | 'text'>[],
) => ReadonlySet<number> | null;

/**
 * The rounds to show. Of a long council those from the round that is asked for on, or the last ones, at least one, as many as are not
 * too long or too many together.
 */
export function roundsShown(
  contributions: readonly Pick<Contribution, 'tour' | 'text'>[],
  asked?: number,
): ReadonlySet<number> {
  const sizes = new Map<number, number>();
  const counts = new Map<number, number>();
  for (const { tour, text } of contributions) {
    sizes.set(tour, (sizes.get(tour) ?? 0) + text.length);
    counts.set(tour, (counts.get(tour) ?? 0) + 1);
  }
  const rounds = [...sizes.keys()].sort((a, b) => a - b);
  const isAsked = asked !== undefined && sizes.has(asked);
  const first = isAsked ? rounds.slice(rounds.indexOf(asked)) : rounds.toReversed();
  // What is left of the room goes to those before the one that was asked for.
  const others = isAsked ? rounds.slice(0, rounds.indexOf(asked)).toReversed() : [];
  const shown = new Set<number>();
  let [size, count] = [0, 0];
  for (const tour of [...first, ...others]) {
    size += sizes.get(tour) ?? 0;
    count += counts.get(tour) ?? 0;
    if ((size > MOST || count > MOST_CONTRIBUTIONS) && shown.size > 0) break;
    shown.add(tour);
  }
  return shown;
}
