// A council as one reader may see it, and all of an archive as everybody may.
import type { Archive } from '../../core/archive/archive.ts';
import { ledgerDocument } from '../../core/council/ledger/ledger-document.ts';
import type { LedgerDocument } from '../../core/council/ledger/ledger-document.ts';
import type { QuotedInput } from '../../core/council/ledger/quoted-places.ts';
import type { ChooseRounds } from './rounds.ts';

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
}

export const everyRound: ChooseRounds = () => null;

/** What is seen of an archive: everything. */
export function showWholeArchive(
  archive: Archive & { altered?: readonly string[] },
  choose: ChooseRounds = everyRound,
): Seen {
  const { meta, contributions, altered = [] } = archive;
  const rounds = choose(contributions);
  const order = meta.participants.map(({ id }) => id);
  return {
    archive,
    ledger: ledgerDocument({ ledger: meta.ledger, contributions }),
    quotable: {
      ...{ contributions, claims: meta.ledger.claims, order, shown: (text) => text },
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
