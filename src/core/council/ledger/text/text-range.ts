// The range type shared by all text readers.

/** A range of a text, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}
