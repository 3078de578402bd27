/** A part of a text, in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}
