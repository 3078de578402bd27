import { describe, expect, it } from 'vitest';
import { computeBallot, addPositions } from '../../../../src/core/council/state/ballot.ts';
import type { BallotLine, Verdict } from '../../../../src/core/council/state/state.ts';
import { readVoteWords } from '../../../../src/core/council/use/read-choice.ts';
import { readVerdict } from '../../../../src/core/council/use/verdict.ts';

const FLAGS = { agree: false, done: false, block: [] };
const LINES = ['Use PostgreSQL', 'Use Redis', 'Wait, and measure'];
const BALLOT: BallotLine[] = addPositions([], [], LINES);

const read = async (form: string, ballot = BALLOT, hasOptions = false) =>
  readVerdict(`---\n${form}\n---\n\nBecause.`, FLAGS, ballot, hasOptions);
const chosen = async (form: string, ballot = BALLOT): Promise<Partial<Verdict>> => {
  const { agreed: _a, done: _d, blocking: _b, ...rest } = (await read(form, ballot)).verdict;
  return rest;
};

describe('a vote', () => {
  it.each([
    ['vote: P2'],
    ['vote: "P2"'],
    ['vote: **p2**'],
    ['vote: `P2`'],
    ['Vote: P2 (Use Redis)'],
    ['vote: "P2: use redis."'],
    ['vote: "**P2** (Use Redis)"'],
    ['vote: "**Option P2**: use Redis"'],
    ['vote: P2 — Use Redis'],
    ['vote: Use Redis'],
    ['mon vote: « use Redis »'],
    ['position: P2'],
    ['position: use redis'],
    ['vote: P2\nposition: Use Redis'],
    ['vote: P2\nnew: Use Redis'],
    ['new: Use redis'],
    ['vote: P2\nvote: Use Redis'],
  ])('for P2 is %j', async (form) => {
    expect(await chosen(form)).toMatchObject({ vote: 'P2', position: 'Use Redis' });
  });

  it.each([
    '### Vote: P2',
    '## Vote: **p2** (Use Redis)\n\n## Confidence: 80%',
    '\n# Vote: P2. #',
    '### Vote: P2 — Use Redis',
    '### Vote: P2: Use Redis',
    '### Vote: **P2 (Use Redis)**',
    '### Vote: option P2',
    '# My vote\n\n## Vote: P2',
    'Here is my vote:\n\n### Vote: P2\n**Confidence:** 0.8',
    '### Approve: P1, P2\n### Vote: P2',
  ])('for P2 is the heading %j', async (headings) => {
    const { verdict } = readVerdict(`${headings}\n\nBecause.`, FLAGS, BALLOT, false);
    expect(verdict).toMatchObject({ vote: 'P2', position: 'Use Redis' });
  });

  it('in a heading takes its neighbours along', async () => {
    const headings =
      '### Vote: P2\n### Approve: P1, P2\n### Blocking: No rollback plan\n### Confidence: 80 %';
    const { verdict } = readVerdict(`${headings}\n\nBecause.`, FLAGS, BALLOT, false);
    expect(verdict).toMatchObject({
      vote: 'P2',
      approve: ['P1', 'P2'],
      blocking: ['No rollback plan'],
      confidence: 0.8,
    });
  });

  it.each([
    '## Vote: how the team voted',
    '### Vote: not P2',
    '# Vote: P2 or P3?',
    '## Vote: adopted 5-2',
    '## Position: treasurer',
    '## Position: treasurer\n\n## Vote: adopted 5-2',
    '# Position: treasurer\n\n## Done\n\nBooks closed.',
    '# Position: Senior Engineer\n\n## Position: Junior Engineer',
    '## New: export\n\n## Same: old API',
    '## New: dark mode\n\n## Done: yes',
    '### Bob\n\n### Vote: P2\n\n### Zoe\n\n### Vote: P3',
    '# Bob\n\n## Vote: P2\n\nFine.\n\n# Zoe\n\n## Vote: P3',
    '### Vote: P2\n\n### Vote: P3',
  ])('is not the heading of a text: %j', async (headings) => {
    const { verdict } = readVerdict(`${headings}\n\nBecause.`, FLAGS, BALLOT, false);
    expect(verdict).toMatchObject({ done: false, position: null });
    expect(verdict.vote ?? null).toBeNull();
  });

  it.each([
    ['vote: P9'],
    ['position: P9'],
    ['vote: P1 or P2'],
    ['vote: P2 (Use PostgreSQL)'],
    ['vote: not P2'],
    ['vote: Use MySQL'],
    ['vote: none'],
    ['vote: P1\nvote: P2'],
    ['vote: [P1, P2]'],
    ['vote: P2, but only if it is cheap'],
    ['vote: P2 if the price is right'],
    ['vote: P2 is wrong'],
    ['vote: P2?'],
    ['vote: P1 or 2'],
    ['vote: P2, no'],
    ['vote: "P2: Buy it instead"'],
    ['vote: P2 — rejected'],
    ['vote: "P2 (not sure)"'],
    ['vote: P2, mais seulement si tout va bien'],
    ['vote: P20'],
    ['vote: P2b'],
    ['vote: P2 because it is faster'],
    ['vote: P2 — it is faster'],
    ['vote: P2 — I abstain'],
    ['vote: P2 — withdrawn'],
    ['vote: P2 — pending a load test'],
    ['vote: P2 — second choice'],
    ['vote: P2 — à condition que la restauration soit testée'],
    ['vote: P2 — wenn die Sicherung geprobt ist'],
    ['vote: P2 — 前提是先演练恢复'],
    ['vote: P2（条件付き）'],
    ['vote: P1 — Use Redis'],
    ['vote: abstain'],
    ['vote: P2\nposition: Use PostgreSQL'],
    ['vote: P2\nposition: unchanged'],
    ['position: unchanged'],
    ['position: same as before'],
    ['position: I agree with Participant B'],
    ['position: P2+P3'],
    ['position: PostgreSQL'],
    ['vote: P2\n  but only if it is cheap'],
  ])('is not read from %j, and none of an earlier round counts', async (form) => {
    expect(await chosen(form)).toEqual({ position: null, unclear: true });
  });

  it.each([
    ['P2, if it is cheap', 'behind', '"vote: P2, if it is cheap" is P2 with words behind it'],
    ['P1 — Use Redis', 'other', 'the sentence of another position'],
    ['the same', 'unknown', 'is no number of the ballot'],
    ['unchanged', 'nothing', 'is no vote'],
    ['Use Redis?', 'unknown', 'is no number of the ballot'],
    ['abstain', 'nothing', 'is no vote'],
  ])('%j is told as what it is', async (words, why, told) => {
    const { unclear, warnings } = await read(`vote: ${words}`);
    expect(unclear.map((one) => one.why)).toEqual([why]);
    expect(warnings.join()).toContain(told);
  });

  it('left empty is silence', async () => {
    expect(await chosen('vote: ')).toEqual({ position: null });
  });

  it('is the position before there is a ballot', async () => {
    expect(await chosen('vote: Use MySQL', [])).toEqual({ position: 'Use MySQL' });
    expect(await chosen('position: Use MySQL\nvote: P1', [])).toEqual({ position: 'Use MySQL' });
    expect(await chosen('position: P1', [])).toEqual({ position: null });
    expect(await chosen('vote: P9.', [])).toEqual({ position: null });
  });

  it('is the sentence of a position, also where that begins with code or emphasis', async () => {
    const ballot = addPositions(
      [],
      [],
      ['`npm` for packages', 'npm for packages', '*All* of them', 'All of them'],
    );
    const ids = await Promise.all(
      ballot.map(async ({ position }) => (await chosen(`vote: '${position}'`, ballot)).vote),
    );
    expect(ids).toEqual(ballot.map(({ id }) => id));
  });

  it.each(['vote: "**No.** P2 - too slow."', 'vote: "`P1`0"', 'vote: "**P1**2"'])(
    'is none in %j',
    async (form) => {
      expect((await chosen(form)).vote).toBeUndefined();
    },
  );

  it('is its number, also where that is the sentence of another position', () => {
    const labels = addPositions([], ['P0', 'P1', 'P2'], []);
    expect(labels.map(({ id, position }) => `${id} ${position}`)).toEqual(['P1 P0', 'P2 P1', 'P3 P2']);
    expect(readVoteWords('P1', labels)).toEqual({ id: 'P1' });
    expect(readVoteWords('P0', labels)).toEqual({ id: 'P1' });
    expect(readVoteWords('P2: P1', labels)).toEqual({ id: 'P2' });
  });

  it('is a sentence where it only begins like a number', async () => {
    expect(await chosen('position: P1 incidents must page someone', [])).toEqual({
      position: 'P1 incidents must page someone',
    });
    expect(await chosen('new: "P9."')).toEqual({ position: null });
  });

  it('keeps two long sentences apart that begin alike', async () => {
    const long = 'We migrate in the second quarter, '.repeat(7);
    const [one, two] = await Promise.all(
      ['and we keep the old one', 'but never before it is replaced'].map((end) =>
        chosen(`position: ${long}${end}`, []),
      ),
    );
    expect(one?.position).toMatch(/^We migrate.*… \([0-9a-f]{6}\)$/);
    expect(one?.position?.length).toBeLessThanOrEqual(200);
    expect(one?.position).not.toBe(two?.position);
  });

  it('keeps a new sentence, but not where options are declared', async () => {
    expect(await chosen('new: Use SQLite')).toEqual({ new: 'Use SQLite', position: 'Use SQLite' });
    expect(await chosen('vote: P1\nnew: Use SQLite')).toEqual({
      vote: 'P1',
      new: 'Use SQLite',
      position: 'Use PostgreSQL',
    });
    const refused = await read('new: Use SQLite', BALLOT, true);
    expect(refused.verdict.new).toBeUndefined();
    expect(refused.warnings.join()).toContain('the options are declared');
  });
});

