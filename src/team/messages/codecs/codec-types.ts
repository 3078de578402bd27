// What every codec returns: a message, a text, or an error; and the error codes of each version by meaning.
import type { Message, Format } from '../message.ts';

/** What is wrong with a message, in terms of its own format. */
export interface WireError {
  /** A code of the version that was read or written; `too_large`, `unauthorized` and `too_often` if it has none. */
  code: string;
  /** The number of the segment, from 1; 0 for a wrong number of segments, and in JSON. In V1, the line. */
  segment: number;
  /** The segment in lower case, or the path in a JSON document. */
  name: string;
  expected: string;
  received: string;
}

export type Failed = { ok: false; error: WireError };
export type Decoded = { ok: true; value: Message; warnings: string[] } | Failed;
export type Encoded = { ok: true; value: string } | Failed;

/** Options for encoding. */
export interface EncodeOptions {
  /** Also writes what only examples contain: the ids M0, T0 and S0, the type Q, the name User, DEPTH `-`. */
  asRead?: boolean;
}

export interface Codec {
  decode(text: string): Decoded;
  encode(message: Message, options?: EncodeOptions): Encoded;
}

const LONGEST_RECEIVED = 80;

/** Creates a failure; shortens the received text, which may be long. */
export const createWireFailure = (
  code: string,
  segment: number,
  name: string,
  expected: string,
  received: string,
): Failed => ({ ok: false, error: { code, segment, name, expected, received: shortenReceived(received) } });

function shortenReceived(text: string): string {
  if (text.length <= LONGEST_RECEIVED) return text;
  return `${text.slice(0, LONGEST_RECEIVED).toWellFormed()}…`;
}

type Codes = Partial<Record<'v2' | 'v3' | 'v4' | 'v5', string>>;

/** One row per meaning. V1 lists no codes and uses those of V2; envelopes carry those of V5. */
export const MEANINGS: Record<string, Codes> = {
  'no error': { v5: 'E00' },
  'file not found': { v2: 'E01', v3: 'E01', v4: 'E01', v5: 'E33' },
  'wrong format of DATA': { v2: 'E02', v3: 'E02', v4: 'E02', v5: 'E12' },
  'not to be read': { v3: 'E05', v4: 'E05', v5: 'E10' },
  'missing segment': { v4: 'E03' },
  'value out of range': { v4: 'E04' },
  'wrong priority': { v3: 'E10', v4: 'E10', v5: 'E11' },
  'wrong route': { v4: 'E13', v5: 'E13' },
  'unknown type': { v4: 'E14', v5: 'E14' },
  'wrong transition': { v4: 'E15', v5: 'E15' },
  'two agents with one id': { v4: 'E11' },
  'handed on too often': { v5: 'E16' },
  'budget too small': { v5: 'E17' },
  'asked back too often': { v5: 'E18' },
  'capability missing': { v5: 'E19' },
  'time is up': { v2: 'E03', v3: 'E03', v4: 'E20', v5: 'E20' },
  'no answer in time': { v4: 'E21', v5: 'E21' },
  'no heartbeat': { v4: 'E22', v5: 'E22' },
  'no decision in time': { v5: 'E23' },
  'worker unavailable': { v5: 'E30' },
  busy: { v3: 'E06', v4: 'E06', v5: 'E31' },
  'resource unavailable': { v2: 'E04', v3: 'E04', v4: 'E07', v5: 'E32' },
  'unknown task': { v3: 'E09', v4: 'E09', v5: 'E40' },
  'unknown agent': { v3: 'E08', v4: 'E08', v5: 'E41' },
  'unknown session': { v5: 'E42' },
  'wrong reference': { v5: 'E43' },
  'version does not fit': { v3: 'E07', v4: 'E12', v5: 'E90' },
  other: { v2: 'E99', v3: 'E99', v4: 'E99', v5: 'E99' },
};

/** Meanings that another version covers with a wider one. */
const WIDER: Record<string, string> = {
  'missing segment': 'not to be read',
  // In V5, a collision has the code of an unknown agent.
  'two agents with one id': 'unknown agent',
};

const OTHER = 'E99';
const selectCodeVersion = (format: Format): keyof Codes | undefined => {
  if (format === 'v1') return 'v2';
  if (format === 'envelope') return 'v5';
  return format === 'file' ? undefined : format;
};

/** Returns the code of another format with the same meaning: undefined if nothing is wrong, E99 if it has none. */
export function convertCode(
  code: string,
  from: Format,
  to: Format,
): { code: string | undefined; isLost: boolean } {
  const [source, target] = [selectCodeVersion(from), selectCodeVersion(to)];
  // Only envelopes may carry other codes.
  if (to !== 'envelope' && !/^E\d{2}$/.test(code)) return { code: OTHER, isLost: true };
  if (source === target || source === undefined || target === undefined) return { code, isLost: false };
  const found = Object.entries(MEANINGS).find(([, codes]) => codes[source] === code);
  if (!found) return to === 'envelope' ? { code, isLost: false } : { code: OTHER, isLost: true };
  const [meaning, codes] = found;
  if (meaning === 'no error') return { code: undefined, isLost: false };
  const wider = WIDER[meaning];
  const same = codes[target] ?? (wider === undefined ? undefined : MEANINGS[wider]?.[target]);
  return { code: same ?? OTHER, isLost: same === undefined };
}
