import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  escapeJson,
  cleanForOutput,
  cleanForTerminal,
  formatPrintableJson,
  styleForOutput,
} from '../../../src/core/base/terminal.ts';
import { expectLinear } from '../../helpers/growth.ts';
import { countCases } from '../../helpers/long.ts';

describe('cleanForTerminal', () => {
  const units = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom(
      '\u200D',
      '\uFE0F',
      '\u200C',
      '\u{E0100}',
      '👩',
      '字',
      'ہ',
      '⚖',
      '\x1b[31m',
      '\r\n',
      '\u202E',
      '\uDB40',
      '\uDC41',
      '\u{E0041}',
      '\u009B',
      'a',
      '🦉',
    ),
  );
  const wild = fc.array(units).map((parts) => parts.join(''));
  const forbidden =
    // eslint-disable-next-line no-control-regex, no-misleading-character-class
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\u{E0000}-\u{E007F}\uFFF9-\uFFFB\u200B\u2060\u2064\uFEFF\u00AD\u034F\u3164]/u;

  it('leaves no control, bidi or tag character, whatever comes in', () => {
    fc.assert(
      fc.property(wild, (text) => !forbidden.test(cleanForTerminal(text))),
      { numRuns: countCases(2000) },
    );
  });

  it('does not join two halves into a tag character', () => {
    expect(cleanForTerminal('\uDB40\u0007\uDC41')).not.toMatch(forbidden);
  });

  it('drops a sign or keeps it, whatever stands beside it', () => {
    for (let code = 0; code < 0x20000; code++) {
      const sign = String.fromCodePoint(code).toWellFormed();
      expect(cleanForTerminal(`a${sign}`), code.toString(16)).toBe(cleanForTerminal(`\u0001a${sign}`));
    }
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(wild, (text) => cleanForTerminal(cleanForTerminal(text)) === cleanForTerminal(text)),
    );
  });

  it('keeps ordinary text, tabs, line ends and emoji with joiners', () => {
    const text = 'é 漢字\tالعربية\n👩‍💻 🏳️‍🌈\n';
    expect(cleanForTerminal(text)).toBe(text);
    expect(cleanForTerminal('a\r\nb')).toBe('a\nb');
    expect(cleanForTerminal('\x1b]0;title\x07\x1b[2Jx')).toBe(']0;title[2Jx');
  });

  it.each([
    ['emoji', '👩‍💻 ❤️ 🏳️‍🌈 🏴‍☠️ 👁️‍🗨️ 👩🏽‍🚀 ⛹🏻‍♂️ 🇫🇷 1️⃣ #️⃣ ☺︎ 🐻‍❄️ 👨‍👩‍👧‍👦'],
    ['Persian', 'می‌خواهم، نامه‌ای'],
    ['Hindi, Sinhala and Malayalam', 'क्‍ष शक्‍ति ශ්‍රී ന്‍'],
    ['variants of characters', '葛\u{E0100}城 神\uFE00 ᠠ\u180B'],
  ])('fault 18: keeps what %s need', (_, text) => {
    expect(cleanForTerminal(text)).toBe(text);
    expect(formatPrintableJson(text)).toBe(JSON.stringify(text));
  });

  it.each([
    ['a joiner after ASCII', 'pass\u200Bwo\u200Drd\u200C', 'password'],
    ['bytes in variation selectors behind an emoji', '😀\uFE01\u{E0101}\u{E0152}\uFE0F\uFE0F', '😀'],
    ['more than one joiner', 'می\u200C\u200C\u200Dخواهم', 'می\u200Cخواهم'],
    ['what joins an emoji to nothing', '👩\u200D \u200D💻', '👩 💻'],
    ['tags behind a flag', '🏴\u{E0067}\u{E0062}\u{E007F}', '🏴'],
    ['byte order marks, soft hyphens, fillers', '\uFEFFa\u00ADb\u3164c\u115Fd\u2800', 'abcd\u2800'],
    ['annotations', '\uFFF9a\uFFFAb\uFFFB', 'ab'],
  ])('fault 18: drops %s', (_, text, left) => {
    expect(cleanForTerminal(text)).toBe(left);
  });

  it('fault 18: never leaves two invisible characters behind each other, but in an emoji of several', () => {
    const runs = /(?!\uFE0F\u200D\p{Extended_Pictographic})\p{DI}\p{DI}/u;
    fc.assert(
      fc.property(wild, (text) => !runs.test(cleanForTerminal(text))),
      { numRuns: countCases(2000) },
    );
  });

  it('is linear', async () => {
    for (const part of ['\u200D', '👩\u200D', 'می\u200C', '\uFE0F', '\u001b[31m', '字\u{E0100}'])
      await expectLinear(JSON.stringify(part), 75_000, (n) => cleanForTerminal(part.repeat(n)));
  });
});

describe('formatPrintableJson', () => {
  it('fault 18: is the same document, and nothing in it is dropped on the way to a terminal', () => {
    const anything = fc.tuple(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(
          '\u007f',
          '\u009b',
          '\u202e',
          '\u200d',
          '\u{E0041}',
          '\uFE0F',
          '\ud800',
          '👩',
          'é',
          '"',
          '\\',
          '\n',
        ),
      }),
    );
    fc.assert(
      fc.property(anything, (value) => {
        const json = formatPrintableJson(value, 2);
        expect(cleanForOutput(json)).toBe(json);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: countCases(2000) },
    );
  });

  it('fault 18: writes C1, DEL, bidi and tag characters as escapes', () => {
    expect(formatPrintableJson('\u001b\u007f\u009b\u202e\u{E0041}')).toBe(
      String.raw`"\u001b\u007f\u009b\u202e\udb40\udc41"`,
    );
  });
});

describe('styled and cleanForOutput', () => {
  const bold = (text: string): string => styleForOutput('bold', text, { validateStream: false });

  it('fault 18: lets our own colours out, and no escape of anybody else, inside or outside of them', () => {
    const hostile = 'x\u001b[31mred\u001b]0;title\u0007\u009b2J';
    expect(cleanForOutput(`${bold(hostile)} ${hostile}`)).toBe(
      '\u001b[1mx[31mred]0;title2J\u001b[22m x[31mred]0;title2J',
    );
  });

  it('fault 18: what stands for ESC on the way cannot be guessed', () => {
    const seen = bold('x');
    const guess = seen.replace(/[0-9a-f]{8}(?=-)/g, '00000000');
    expect(guess).not.toBe(seen);
    expect(cleanForOutput(guess)).not.toContain('\u001b');
  });
});

it('takes texts of many megabytes', () => {
  for (const letter of ['x', 'é', '🙂', '汉']) {
    const text = letter.repeat(12_000_000);
    expect(cleanForTerminal(text) === text).toBe(true);
    expect(escapeJson(text) === text).toBe(true);
  }
});
