// What a room adds to a mode whose contributions are no positions: they are read, shown and summed up by its own rules.
import type { ErrorCode } from '../../base/errors.ts';
import type { PhaseName } from './choices.ts';
import type { Council } from './state.ts';

/** A text of one participant in one phase, recorded or not. */
export interface TurnText {
  by: string;
  phase: PhaseName;
  text: string;
}

/** A council as far as it has come, or as its archive tells it. */
export type Said = Pick<Council, 'brief' | 'contributions'> & {
  state: Pick<Council['state'], 'order' | 'lang'>;
};

/** The result of a council whose mode has rules of its own. */
export interface ModeSummary {
  /** In a sentence. */
  result: string;
  /** In Markdown, which the archive has in place of a synthesis. */
  text: string;
  /** The same in pieces, for a page on which readers choose among them. */
  pieces: { before: string; items: SummaryItem[]; after: string };
  /** What a command that plays such a council fails with. */
  failed: ErrorCode | undefined;
}

/** One item of a summary, in Markdown. */
export interface SummaryItem {
  text: string;
  /** What readers filter by, in words: the same names for every item, in the same order. */
  facets: { name: string; value: string }[];
}

/** Something that could not be read: in a word or an id for those who watch, and in a sentence for its author. */
export interface Gap {
  what: string;
  ask: string;
}

/** How contributions to councils of one mode are read. Every function is pure. */
export interface ModeReading {
  /** What `participant` sees in the open phase in place of what the others have said; empty where there is nothing. */
  renderOthers(council: Council, participant: string): string;
  /** What could not be read in a text, for its author, who is asked once more; empty where all could. */
  findGaps(council: Said, turn: TurnText): Gap[];
  /** Ids of the participants who have nothing left to say once the open phase has closed: they are not asked again. */
  findSettled(council: Said & { state: Pick<Council['state'], 'currentPhase'> }): string[];
  summarize(council: Said): ModeSummary;
}
