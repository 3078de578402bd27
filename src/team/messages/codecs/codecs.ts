// All codecs by the name of their format, and how a text without a name is recognised.
import type { Format } from '../message.ts';
import { blockCodec } from './block-codec.ts';
import { envelopeCodec, isEnvelope } from './envelope.ts';
import { fileCodec } from './json-file.ts';
import { lineCodec } from './line-codec.ts';
import type { Codec } from './codec-types.ts';
import { parseJsonObject } from './json-shape.ts';

export const codecs: Record<Format, Codec> = {
  v1: blockCodec,
  v2: lineCodec('v2'),
  v3: lineCodec('v3'),
  v4: lineCodec('v4'),
  v5: lineCodec('v5'),
  file: fileCodec,
  envelope: envelopeCodec,
};

const BY_COUNT: Record<number, Format> = { 5: 'v2', 7: 'v3', 8: 'v4', 11: 'v5' };
const MOST = 11;

/** The format of a text: by its brackets or braces, else by the number of its segments, else by the form of its id. */
export function formatOf(text: string): Format {
  const start = text.trimStart();
  // A list in JSON is no block: it is told what a file has to be.
  if (/^\[\s*[[{"]/.test(start)) return 'file';
  if (start.startsWith('[')) return 'v1';
  if (start.startsWith('{')) {
    const read = parseJsonObject(text);
    return read.ok
      ? isEnvelope(read.json)
        ? 'envelope'
        : 'file'
      : /"header"\s*:/.test(text)
        ? 'envelope'
        : 'file';
  }
  const named = BY_COUNT[text.split('|', MOST + 1).length];
  const isLong = start.startsWith('MSG_');
  // A line of another count is wrong in any version: the newest that has such ids says how.
  if (named !== undefined && isLong === (named === 'v2' || named === 'v3')) return named;
  return isLong ? 'v3' : 'v5';
}
