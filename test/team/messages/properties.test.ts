import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codecs, formatOf } from '../../../src/team/messages/codecs/codecs.ts';
import type { LineVersion } from '../../../src/team/messages/codecs/grammar.ts';
import { convert } from '../../../src/team/messages/convert.ts';
import { FORMATS_BY_FIELD, FORMATS } from '../../../src/team/messages/message.ts';
import type { FieldName, Format, Message } from '../../../src/team/messages/message.ts';
import { blocks, envelopes, file, linesOf, valid } from './samples.ts';
import { countCases } from '../../helpers/long.ts';

const VERSIONS = ['v2', 'v3', 'v4', 'v5'] as const;
/** A long run: `PROTOCOL_INPUTS=1000000 vitest run test/team/messages/properties.test.ts`. */
const INPUTS = Number(process.env.PROTOCOL_INPUTS ?? 5000);

const examples = [...VERSIONS.flatMap(linesOf), ...blocks(), file(), ...envelopes().map(([, text]) => text)];

/** An example that somebody has cut, doubled or written into. */
const damaged = fc
  .tuple(
    fc.constantFrom(...examples),
    fc.nat(),
    fc.nat(8),
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('|', '>', ':', '-', '\0', '\u202E', '\n', '"', '{', 'E99:', '\uD800'),
    ),
  )
  .map(([text, at, cut, added]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + added + text.slice(place + cut);
  });
const anyText = fc.oneof(
  { weight: 3, arbitrary: damaged },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.string({ maxLength: 8 }), { maxLength: 14 }).map((parts) => parts.join('|')),
  },
  { weight: 1, arbitrary: fc.json() },
);

describe('any text', () => {
  it('is read or refused, by every codec', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(FORMATS).toContain(formatOf(text));
        for (const format of FORMATS) {
          const result = codecs[format].decode(text);
          if (!result.ok) {
            expect(result.error.code).toMatch(/^(E\d\d|too_large)$/);
            expect(result.error.received.length).toBeLessThanOrEqual(81);
          } else codecs[format].encode(result.value);
        }
      }),
      { numRuns: countCases(INPUTS) },
    );
  }, 3_600_000);

  it('that was read is written as it was, or refused: as it was read, always', () => {
    fc.assert(
      fc.property(fc.constantFrom(...VERSIONS), anyText, (version, text) => {
        const result = codecs[version].decode(text);
        if (!result.ok || result.warnings.length > 0) return;
        const again = codecs[version].encode(result.value, { asRead: true });
        expect(again).toMatchObject({ ok: true });
        const { value } = again as { value: string };
        expect(codecs[version].decode(value)).toEqual(result);
      }),
      { numRuns: countCases(INPUTS) },
    );
  }, 3_600_000);

  it.each(FORMATS)('of ten megabytes is no burden for %s', (format) => {
    for (const unit of ['a', '|', 'M1|', '[', '{"a":', '=;', 'W1.'])
      codecs[format].decode(unit.repeat(10_000_000 / unit.length));
  });
});

const withoutData = ({ data: _, ...message }: Message): Message => message;

describe('a valid message', () => {
  it.each(FORMATS)('of %s is the same after it was written and read', (version) => {
    fc.assert(
      fc.property(valid[version], (message) => {
        const encoded = codecs[version].encode(message);
        expect(encoded).toMatchObject({ ok: true });
        const decoded = codecs[version].decode((encoded as { value: string }).value);
        expect(decoded.ok && withoutData(decoded.value)).toEqual(message);
      }),
    );
  });

  it('keeps what both formats carry, wherever it goes and comes back from', () => {
    const pairs = VERSIONS.flatMap((from) =>
      [...VERSIONS, 'v1' as const, 'file' as const, 'envelope' as const].map((to) => [from, to] as const),
    );
    fc.assert(
      fc.property(
        fc
          .constantFrom(...pairs)
          .chain(([from, to]) => valid[from].map((message) => [from, to, message] as const)),
        ([from, to, message]) => keepsWhatBothCarry(from, to, message),
      ),
      { numRuns: countCases(2000) },
    );
  });
});

function keepsWhatBothCarry(from: LineVersion, to: Format, message: Message): void {
  const now = '2026-11-22T12:00:00Z';
  const { value } = codecs[from].encode(message) as { value: string };
  const there = convert(value, from, to, { now });
  if (!there.ok) return;
  // An envelope's id is made of the line's; the way back needs to be told which.
  const arrived = codecs[to].decode(there.text) as { value: Message };
  const back = convert(there.text, to, from, { now, map: { [arrived.value.id]: message.id } });
  if (!back.ok) return;
  const returned = (codecs[from].decode(back.text) as { value: Message }).value;
  const kept = (Object.keys(FORMATS_BY_FIELD) as FieldName[]).filter(
    (field) =>
      // An envelope must have what a line may lack: an error's code and words.
      message[field] !== undefined &&
      FORMATS_BY_FIELD[field].includes(from) &&
      !there.lost.includes(field) &&
      !back.lost.includes(field),
  );
  // Those that one of the two cannot carry are in `lost`, so that everything else is the same.
  for (const field of kept)
    // No error is none at all where there is no code for it.
    if (field !== 'depth' && field !== 'data' && !(field === 'error' && message.error === 'E00'))
      expect([field, returned[field]]).toEqual([field, message[field]]);
}
