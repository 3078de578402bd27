// A council as one reader may see it, and what of it stands on the page in full; all of an archive as everybody may.
import { showAsWritten } from '../../core/council/ledger/quotable-texts.ts';
import type { Archive } from '../../core/archive/archive.ts';
import { ledgerDocument } from '../../core/council/ledger/ledger-document.ts';
import type { LedgerDocument } from '../../core/council/ledger/ledger-document.ts';
import type { QuotedInput } from '../../core/council/ledger/quoted-places.ts';
import type { ModeSummary } from '../../core/council/state/mode-reading.ts';
import type { Challenge, Contribution, Ledger } from '../../core/council/state/state.ts';
import { A_PAGE } from './parts.ts';
import type { ChoosePart, PagePart } from './parts.ts';

/** A council as one reader may see it: an archive, or what has been revealed of one that goes on. */
export interface Seen {
  archive: Archive;
  /** With the words of every claim and challenge. */
  ledger: LedgerDocument;
  /** Where quotes are looked for; null where none are marked. */
  quotable: QuotedInput | null;
  /** What stands on this page; null for all. */
  part: PagePart | null;
  /** Set while the council goes on. */
  underway: { until: string; hides: boolean; phase: string; tour: number; hasLetters: boolean } | null;
  /** What is no longer word for word in the archive's file, for people. */
  altered: readonly string[];
  /** What came out, in modes that have rules of their own. */
  summary?: ModeSummary | undefined;
}

export const everything: ChoosePart = () => null;

/** What is seen of an archive: everything. */
export function showWholeArchive(
  { archive, summary }: { archive: Archive & { altered?: readonly string[] } } & Pick<Seen, 'summary'>,
  choose: ChoosePart = everything,
): Seen {
  const { meta, contributions, altered = [] } = archive;
  const written = findWrittenSynthesis(archive);
  const part = choose(
    contributions.filter((said) => said !== written),
    meta.ledger,
  );
  const order = meta.participants.map(({ id }) => id);
  return {
    archive,
    summary,
    ledger: ledgerDocument({ ledger: meta.ledger, contributions }),
    quotable: {
      ...{ contributions, claims: meta.ledger.claims, order, shown: showAsWritten },
      challenges: selectQuoting(meta.ledger, part),
    },
    part,
    underway: null,
    altered,
  };
}

/** The coordinator's own words. */
export const findWrittenSynthesis = ({
  contributions,
  synthesis,
}: Pick<Archive, 'contributions' | 'synthesis'>): Contribution | undefined =>
  contributions.findLast(({ phase, by }) => phase === 'SYNTHESIZE' && by === synthesis.by);

/** The challenges whose quotes are marked: those on the page, and so many of others to its claims, as looking for each takes time. */
export function selectQuoting(
  { claims, challenges }: Pick<Ledger, 'claims' | 'challenges'>,
  part: PagePart | null,
): readonly Challenge[] {
  if (part === null) return challenges;
  const here = new Set(claims.filter(part.isHere).map(({ id }) => id));
  const others = challenges.filter((one) => !part.isHere(one) && here.has(one.target ?? ''));
  return [...challenges.filter(part.isHere), ...others.slice(0, A_PAGE)];
}
