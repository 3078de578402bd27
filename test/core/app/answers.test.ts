import { describe, expect, it } from 'vitest';
import { renderSupportedPosition } from '../../../src/core/app/answers.ts';
import { formatFigure, loadWords } from '../../../src/core/base/words/words.ts';

describe('what is shown of answers', () => {
  const held = { id: 'P1', position: 'Déménager', by: ['ada', 'ana'] };

  it('has the quotation marks and the decimal mark of its language', () => {
    const [en, fr] = [loadWords('en'), loadWords('fr')];
    expect(renderSupportedPosition(held, en)).toBe('P1 "Déménager" (ada, ana)');
    expect(renderSupportedPosition(held, fr)).toBe('P1 « Déménager » (ada, ana)');
    expect([en, fr].map(({ common }) => formatFigure(0.25, common))).toEqual(['0.25', '0,25']);
  });
});
