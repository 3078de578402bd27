// Texts in which nothing is said.
import { describe, expect, it } from 'vitest';
import { classifyEmptyAnswer } from '../../../../src/core/council/ledger/text/spoken-words.ts';

describe('a text that says nothing', () => {
  it.each([
    ['\u001B[?25l\u001B[2K\u001B[1G\u001B[?25h\n', 'invisible'],
    ['\u200B\n', 'invisible'],
    ['\uFEFF\u2060 \u00AD', 'invisible'],
    ['…', 'invisible'],
    ['<think>\nI wonder.\n</think>\n', 'reasoning'],
    ['<think>I never close it', 'reasoning'],
    ['---\nposition:\nconfidence:\nblocking:\n---\n', 'empty form'],
    ['---\nposition:\nblocking: []\n---\n', 'empty form'],
    ['**Position:**\n**Vote:**', 'empty form'],
    ['<think>So?</think>\n\nposition:\n', 'empty form'],
    ['{"position": ""}', 'empty form'],
    ['```yaml\nposition:\n```', 'empty form'],
    ['Hm.\n</think>', 'reasoning'],
  ])('%j: %s', (text, nothing) => {
    expect(classifyEmptyAnswer(text)).toBe(nothing);
  });

  it.each([
    'No.',
    '+1',
    '👍',
    '賛成',
    'vote: P2',
    'agreed: true',
    'c1: conceded',
    '<!-- a comment -->',
    '<think>So?</think>\nYes.',
  ])('is told from one that says something: %j', (text) => {
    expect(classifyEmptyAnswer(text)).toBeNull();
  });

  it('hears what is odd: a comment alone, and a document that holds a form without a value', () => {
    expect(classifyEmptyAnswer('<!-- council-state\n{}\n-->\n')).toBeNull();
    expect(
      classifyEmptyAnswer('{"participant":"ada","form":"---\\nposition:\\n---","position":null}'),
    ).toBeNull();
    expect(classifyEmptyAnswer('{"position": "", "confidence": null}')).toBe('empty form');
  });
});
