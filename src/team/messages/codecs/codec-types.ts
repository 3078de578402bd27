// What every codec returns: a message or a text, or the error that its format has for what is wrong.
import type { Message } from '../message.ts';

/** What is wrong with a message, in the words of its own format. */
export interface WireError {
  /** A code of the version that was read or written; `too_large`, `unauthorized` and `too_often` where it has none. */
  code: string;
  /** The number of the segment, from 1; 0 when there are too many or too few, and in JSON. For V1 the line. */
  segment: number;
  /** The segment in lower case, or the path in a JSON document. */
  name: string;
  expected: string;
  received: string;
}

export type Failed = { ok: false; error: WireError };
export type Decoded = { ok: true; value: Message; warnings: string[] } | Failed;
export type Encoded = { ok: true; value: string } | Failed;

/** What a caller may ask of a codec. */
export interface EncodeOptions {
  /** Also writes what only examples contain: the ids M0, T0 and S0, the type Q, the name User, DEPTH `-`. */
  asRead?: boolean;
}

export interface Codec {
  decode(text: string): Decoded;
  encode(message: Message, options?: EncodeOptions): Encoded;
}

const LONGEST = 80;

/** A refusal; what was received is cut, for it may be anything. */
export const createWireFailure = (
  code: string,
  segment: number,
  name: string,
  expected: string,
  received: string,
): Failed => ({ ok: false, error: { code, segment, name, expected, received: shortenReceived(received) } });

function shortenReceived(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST).toWellFormed()}…`;
}
