import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import {
  toCommentSafeJson,
  decodeText,
  escapeComments,
  toOneLine,
  parseJsonSafely,
  requireCleanText,
  restoreComments,
} from '../../../src/core/base/text.ts';
import { expectLinear } from '../../helpers/growth.ts';
import { countCases } from '../../helpers/long.ts';

/** Texts that are dense in what the escaping looks at. */
const nasty = fc
  .array(fc.constantFrom('<', '\\', '!', '-', '!--', '<!--', '<\\!--', '-->', 'a', '\n'), { maxLength: 30 })
  .map((parts) => parts.join(''));
const anyText = fc.oneof(nasty, fc.string({ unit: 'binary' }));
const encode = (text: string) => new TextEncoder().encode(text);

describe('escapeComments', () => {
  it('is undone by restoreComments, for every text', () => {
    fc.assert(
      fc.property(anyText, (text) => restoreComments(escapeComments(text)) === text),
      { numRuns: countCases(2000) },
    );
  });

  it('leaves nothing that opens a comment', () => {
    fc.assert(
      fc.property(anyText, (text) => !escapeComments(text).includes('<!--')),
      { numRuns: countCases(2000) },
    );
  });

  it('maps different texts to different texts, what is escaped already included', () => {
    const texts = ['<!--', '<\\!--', '<\\\\!--', '<\\\\\\!--'];
    expect(texts.map(escapeComments)).toEqual(['<\\!--', '<\\\\!--', '<\\\\\\!--', '<\\\\\\\\!--']);
  });

  it('touches nothing else', () => {
    for (const text of ['a -- b', '<! --', '<-', '\\!--', 'x !-- y', '<p>', '&lt;!--'])
      expect(escapeComments(text)).toBe(text);
  });

  it('is linear in what it must look at', async () => {
    await expectLinear('backslashes', 250_000, (n) => {
      const text = ('<' + '\\'.repeat(n / 250)).repeat(250) + '!--';
      expect(restoreComments(escapeComments(text))).toBe(text);
    });
  });
});

describe('decodeText', () => {
  it('gives every clean text back exactly, BOM and line ends included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const text = raw.replaceAll('\0', '');
        expect(decodeText(encode(text), 'it')).toBe(text);
      }),
    );
    expect(decodeText(encode('\uFEFFa\r\nb\r'), 'it')).toBe('\uFEFFa\r\nb\r');
  });

  it.each([
    ['UTF-16LE', Buffer.from('\uFEFF# Split?', 'utf16le')],
    ['UTF-16BE', Buffer.from('\uFEFF# Split?', 'utf16le').swap16()],
    ['UTF-16LE', Buffer.from('# Split the shop?', 'utf16le')],
    ['UTF-16BE', Buffer.from('# Split the shop?', 'utf16le').swap16()],
  ])('refuses %s by its name', (name, bytes) => {
    expect(() => decodeText(bytes, 'The brief')).toThrow(`The brief is ${name}, and UTF-8 is read`);
  });

  it('refuses bytes that are not UTF-8, and names the text and its length', () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      expect(() => decodeText(new Uint8Array(bytes), 'the brief')).toThrow(
        expect.objectContaining({
          code: 'invalid_text',
          message: `the brief is not valid UTF-8 (${bytes.length} bytes).`,
        }),
      );
    }
  });

  it('refuses NUL and says where', () => {
    expect(() => decodeText(encode('ab\0c'), 'the text')).toThrow(/NUL character at offset 2/);
  });
});

describe('requireCleanText', () => {
  it('refuses halves of surrogate pairs and accepts whole ones', () => {
    for (const [text, offset] of [
      ['a\uD83E', 1],
      ['\uDD89', 0],
      ['\uDD89\uD83E', 0],
      ['🦉\uD83Ex', 2],
    ] as const) {
      expect(() => requireCleanText(text, 'it')).toThrow(`half of a surrogate pair at offset ${offset}`);
    }
    expect(() => requireCleanText('🦉 \u{10FFFF}\uFEFF', 'it')).not.toThrow();
  });
});

describe('toOneLine', () => {
  it('folds white space and cuts by characters, not by halves of them', () => {
    expect(toOneLine('  a\n\n b\tc ')).toBe('a b c');
    expect(toOneLine('🦉🦉🦉🦉', 3)).toBe('🦉🦉…');
    expect(toOneLine('abc', 3)).toBe('abc');
  });

  it('of a long text is that of the whole text', () => {
    const rare = fc.constantFrom(
      '🦉',
      ' ',
      ' '.repeat(300),
      '\u200B'.repeat(300),
      '\x1b[1m',
      'e\u0301',
      'word',
      'a\n',
    );
    fc.assert(
      fc.property(fc.array(rare, { maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (parts, max) => {
        const text = parts.join('');
        const chars = [...toOneLine(text, text.length + 1)];
        expect(toOneLine(text, max)).toBe(
          chars.length > max ? `${chars.slice(0, max - 1).join('')}…` : chars.join(''),
        );
      }),
    );
  });

  it('is one line of at most `max` characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
        const line = toOneLine(text, max);
        expect(line).not.toMatch(/[\n\r]/);
        expect([...line].length).toBeLessThanOrEqual(max);
      }),
    );
  });
});

describe('toCommentSafeJson', () => {
  it('can neither end nor open a comment, and parses back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), nasty, (value, text) => {
        const json = toCommentSafeJson({ value, text });
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
      }),
    );
  });
});

describe('parseJsonSafely', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        if (/"(__proto__|constructor|prototype)":/.test(json)) return;
        expect(parseJsonSafely(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('refuses keys that reach into a prototype, at any depth and however spelled', () => {
    for (const json of [
      '{"__proto__":{"admin":true}}',
      '[{"a":{"constructor":1}}]',
      '{"a":{"prototype":null}}',
      '{"\\u005f_proto__":1}',
      '{"\\u0063onstructor":1}',
    ]) {
      expect(() => parseJsonSafely(json), json).toThrow(SyntaxError);
    }
  });

  it('accepts the same words as values', () => {
    expect(parseJsonSafely('{"a":"__proto__","b":["constructor"]}')).toEqual({
      a: '__proto__',
      b: ['constructor'],
    });
  });

  it('throws SyntaxError for what is no JSON', () => {
    expect(() => parseJsonSafely('{')).toThrow(SyntaxError);
  });
});
