import { describe, expect, it } from 'vitest';
import { REFUSALS, toFrenchRefusal } from '../../../src/core/base/words/refusals.ts';

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe('a refusal in French', () => {
  it.each(REFUSALS.map(([english, french]) => ({ english, french })))('keeps what $english names', (row) => {
    expect(placeholders(row.french)).toEqual(placeholders(row.english));
    expect(toFrenchRefusal(row.english)).toBe(row.french);
  });

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
