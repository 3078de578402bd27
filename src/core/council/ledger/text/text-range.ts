// A place in a text, which all readers of texts share.

/** A part of a text, in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}