describe('approvals', () => {
  it.each([
    ['approve: P2, P3'],
    ['approve: [P2, P3]'],
    ['approve:\n  - P3\n  - P2'],
    ['approve: P2 and P3'],
    ['approuve: P2 et P3'],
    ['approve:\n  - Use Redis\n  - Wait, and measure'],
    ['approve: P3, P2, P3'],
  ])('of P2 and P3 are %j', async (form) => {
    expect((await chosen(form)).approve).toEqual(['P2', 'P3']);
  });

  it('are none when their author says so, and unstated when nothing can be read', async () => {
    expect((await chosen('vote: P1\napprove: none')).approve).toEqual([]);
    expect((await chosen('vote: P1\napprove: whatever the others like')).approve).toBeUndefined();
    expect((await chosen('vote: P1\napprove: P2, P9')).approve).toEqual(['P2']);
    for (const words of ['none of P1, P2', 'everything except P1, P2', 'if P1 fails, P2'])
      expect((await chosen(`vote: P1\napprove: ${words}`)).approve).toBeUndefined();
  });
});

describe('positions that are the same', () => {
  it.each<[string, [string, string][]]>([
    ['same: P1 = P3', [['P1', 'P3']]],
    ['same: P3=P1', [['P1', 'P3']]],
    ['identique: P1 et P3', [['P1', 'P3']]],
    ['same: P1 and P3', [['P1', 'P3']]],
    [
      'same: [P1 = P3, P2 = P3]',
      [
        ['P1', 'P3'],
        ['P2', 'P3'],
      ],
    ],
    [
      'same: P1 = P2 = P3',
      [
        ['P1', 'P2'],
        ['P1', 'P3'],
        ['P2', 'P3'],
      ],
    ],
  ])('%j', async (form, pairs) => {
    expect((await chosen(`vote: P1\n${form}`)).same).toEqual(pairs);
  });

  it.each(['same: P1 != P3', 'same: P1', 'same: P1 = P9', 'same: P1 is not P3', 'same: none'])(
    'not %j',
    async (form) => {
      expect((await chosen(`vote: P1\n${form}`)).same).toBeUndefined();
    },
  );
});

