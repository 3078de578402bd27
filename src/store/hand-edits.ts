/**
 * What people have changed by hand in the text that a driver shows them of a document. A hand edit is no revision: commits go
 * on and leave it alone, until somebody adopts or drops it.
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
}
