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

/** How contributions to councils of one mode are read. Every function is pure. */
export interface ModeReading {
  /** What `participant` sees in the open phase in place of what the others have said; empty where there is nothing. */
  renderOthers(council: Council, participant: string): string;
  /** What could not be read in a text, a sentence each, for its author, who is asked once more; empty where all could. */
  findGaps(council: Said, turn: TurnText): string[];
  /** Whether nothing is left to say once the open phase has closed. */
  isSettled(council: Council): boolean;
  /**
   * What came out: in a sentence, and in Markdown, which the archive has in place of a synthesis. `failed`: what a command that
   * plays such a council fails with.
   */
  summarize(council: Said): { result: string; text: string; failed: ErrorCode | undefined };
}