describe('a confidence', () => {
  it.each([
    ['0.3', 0.3],
    ['30%', 0.3],
    ['30 %', 0.3],
    ['0,3', 0.3],
    ['3/10', 0.3],
    ['1', 1],
    ['30', 0.3],
    ['8', undefined],
    ['130', undefined],
    ['high', undefined],
    ['-0.3', undefined],
  ])('%s is %s', async (words, share) => {
    const { verdict, warnings } = await read(`vote: P1\nconfidence: ${words}`);
    expect(verdict.confidence).toBe(share);
    expect(
      warnings.filter((warning) => warning.includes(`"confidence: ${words}" is not recorded`)),
    ).toHaveLength(share === undefined ? 1 : 0);
  });

  it('left empty is nothing that its author has to hear of', async () => {
    expect((await read('vote: P1\nconfidence:')).warnings).toEqual([]);
  });

  it('stated twice is none, and its author hears so', async () => {
    const { verdict, warnings } = readVerdict(
      'vote: P1\nconfidence: 0.3\nconfidence: 0.4\n\nBecause.',
      FLAGS,
      BALLOT,
    );
    expect(verdict.confidence).toBeUndefined();
    expect(warnings).toEqual(['Two confidences are stated: 0.3; 0.4. None of them is recorded.']);
  });
});

describe('the ballot', () => {
  it('numbers declared options first, then the others by their normalised sentences', () => {
    const lines = addPositions([], ['wait', 'build'], ['Zebra', 'apple', 'Wait.', 'Apple', 'apple', ' ']);
    expect(lines).toEqual([
      { id: 'P1', position: 'wait', declared: true },
      { id: 'P2', position: 'build', declared: true },
      { id: 'P3', position: 'apple', declared: false },
      { id: 'P4', position: 'Zebra', declared: false },
    ]);
    expect(addPositions(lines, ['wait', 'build'], ['mango', 'APPLE'])).toEqual([
      ...lines,
      { id: 'P5', position: 'mango', declared: false },
    ]);
  });
});

it('the ballot after a round has what was stated in it, also beside a vote', () => {
  const said = { phase: 'CHALLENGE', tour: 2, at: '', bytes: 0, sha256: '', text: '' } as const;
  const council = {
    state: { ballot: BALLOT, rules: { options: null } },
    contributions: [
      { ...said, by: 'a', vote: 'P1', position: 'Use PostgreSQL', new: 'Use SQLite' },
      { ...said, by: 'b', tour: 3, position: 'Later' },
    ],
  } as unknown as Parameters<typeof computeBallot>[0];
  expect(computeBallot(council, 2).map(({ position }) => position)).toEqual([...LINES, 'Use SQLite']);
});
