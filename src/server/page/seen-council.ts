// A council as seen by one reader, and what is shown in full on a page; an archive is seen completely.
import { showAsWritten } from '../../core/council/ledger/quotable-texts.ts';
import type { Archive } from '../../core/archive/archive.ts';
import { buildLedgerDocument } from '../../core/council/ledger/ledger-document.ts';
import type { LedgerDocument } from '../../core/council/ledger/ledger-document.ts';
import type { QuotedInput } from '../../core/council/ledger/judge-quotes.ts';
import type { ModeSummary } from '../../core/council/state/mode-reading.ts';
import type { Challenge, Contribution, Ledger } from '../../core/council/state/state.ts';
import { A_PAGE } from './parts.ts';
import type { ChoosePart, PagePart } from './parts.ts';

/** A council as seen by one reader: an archive, or the revealed part of an active council. */
export interface SeenCouncil {
  archive: Archive;
  /** With the texts of all claims and challenges. */
  ledger: LedgerDocument;
  /** The texts to search for quotes; null if none are marked. */
  quotable: QuotedInput | null;
  /** The part shown on this page; null for all. */
  part: PagePart | null;
  /** Set while the council is active. */
  underway: { until: string; hides: boolean; phase: string; tour: number; hasLetters: boolean } | null;
  /** The parts of the archive's file that are no longer verbatim, for display. */
  altered: readonly string[];
  /** The summary in modes with their own rules. */
  summary?: ModeSummary | undefined;
}

export const chooseEverything: ChoosePart = () => null;

export function showWholeArchive(
  { archive, summary }: { archive: Archive & { altered?: readonly string[] } } & Pick<SeenCouncil, 'summary'>,
  choose: ChoosePart = chooseEverything,
): SeenCouncil {
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
    ledger: buildLedgerDocument({ ledger: meta.ledger, contributions }),
    quotable: {
      ...{ contributions, claims: meta.ledger.claims, order, shown: showAsWritten },
      challenges: selectQuoting(meta.ledger, part),
    },
    part,
    underway: null,
    altered,
  };
}

export const findWrittenSynthesis = ({
  contributions,
  synthesis,
}: Pick<Archive, 'contributions' | 'synthesis'>): Contribution | undefined =>
  contributions.findLast(({ phase, by }) => phase === 'SYNTHESIZE' && by === synthesis.by);

/**
 * Returns the challenges whose quotes are marked: those on the page, and a limited number of others to its claims.
 */
export function selectQuoting(
  { claims, challenges }: Pick<Ledger, 'claims' | 'challenges'>,
  part: PagePart | null,
): readonly Challenge[] {
  if (part === null) return challenges;
  const here = new Set(claims.filter(part.isHere).map(({ id }) => id));
  const others = challenges.filter((one) => !part.isHere(one) && here.has(one.target ?? ''));
  return [...challenges.filter(part.isHere), ...others.slice(0, A_PAGE)];
}
