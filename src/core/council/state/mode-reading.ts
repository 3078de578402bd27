// Modes whose contributions are not positions: their own rules for reading, showing and summarizing.
import type { ErrorCode } from '../../base/errors.ts';
import type { PhaseName } from './allowed-values.ts';
import type { Council } from './state.ts';

/** A participant's text in a phase, recorded or not. */
export interface TurnText {
  by: string;
  phase: PhaseName;
  text: string;
}

/** A council so far, or as read from its archive. */
export type CouncilTexts = Pick<Council, 'brief' | 'contributions'> & {
  state: Pick<Council['state'], 'order' | 'lang'>;
};

/** The result of a council whose mode has its own rules. */
export interface ModeSummary {
  /** In one sentence. */
  result: string;
  /** In Markdown; used in the archive instead of a synthesis. */
  text: string;
  /** The same in pieces, for a page where readers can filter them. */
  pieces: { before: string; items: SummaryItem[]; after: string };
  /** The error code for a command that plays such a council. */
  failed: ErrorCode | undefined;
}

/** A line of code as a change has it. `number` is of the new file, for a line that was removed of the old one. */
export interface CodeLine {
  mark: ' ' | '+' | '-';
  number: number;
  text: string;
  /** Whether the item is about this line, and not about one beside it. */
  isMeant: boolean;
}

/** One item of a summary, in Markdown. */
export interface SummaryItem {
  text: string;
  /** The lines that it is about with those around them, and what is said of them. */
  code?: { lines: CodeLine[]; said: string };
  /** Filters, in words: every item has the same names, in the same order. */
  facets: { name: string; value: string }[];
}

/** Something that could not be read: a word or id for observers, and a sentence for the author. */
export interface Gap {
  what: string;
  ask: string;
}

/** Reads contributions to councils of one mode. All functions are pure. */
export interface ModeReading {
  /** Returns what `participant` sees instead of the others' contributions; empty if there is nothing. */
  renderOthers(council: Council, participant: string): string;
  /** Returns what could not be read in a text, to ask its author again; empty if everything could. */
  findGaps(council: CouncilTexts, turn: TurnText): Gap[];
  /** Returns ids of participants with nothing left to say after the open phase; they are not asked again. */
  findSettled(council: CouncilTexts & { state: Pick<Council['state'], 'currentPhase'> }): string[];
  summarize(council: CouncilTexts): ModeSummary;
}
