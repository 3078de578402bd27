import { describe, expect, it } from 'vitest';
import { HINTS, REFUSALS, toFrenchRefusal } from '../../../src/core/base/words/refusals.ts';
import { findAnswer } from '../../../src/core/cli/other-names.ts';

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe('a refusal in French', () => {
  it.each([...REFUSALS, ...HINTS].map(([english, french]) => ({ english, french })))(
    'keeps what $english names',
    (row) => {
      expect(placeholders(row.french)).toEqual(placeholders(row.english));
      expect(toFrenchRefusal(row.english)).toBe(row.french);
    },
  );

  it.each('config delete setup models tell login stop reopen share update'.split(' '))(
    'has what to do for %s',
    (word) => {
      const answer = findAnswer(word)!;
      expect(toFrenchRefusal(answer)).not.toMatch(/\b(?:with|the|this|is|are|of)\b/i);
    },
  );

  it('is translated sentence by sentence; a sentence without a row stays', () => {
    expect(
      toFrenchRefusal(
        'There is no agent "cluade".\nDid you mean claude? Known agents: ana, claude. Ask ana.',
      ),
    ).toBe(
      'Il n’y a pas d’agent "cluade".\nVouliez-vous dire claude ? Agents connus : ana, claude. Ask ana.',
    );
  });
});
