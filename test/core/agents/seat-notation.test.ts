import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSeatText, parseSeat, renderSeat } from '../../../src/core/agents/seat-notation.ts';
import '../../helpers/property-seed.ts';

describe('an entry of --agents', () => {
  it.each([
    ['claude', { program: 'claude', model: null, persona: null }],
    ['claude:opus', { program: 'claude', model: 'opus', persona: null }],
    ['ollama:qwen3:8b', { program: 'ollama', model: 'qwen3:8b', persona: null }],
    ['gemini@skeptic', { program: 'gemini', model: null, persona: 'skeptic' }],
    ['claude:opus@skeptic', { program: 'claude', model: 'opus', persona: 'skeptic' }],
    ['claude:opus@20250805', { program: 'claude', model: 'opus@20250805', persona: null }],
    ['claude:opus@20250805@law', { program: 'claude', model: 'opus@20250805', persona: 'law' }],
    ['opencode:anthropic/claude', { program: 'opencode', model: 'anthropic/claude', persona: null }],
    ['mistral/mistral-large', { program: null, model: 'mistral/mistral-large', persona: null }],
    ['ollama/qwen3:8b@data', { program: null, model: 'ollama/qwen3:8b', persona: 'data' }],
    ['claude:', { program: 'claude', model: '', persona: null }],
  ])('%s', (text, seat) => {
    expect(parseSeat(text)).toEqual(seat);
  });

  const word = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,12}$/);
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
  const model = fc.stringMatching(/^[a-z0-9][a-z0-9.:/-]{0,12}(@[0-9]{1,8})?$/);
  const seat = fc.oneof(
    fc.record({
      program: word,
      model: fc.option(model),
      persona: fc.option(name),
    }),
    fc.record({
      program: fc.constant(null),
      model: fc.tuple(word, model).map((parts) => parts.join('/')),
      persona: fc.option(name),
    }),
  );

  it('is read as it was meant, and as one thing alone', () => {
    fc.assert(
      fc.property(seat, (one) => {
        expect(parseSeat(renderSeat(one))).toEqual(one);
      }),
    );
  });

  it('loses nothing of any text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab7é:/@-. ,\u{1F600}'), maxLength: 20 });
    fc.assert(
      fc.property(text, (given) => {
        expect(renderSeat(parseSeat(given))).toBe(given);
        expect(isSeatText(given)).toBe(given !== '' && !/[\s,]/.test(given));
      }),
    );
  });
});
