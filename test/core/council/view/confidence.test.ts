import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { removeConfidence } from '../../../../src/core/council/view/visible-contributions.ts';
import { expectLinear } from '../../../helpers/growth.ts';

describe('removeConfidence', () => {
  it.each([
    [
      '---\nposition: yes\nconfidence: 0.9\nagreed: true\n---\nbody\n',
      '---\nposition: yes\nagreed: true\n---\nbody\n',
    ],
    ['---\r\nconfidence: 0.9\r\nposition: yes\r\n---\r\nbody', '---\r\nposition: yes\r\n---\r\nbody'],
    ['\uFEFF---\nconfidence: 0.9\n---\nx', '\uFEFF---\n---\nx'],
    ['---\n"confidence" : 0.9\na: 1\n---\n', '---\na: 1\n---\n'],
    ["---\n'confidence': 0.9 # sure\na: 1\n---\n", '---\na: 1\n---\n'],
    ['---\nConfidence: high\na: 1\n---\n', '---\na: 1\n---\n'],
    ['---\nconfidence: >\n  very\n\n  high\na: 1\n---\n', '---\na: 1\n---\n'],
    ['---\nconfidence:\n- 0.9\na: 1\n---\n', '---\na: 1\n---\n'],
    ['---\n# note\n  confidence: 0.9\n  a: 1\n---\n', '---\n# note\n  a: 1\n---\n'],
    [
      '---\n{position: yes, confidence: 0.9, agreed: true}\n---\n',
      '---\n{"position":"yes","agreed":true}\n---\n',
    ],
    ['confidence: 0.9\n', ''],
    ['I say\n\n---\nconfidence: 0.9\n---\n', 'I say\n\n---\n---\n'],
    ['---\nposition: yes\n---\nconfidence: 0.9\n', '---\nposition: yes\n---\n'],
    ['---\nconfidence: 0.9\nnever closed\n', '---\nnever closed\n'],
    ['---js\nconfidence: 0.9\n---\n', '---js\n---\n'],
  ])('takes it out of the form: %j', (text, expected) => {
    expect(removeConfidence(text)).toBe(expected);
  });

  it.each([
    '---\nposition: |\n  my\n  confidence: 0.9\n---\n',
    '---\nself-confidence: 1\nconfidences: 2\nposition: confidence is 0.9\n---\n',
    '---',
    '',
  ])('leaves everything else alone: %j', (text) => {
    expect(removeConfidence(text)).toBe(text);
  });

  it('never touches a text whose front matter does not have the word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        const text = `---\nposition: yes\n---\n${body}`;
        expect(removeConfidence(text)).toBe(text);
        expect(removeConfidence(`---\nposition: yes\nconfidence: 1\n---\n${body}`)).toBe(text);
      }),
    );
  });

  it('is linear', async () => {
    await expectLinear('lines', 12_500, (n) =>
      removeConfidence(`---\n${'# confidence\n'.repeat(n)}${'confidence: 1\n'.repeat(n)}---\n`),
    );
    await expectLinear('a line', 12_500, (n) => removeConfidence(`---\n{${'confidence'.repeat(n)}}\n---\n`));
  });
});
