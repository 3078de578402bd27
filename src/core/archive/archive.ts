// Types of an archive: a finished council as facts, with small helpers on them.
import { posix } from 'node:path';
import { safe } from '../council/document/page.ts';
import type { Said } from '../council/state/mode-reading.ts';
import type { Absence, Contribution } from '../council/state/state.ts';
import type { PhaseName } from '../council/state/choices.ts';
import type { FrontMatter } from './meta-schema.ts';
import type { Outcome } from './outcome-record.ts';

/** A text that came too late: it lies in the project, and the archive only names it. */
export interface LateFact {
  name: string;
  bytes: number;
  sha256: string;
  /** Relative to the project's root. */
  path: string;
}

/** What the front matter of an archive says, and where the archive lies. */
export interface ArchiveMeta extends Omit<FrontMatter, 'absences' | 'late'> {
  /** The file's stem. */
  id: string;
  /** Relative to the project's root: `conseils/YYYY-MM-DD-slug.md`. */
  path: string;
}

export interface Synthesis {
  text: string;
  /** The coordinator who wrote it; null for the computed digest. */
  by: string | null;
  computed: boolean;
  /** Whose runner it was, where the coordinator borrowed one, and its model. */
  lender: string | null;
  model: string | null;
  /** It names another decision than the one that was counted, which stands. */
  contradicts: boolean;
  /** It names neither what was decided nor any position: the computed digest comes first. */
  silent?: true;
}

/** A finished council: the same facts whether they come from the closing revision or from the archive's file. */
export interface Archive {
  meta: ArchiveMeta;
  brief: string;
  synthesis: Synthesis;
  /** Everything that was said, the synthesis included, in the order of tours, then seats. */
  contributions: Contribution[];
  absences: Absence[];
  late: LateFact[];
  /** What turned out, as records beside the file say, the oldest first. */
  outcomes?: Outcome[];
}

/** What was said, and what council knows about it. */
export type Proceedings = Pick<Archive, 'meta' | 'contributions'>;
/** An archive before anybody, or council itself, has summed it up. */
export type WithoutSynthesis = Omit<Archive, 'synthesis'>;

/** What was said, as the rules of a mode read it. */
export const toSaid = ({ brief, contributions, meta }: WithoutSynthesis): Said => ({
  brief,
  contributions,
  state: { order: meta.participants.map(({ id }) => id), lang: meta.lang },
});

/** The synthesis that a coordinator wrote, if one did, with what was recorded of it. */
export function writtenSynthesis(
  contributions: Contribution[],
  mark: ArchiveMeta['synthesis'],
): Synthesis | undefined {
  const said = contributions.findLast((c) => c.phase === 'SYNTHESIZE');
  const { lender = null, model = null, contradicts = false, silent } = mark ?? {};
  return (
    said && {
      text: said.text,
      by: said.by,
      computed: false,
      lender,
      model,
      contradicts,
      ...(silent && { silent }),
    }
  );
}

/** The digest that council itself has computed. */
export const computedSynthesis = (text: string): Synthesis => ({
  text,
  by: null,
  computed: true,
  lender: null,
  model: null,
  contradicts: false,
});

/** The id of an archive: the stem of its file. */
export const archiveId = (path: string): string => posix.basename(path, '.md');

/** A participant or the coordinator as headings show it; an id that the archive does not know stays an id. */
export function renderParticipantName(meta: ArchiveMeta, id: string): string {
  if (id === meta.coordinator && meta.coordinatorShown) return safe(meta.coordinatorShown);
  const seat = meta.participants.find((p) => p.id === id);
  return safe(seat ? `${seat.emoji} ${seat.title}` : id);
}

export const isDecided = ({ decision }: Pick<ArchiveMeta, 'decision'>): boolean => decision?.decided ?? false;

/** The phase of every tour in which something happened, in order. */
export function listRounds({
  meta,
  contributions,
}: Pick<Archive, 'meta' | 'contributions'>): [number, PhaseName][] {
  const tours = new Map<number, PhaseName>(meta.transitions.map((t) => [t.tour, t.from]));
  for (const c of contributions) tours.set(c.tour, c.phase);
  return [...tours].sort(([a], [b]) => a - b);
}
