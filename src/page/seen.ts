// A council as one reader may see it, and all of an archive as everybody may.
import type { Archive } from '../archive/archive.ts';
import { ledgerDocument } from '../council/ledger/ledger-document.ts';
import type { LedgerDocument } from '../council/ledger/ledger-document.ts';
import { quotedPlaces } from '../council/ledger/quoted-places.ts';
import type { QuotedPlace } from '../council/ledger/quoted-places.ts';

/** A council as one reader may see it: an archive, or what has been revealed of one that goes on. */
export interface Seen {
  archive: Archive;
  /** With the words of every claim and challenge. */
  ledger: LedgerDocument;
  quoted: readonly QuotedPlace[];
  /** Set while the council goes on. */
  underway: { until: string; hides: boolean; phase: string; tour: number } | null;
  /** What is no longer word for word in the archive's file, for people. */
  altered: readonly string[];
}

/** What is seen of an archive: everything. */
export function seenOf(archive: Archive & { altered?: readonly string[] }): Seen {
  const { meta, contributions, altered = [] } = archive;
  const order = meta.participants.map(({ id }) => id);
  const quotable = { contributions, claims: meta.ledger.claims, order, shown: (text: string) => text };
  return {
    archive,
    ledger: ledgerDocument({ ledger: meta.ledger, contributions }),
    quoted: quotedPlaces({ ...quotable, challenges: meta.ledger.challenges }),
    underway: null,
    altered,
  };
}
