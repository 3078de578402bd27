import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  abridgeChallenges,
  abridgeText,
  describeAbridgement,
  limitShownBytes,
} from '../../../../src/core/council/view/abridge.ts';

const long = Array.from({ length: 3000 }, (_, n) => `Line ${n} says é something.`).join('\n');

describe('a long contribution', () => {
  it('is shown by its beginning, up to the end of a line, and says how much of it that is', () => {
    const { text, abridged } = abridgeText(`---\nposition: build\n---\n${long}`, 2048);
    expect(text).toMatch(/^---\nposition: build\n---\nLine 0 says é something\./);
    expect(text).toMatch(/something\.\n\[…\]$/);
    expect(abridged!.shown).toBeLessThanOrEqual(2048);
    expect(abridged!.bytes).toBeGreaterThan(60_000);
  });

  it('keeps its form where that stands behind the part that is shown', () => {
    const { text } = abridgeText(`${long}\n\n---\nposition: build\nblocking: no plan\n---\n`, 2048);
    expect(text).toMatch(/\[…\]\n---\nposition: build\nblocking: no plan\n---$/);
  });

  it.each([
    ['a list', `blocking:\n${'  - no plan for this one\n'.repeat(20_000)}`],
    ['a text', `position: |\n${'  build it, and more\n'.repeat(20_000)}`],
    ['one line', `position: ${'build it '.repeat(40_000)}\n`],
    ['many lines', 'position: build\n'.repeat(20_000)],
  ])('shows no more than a part of a form that is as long as a text: %s', (_, form) => {
    const { text } = abridgeText(`${long}\n\n---\n${form}---\n`, 2048);
    expect(text).toMatch(/\[…\]\n---\n(?:position|blocking):/);
    expect(Buffer.byteLength(text)).toBeLessThan(2600);
  });

  it('is shown as shortly where it challenges others, all of its challenges together', () => {
    const aimed = (by: string, text: string) => ({ by, text, claim: { id: 'ada.1', text: long } });
    const many = Array.from({ length: 20 }, () => aimed('bob', long));
    const short = abridgeChallenges([...many, { by: 'cleo', text: 'No.', claim: null }], 24_576);
    expect(Buffer.byteLength(JSON.stringify(short))).toBeLessThan(30_000);
    expect(short[0]!.text).toMatch(/^Line 0 says é something\.[^]*\n\[…\]$/);
    expect(short.at(-1)).toEqual({ by: 'cleo', text: 'No.', claim: null });
    expect(abridgeChallenges(many, Infinity)).toEqual(many);
  });

  it('of one line is cut inside it, never inside a character', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (limit) => {
        const { text } = abridgeText('é€😀'.repeat(200), limit);
        expect(text).not.toContain('\uFFFD');
      }),
    );
  });

  it('is left alone up to the limit', () => {
    expect(abridgeText(long, Buffer.byteLength(long))).toEqual({ text: long });
  });

  it('is shown in full to the coordinator, where its mode says so, and to who asks for all', () => {
    const limit = (shown: number | 'all' | undefined, reader: string, extent?: 'full' | 'short') =>
      limitShownBytes({ coordinator: 'maman', ...(shown !== undefined && { shown }) }, reader, extent);
    expect(limit(undefined, 'ada')).toEqual({ others: 24_576, own: Infinity });
    expect(limit(4096, 'ada').others).toBe(4096);
    for (const all of [limit(4096, 'maman'), limit('all', 'ada'), limit(4096, 'ada', 'full')])
      expect(all).toEqual({ others: Infinity, own: Infinity });
    // A prompt that did not fit is shortened for everybody, by one's own texts as well.
    expect(limit('all', 'maman', 'short')).toEqual({ others: 2048, own: 2048 });
  });

  it('is told to its author', () => {
    const state = { coordinator: 'maman' };
    expect(describeAbridgement(state, 'ada', long)).toEqual([expect.stringMatching(/first 24576 bytes/)]);
    expect(describeAbridgement(state, 'ada', 'Short.')).toEqual([]);
    expect(describeAbridgement(state, 'maman', long)).toEqual([]);
    expect(describeAbridgement({ ...state, shown: 'all' }, 'ada', long)).toEqual([]);
  });
});
