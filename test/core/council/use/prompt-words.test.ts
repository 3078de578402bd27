import { describe, expect, it } from 'vitest';
import { fill, loadWords } from '../../../../src/core/base/words/words.ts';
import { MARKER_PREFIX } from '../../../../src/core/base/text.ts';
import { isOfPrompt } from '../../../../src/core/council/use/read-choice.ts';
import { readVerdict } from '../../../../src/core/council/use/verdict.ts';

describe('the words of the prompt, given back', () => {
  const sentences = (['en', 'fr'] as const).flatMap((lang) => Object.values(loadWords(lang).field));
  const filled = { numbers: 'P1, P2', options: '`Build it`, `Buy it`', decision: 'Build it' };

  it.each(
    sentences
      .filter((sentence) => !sentence.includes('{decision}'))
      .map((sentence) => fill(sentence, filled).replace(/^`\w+`[ ]?: /, '')),
  )('are known: %s', (said) => {
    expect(isOfPrompt(said)).toBe(true);
    expect(isOfPrompt(said.toUpperCase())).toBe(true);
    // Cut by the limit of tokens, and with more behind it.
    expect(isOfPrompt(said.split(' ').slice(0, 4).join(' '))).toBe(true);
    expect(isOfPrompt(`${said} Print only what is missing.`)).toBe(true);
  });

  it.each([
    [
      'of SmolLM2',
      'what must be solved before any decision is safe, one item a line: `Raise it to 12 euros`',
    ],
    ['of Gemma', 'one of the options, in the same words: ‘Keep it at 9 euros’, which could be a joke'],
    ['that end early', 'One of the options'],
  ])('are known in words %s', (_, value) => {
    expect(isOfPrompt(value)).toBe(true);
  });

  it.each([
    '',
    'Use PostgreSQL',
    'P2',
    'where it is',
    'what',
    'What must be solved before any decision is safe: the token stands in the log',
    'How sure are you?',
  ])('are not seen in %s', (value) => {
    expect(isOfPrompt(value)).toBe(false);
  });
});

describe('a form given back', () => {
  const BALLOT = ['Use PostgreSQL', 'Use Redis'].map((position, at) => ({
    id: `P${at + 1}`,
    position,
    declared: false,
  }));
  const { field } = loadWords('en');
  const said = (names: (keyof typeof field)[]) =>
    names.map((name) => fill(field[name], { numbers: 'P1, P2' }));
  const shapes: [string, (line: string) => string][] = [
    ['a list', (line) => `- ${line}`],
    ['lines', (line) => line.replaceAll('`', '')],
    ['bold', (line) => line.replace(/^`(\w+)`/, '**$1**')],
    ['a heading each', (line) => line.replace(/^`(\w+)`: /, '## $1\n\n')],
    ['JSON', (line) => line.replace(/^`(\w+)`: (.*)/, '"$1": "$2",')],
  ];
  const read = (text: string, ballot: typeof BALLOT = []) =>
    readVerdict(text, { agree: false, done: false, block: [] }, ballot).verdict;

  it.each(shapes)('is no position and blocks nothing, as %s', (_, shape) => {
    const lines = said(['position', 'confidence', 'blocking']).map(shape).join('\n');
    for (const text of [lines, `---\nposition:\nconfidence:\nblocking:\n---\n\n${lines}`])
      expect(read(text)).toMatchObject({ position: null, blocking: [] });
  });

  it.each(shapes)('is no vote and no new position, as %s', (_, shape) => {
    const { position, vote, blocking } = read(
      said(['vote', 'approve', 'new', 'same', 'blocking', 'agreed']).map(shape).join('\n'),
      BALLOT,
    );
    expect({ position, vote, blocking }).toEqual({ position: null, vote: undefined, blocking: [] });
  });

  it('is nothing in the fence of the prompt, where another form stood', () => {
    const shown = `BEGIN ${MARKER_PREFIX}26ea8c5633b1b1bc\n---\nposition: Use Redis\nblocking:\n- x\n---\nEND ${MARKER_PREFIX}26ea8c5633b1b1bc`;
    expect(read(shown)).toMatchObject({ position: null, blocking: [] });
    expect(read(`${shown}\n\nvote: P1\n`, BALLOT)).toMatchObject({ vote: 'P1', blocking: [] });
  });

  it('leaves what its author has filled in, and what blocks', () => {
    const text = `blocking:\n- …\n- What must be solved before any decision is safe: the token in the log\n`;
    expect(read(`vote: P2\n${text}`, BALLOT)).toMatchObject({
      vote: 'P2',
      blocking: ['What must be solved before any decision is safe: the token in the log'],
    });
  });
});
