import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, redactLine } from '../../../../src/core/agents/runners/redact.ts';
import { expectLinear } from '../../../helpers/growth.ts';
import { countCases } from '../../../helpers/long.ts';

const SECRET = 'p@ss W0rd/ü?"key\\42';
const KEY = 'sEcr3tToken_9f81';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const everyByte = (text: string, write: (byte: number) => string): string =>
  [...Buffer.from(text)].map(write).join('');
const hex2 = (byte: number): string => byte.toString(16).padStart(2, '0');
const unicode = (text: string): string =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
const lines = (text: string, every: number): string =>
  text.match(new RegExp(`[^]{1,${every}}`, 'gu'))!.join('\n');

/** Ways in which a program may print a secret. */
const SPELLINGS: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  'in JSON': (secret) => JSON.stringify({ key: secret }),
  'in JSON in JSON': (secret) => JSON.stringify(JSON.stringify({ key: secret })),
  'as \\u escapes': unicode,
  'as \\x escapes': (secret) => everyByte(secret, (byte) => `\\x${hex2(byte)}`),
  'in a URL': encodeURIComponent,
  'as a form field': (secret) => new URLSearchParams({ key: secret }).toString(),
  'with every byte percent-encoded': (secret) => everyByte(secret, (byte) => `%${hex2(byte)}`),
  'in a URL in JSON': (secret) => JSON.stringify({ url: `/?key=${encodeURIComponent(secret)}` }),
  'in a URL in a URL': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'as HTML entities': (secret) => [...secret].map((char) => `&#${char.codePointAt(0)};`).join(''),
  'in HTML': (secret) => secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  'in hex': (secret) => Buffer.from(secret).toString('hex'),
  'in HEX': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'in base64': base64,
  'in base64 after one byte': (secret) => base64(`x${secret}`),
  'in base64 after two bytes': (secret) => base64(`ab${secret}`),
  'in base64 between others': (secret) => base64(`user:${secret}:more`),
  'in base64url': base64url,
  'in base64url, between others': (secret) => base64url(`a:${secret}>>???`),
  'in base64, in lines': (secret) => lines(base64(`user:${secret}:more`), 5),
  'in base64, in JSON': (secret) => JSON.stringify({ a: lines(base64(secret), 4) }),
  'in base64, in a URL': (secret) => encodeURIComponent(base64(`>${secret}~`)),
  'over lines': (secret) => lines(secret, 3),
  'over indented lines': (secret) => lines(secret, 6).replaceAll('\n', '\r\n      '),
  'with a space between all characters': (secret) => [...secret].join(' '),
  'with what has no width in it': (secret) => [...secret].join('\u200b'),
};

describe('fault 21: a declared secret in what a program prints', () => {
  it.each(Object.entries(SPELLINGS))('is found %s', (_name, spell) => {
    for (const secret of [SECRET, KEY]) {
      const spelled = spell(secret);
      for (const text of [spelled, `before ${spelled} after`, `[${spelled}]`]) {
        const clean = redact(text, [secret]);
        expect(clean).toContain('[redacted]');
        // Of the middle, which is the secret's own, not five characters are left.
        const middle = spelled.slice(Math.ceil(spelled.length * 0.35), Math.floor(spelled.length * 0.65));
        for (let at = 0; at + 5 <= middle.length; at++) {
          const part = middle.slice(at, at + 5);
          if (/\w\w/.test(part)) expect(clean).not.toContain(part);
        }
      }
    }
  });

  it('is found in every spelling, whatever it is', () => {
    const secret = fc
      .string({ unit: 'grapheme', minLength: 8, maxLength: 40 })
      .filter((text) => text.replace(/\s/g, '').length >= 8 && text.isWellFormed())
      // Not a word, and no white space at its ends.
      .map((text) => `7${text}7`);
    fc.assert(
      fc.property(secret, fc.constantFrom(...Object.keys(SPELLINGS)), (value, way) => {
        expect(redact(`error: ${SPELLINGS[way]!(value)} was refused`, [value])).toContain('[redacted]');
      }),
      { numRuns: countCases(1500) },
    );
  });

  it('is found line by line when it has many', () => {
    const pem = `-----BEGIN KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0B'}\n${'AQEFAASCBKcwggSjAgEAAoIB'}\n-----END KEY-----\n`;
    const clean = redact('bad line: AQEFAASCBKcwggSjAgEAAoIB\nand "MIIEvQIBADANBgkqhkiG9w0B"', [pem]);
    expect(clean).toBe('bad line: [redacted]\nand "[redacted]"');
  });

  it('is found before a long line is cut', () => {
    const line = redactLine(`${'x'.repeat(290)} ${KEY} and more`, [KEY], 300);
    expect(line).not.toContain(KEY.slice(0, 4));
    expect(line).toHaveLength(300);
  });
});

describe('fault 21: what is no secret', () => {
  const LOREM =
    'the agent could not reach https://example.org/v1/chat?model=x%20y&n=1 (exit code 7): "no such file" in C:\\temp\\new, see line 42 of it; base64 aGVsbG8gd29ybGQh and \\u00e9 stay';

  it('stays, whatever the secrets are', () => {
    const word = fc.constantFrom(
      ...LOREM.split(' '),
      'connection',
      'refused',
      'timeout',
      '5000ms',
      '%41',
      '\n',
    );
    const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(' '));
    // Of an alphabet that the text above does not use as a whole: a chance hit would prove nothing.
    const secret = fc
      .array(fc.constantFrom(...'QZJXKVqzjxkv0987@#ü'), { minLength: 4, maxLength: 40 })
      .map((chars) => chars.join(''));
    fc.assert(
      fc.property(text, fc.array(secret, { maxLength: 4 }), (said, secrets) => {
        expect(redact(said, secrets)).toBe(said);
      }),
      { numRuns: countCases(1000) },
    );
  });

  it('stays when a declared value is short, a word, or a number', () => {
    const values = ['1', 'en', 'true', 'info', '8080', 'debug', '', '  ', 'error'];
    expect(redact(LOREM + ' info error 8080 true', values)).toBe(LOREM + ' info error 8080 true');
    // Words that together make a declared one.
    expect(redact('the work space is there', ['workspace'])).toBe('the work space is there');
    expect(redact('in the workspace', ['workspace'])).toBe('in the [redacted]');
  });

  it('stays beside a secret, to the byte', () => {
    expect(redact(`é🦉 a ${KEY} b ${KEY}${KEY} 🦉é`, [KEY])).toBe('é🦉 a [redacted] b [redacted] 🦉é');
    expect(redact(`user ${base64(`ab:${KEY}:cd`)} end`, [KEY])).toMatch(/^user YWI\[redacted\]pjZA== end$/);
  });

  it('takes short ones that look like a secret where they stand alone', () => {
    expect(redact('hunter2, (hunter2) hunter22 xhunter2', ['hunter2'])).toBe(
      '[redacted], ([redacted]) hunter22 xhunter2',
    );
  });

  it('costs time in proportion to the text', async () => {
    await expectLinear('signs', 2000, (n) => {
      const text = '\\%41& \n'.repeat(n);
      expect(redact(text, [SECRET, KEY, 'a'.repeat(4000)])).toBe(text);
    });
  });
});
