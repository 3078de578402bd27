// Types of an archive, which is a finished council as facts, and small helpers.
import { posix } from 'node:path';
import { toSafeLine } from '../council/document/state-page.ts';
import type { CouncilTexts } from '../council/state/mode-reading.ts';
import type { Absence, Contribution } from '../council/state/state.ts';
import type { PhaseName } from '../council/state/allowed-values.ts';
import type { FrontMatter } from './meta-schema.ts';
import type { Outcome } from './outcome-record.ts';

/** A text that came too late: it is kept in the project, and the archive only names it. */
export interface LateFact {
  name: string;
  bytes: number;
  sha256: string;
  /** Relative to the project's root. */
  path: string;
}

/** The facts of an archive, and its location. */
export interface ArchiveMeta extends Omit<FrontMatter, 'absences' | 'late'> {
  /** The file name without extension. */
  id: string;
  /** Relative to the project's root: `conseils/YYYY-MM-DD-slug.md`. */
  path: string;
}

export interface Synthesis {
  text: string;
  /** The coordinator who wrote it; null for the computed digest. */
  by: string | null;
  computed: boolean;
  /** The participant whose runner the coordinator borrowed, if any, and the model. */
  lender: string | null;
  model: string | null;
  /** It names a different decision than the one counted, which remains valid. */
  contradicts: boolean;
  /** It mentions neither the decision nor any position, so the computed digest comes first. */
  silent?: true;
}

/** A finished council: the same facts whether read from the closing revision or from the archive's file. */
export interface Archive {
  meta: ArchiveMeta;
  brief: string;
  synthesis: Synthesis;
  /** All contributions, including the synthesis, by round, then by seat. */
  contributions: Contribution[];
  absences: Absence[];
  late: LateFact[];
  /** Outcomes recorded in separate files, oldest first. */
  outcomes?: Outcome[];
}

/** The contributions, and what council knows about them. */
export type Proceedings = Pick<Archive, 'meta' | 'contributions'>;
/** An archive before the synthesis or digest is added. */
export type WithoutSynthesis = Omit<Archive, 'synthesis'>;

/** Returns the part of an archive that a mode's reading rules use. */
export const toSaid = ({ brief, contributions, meta }: WithoutSynthesis): CouncilTexts => ({
  brief,
  contributions,
  state: { order: meta.participants.map(({ id }) => id), lang: meta.lang },
});

/** Returns the coordinator's synthesis, if any, with its recorded facts. */
export function findWrittenSynthesis(
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

/** Returns council's own digest as a synthesis. */
export const toComputedSynthesis = (text: string): Synthesis => ({
  text,
  by: null,
  computed: true,
  lender: null,
  model: null,
  contradicts: false,
});

/** Returns the id of an archive: its file name without extension. */
export const archiveId = (path: string): string => posix.basename(path, '.md');

/** Returns a participant or the coordinator as shown in headings; unknown ids are returned as they are. */
export function renderParticipantName(meta: ArchiveMeta, id: string): string {
  if (id === meta.coordinator && meta.coordinatorShown) return toSafeLine(meta.coordinatorShown);
  const seat = meta.participants.find((p) => p.id === id);
  return toSafeLine(seat ? `${seat.emoji} ${seat.title}` : id);
}

export const isDecided = ({ decision }: Pick<ArchiveMeta, 'decision'>): boolean => decision?.decided ?? false;

/** Returns the phase of every round in which something happened, in order. */
export function listRounds({
  meta,
  contributions,
}: Pick<Archive, 'meta' | 'contributions'>): [number, PhaseName][] {
  const rounds = new Map<number, PhaseName>(meta.transitions.map((t) => [t.tour, t.from]));
  for (const c of contributions) rounds.set(c.tour, c.phase);
  return [...rounds].sort(([a], [b]) => a - b);
}
