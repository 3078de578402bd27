// No vote that nobody has given: whatever stands around the forms of a text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withNew } from '../../../src/council/state/ballot.ts';
import { readVerdict } from '../../../src/council/use/verdict.ts';

const FLAGS = { agree: false, done: false, block: [] };
const BALLOT = withNew([], [], ['Use PostgreSQL', 'Use Redis', 'Wait, and measure']);

/** A vote in the shapes that people and models write. */
const SHAPES = [
  (vote: string) => `---\nvote: ${vote}\n---`,
  (vote: string) => `vote: ${vote}\nconfidence: 0.8`,
  (vote: string) => `**Vote:** ${vote}`,
  (vote: string) => `**Final vote: ${vote}**`,
  (vote: string) => `## Final vote\n\n${vote}`,
  (vote: string) => `### Vote: ${vote}`,
  (vote: string) => `- **Vote:** ${vote}`,
  (vote: string) => `| vote | confidence |\n| --- | --- |\n| ${vote} | 0.8 |`,
  (vote: string) => `\`\`\`yaml\nvote: ${vote}\n\`\`\``,
  (vote: string) => `{"vote": "${vote}", "confidence": 0.8}`,
  (vote: string) => `<vote>${vote}</vote>`,
  (vote: string) => `投票：${vote}`,
  (vote: string) => `Position: ${vote}`,
];
const MESS = [
  ...[
    'Draft:',
    'Final:',
    '# Answer',
    '---',
    'On reflection that is wrong.',
    '> vote: P1',
    'A "quoted word.',
    '- an item',
    '',
  ],
  ...[
    '```\nsome code\n```',
    '<br>',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    'Correction',
    '{ not: json',
    '</answer>',
    '\u001b[0m',
  ],
];
const mess = fc.array(fc.constantFrom(...MESS), { maxLength: 4 }).map((lines) => lines.join('\n\n'));
const form = fc
  .tuple(
    fc.constantFrom('P1', 'P2', 'P3', 'P1, if it is tested', 'unchanged', 'P2 — withdrawn'),
    fc.constantFrom(...SHAPES),
  )
  .map(([vote, shape]) => ({ vote, text: shape(vote) }));

describe('two forms in one text', () => {
  it('never give a vote that the last one does not hold', () => {
    fc.assert(
      fc.property(mess, form, mess, form, mess, (before, first, between, last, after) => {
        const text = [before, first.text, between, last.text, after].join('\n\n');
        const { vote } = readVerdict(text, FLAGS, BALLOT).verdict;
        if (vote !== undefined) expect([vote, text]).toEqual([last.vote, text]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('words of others, and words that are not certain', () => {
  it.each([
    '{"participants": [{"id": "ada", "vote": "P2"}]}',
    '{"error": {"message": "x", "vote": "P2"}}',
    '### Participant A, RESOLVE (round 3)\n\nvote: P2\nconfidence: 0.8',
    'Participant B holds:\nvote: P2\nconfidence: 0.8',
    '<cite>\nvote: P2\n</cite>',
    '{"vote": "P2"}{"vote": "P3"}',
    '{"vote": "P2", "final": {"vote": "P3"}}',
    'vote: P2 - Use Redis?',
  ])('are no vote: %j', (text) => {
    expect(readVerdict(text, FLAGS, BALLOT).verdict.vote).toBeUndefined();
  });

  it.each(['{"position": true}', '{"position": 2}', 'position: confidence: 0.8'])(
    'are no position: %j',
    (text) => {
      expect(readVerdict(text, FLAGS).verdict.position).toBeNull();
    },
  );

  it('leave what is certain: an answer in one key, a list of one, a line with its break', () => {
    for (const text of ['{"answer": {"vote": "P2"}}', '[{"vote": "P2"}]', 'vote: P2\\\nconfidence: 0.8'])
      expect(readVerdict(text, FLAGS, BALLOT).verdict.vote).toBe('P2');
  });
});

describe('what blocks', () => {
  it.each([
    ['src/queue.ts:3: the lease is never renewed'],
    ['#12 must be fixed first'],
    ['Security: token in the log'],
    ['{a: b}'],
  ])('is %j, whatever YAML makes of it', (issue) => {
    for (const text of [
      `---\nposition: reject\nblocking:\n- ${issue}\n---\n\nNo.`,
      `**Position:** reject\n\n**Blocking:**\n\n- ${issue}\n\nNo.`,
    ])
      expect(readVerdict(text, FLAGS).verdict.blocking).toEqual([issue]);
  });

  it('is every line further in, and every value of an object', () => {
    const lines = '---\nposition: reject\nblocking:\n  no backup\n  no rollback: none at all\n---\n\nNo.';
    expect(readVerdict(lines, FLAGS).verdict.blocking).toEqual(['no backup', 'no rollback: none at all']);
    const object = '{"position": "reject", "blocking": [{"issue": "no backup", "severity": "high"}]}';
    expect(readVerdict(object, FLAGS).verdict.blocking).toEqual(['no backup: high']);
    expect(
      readVerdict('<position>reject</position>\n<Blockierend>kein Backup</Blockierend>\n', FLAGS).verdict
        .blocking,
    ).toEqual(['kein Backup']);
  });

  it('is asked about where it may be none', () => {
    const { verdict, unclear } = readVerdict(
      'position: x\nblocking: None of the backups works\n\nNo.',
      FLAGS,
    );
    expect(verdict.blocking).toEqual(['None of the backups works']);
    expect(unclear.map(({ field }) => field)).toEqual(['blocking']);
  });
});
