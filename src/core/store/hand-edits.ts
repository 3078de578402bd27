// The port of what was changed beside the engine: by people in a state file, and by another machine in a folder that is synced.
import type { Copy } from './census.ts';

/**
 * A document with conflict copies of a sync program: two machines went on with it. `line` are the texts that the newest
 * revision was made from, itself first; `aside` those that it was not made from, with the files that hold them.
 */
export interface Branches {
  key: string;
  line: string[];
  aside: { path: string; text: string }[];
  /** Every file that was kept aside, whatever it holds. */
  copies: Copy[];
  /** The paths of those that could be read. */
  whole: string[];
}

/** Where to look for what was kept aside. */
export interface WantedBranches {
  /** One document only. */
  key?: string | undefined;
  /** A text from elsewhere, which is compared with that document. */
  given?: { path: string; text: string } | undefined;
  /** Looks into a history only where something was kept aside of its state file: for what passes over very many. */
  isBrief?: boolean;
}

/**
 * What people have changed by hand in the text that a driver shows them of a document. A hand edit is no revision: commits go
 * on and leave it alone, until it is adopted or dropped.
 */
export interface HandEdits {
  /** The file that people open; nothing is looked up. */
  projectionPath(key: string): string;
  /** True while that file holds a hand edit. */
  isEdited(key: string): Promise<boolean>;
  /** True when a state block can be read in that file: without one a hand edit cannot be adopted. */
  holdsState(key: string): Promise<boolean>;
  /** The text of the hand edit, for adopting it: commit it (stamped anew), then `dropEdit`. Rejects with `invalid_text` when it is not UTF-8. */
  editedText(key: string): Promise<string | undefined>;
  /** Shows the head again. A hand edit is kept first; resolves to where. */
  dropEdit(key: string): Promise<string | undefined>;
  /** The documents that have conflict copies. */
  branches(wanted?: WantedBranches): Promise<Branches[]>;
}
