import { describe, expect, it } from 'vitest';
import { joinParts } from '../../../../src/core/council/ledger/text/spoken-words.ts';
import type { Council } from '../../../../src/core/council/state/state.ts';
import { readText } from '../../../../src/core/council/use/respond.ts';
import { rulesOf, stateOf } from '../fixtures.ts';
import { played } from '../../../helpers/ledger-council.ts';
import type { Play } from '../../../helpers/ledger-council.ts';

const COLLECT: Play[number] = [
  'COLLECT',
  {
    ada: '---\nposition: Use PostgreSQL\n---\n\nThe queue should live in PostgreSQL: it runs here already.',
    bob: 'Redis would be new, and nobody on call has ever run it.',
  },
];
const CHALLENGE: Play[number] = ['CHALLENGE', { bob: '@ada.1 Who says that it keeps up?' }];

/** A council of ada and bob, with the phases of `play` over and the next one open. */
function after(play: Play, { anonymous = false, over = {} } = {}): Council {
  const council = played(play, { order: ['ada', 'bob'], anonymous });
  const phases = ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'] as const;
  const state = { ...council.state, currentPhase: phases[play.length]!, tour: play.length + 1, ...over };
  return { ...council, state };
}

const read = (
  council: Council | null,
  by: string | null,
  text: string,
  phase = council?.state.currentPhase,
) => readText(council, { by, phase: phase ?? 'COLLECT', tour: council?.state.tour ?? 1, text });

const fresh = (over = {}): Council => ({
  state: { ...stateOf({}, ['ada', 'bob']), ...over },
  brief: 'Which queue?',
  contributions: [],
});

describe('what is read back of a contribution to COLLECT', () => {
  it('has its position, its confidence and what blocks it', async () => {
    const text = '---\nposition: Use Redis\nconfidence: 0.8\nblocking: [No backup]\n---\n\nIt is fast.';
    expect(await read(fresh(), 'ada', text)).toEqual({
      position: 'Use Redis',
      vote: null,
      approve: [],
      rank: [],
      blocking: ['No backup'],
      confidence: 0.8,
      agreed: false,
      done: false,
      quotes: [],
      challenges: [],
      answers: {},
      unclear: [],
      saysBlocking: true,
      missing: [],
    });
  });

  it.each([
    ['no position', 'I think that Redis would be better.', {}, ['position']],
    ['two positions', 'position: Redis\nposition: PostgreSQL\n\nBoth.', {}, ['position']],
    ['the example of the form', '---\nposition: <your position>\n---\nRedis.', {}, ['position']],
    ['none where nothing is decided', 'Redis.', { rules: rulesOf({ rule: 'none' }) }, []],
    [
      'none of the options',
      'position: Kafka\n\nIt scales.',
      { rules: rulesOf({ options: ['Redis', 'PostgreSQL'] }) },
      ['option'],
    ],
    [
      'one of the options',
      'position: redis.\n\nIt scales.',
      { rules: rulesOf({ options: ['Redis', 'PostgreSQL'] }) },
      [],
    ],
    [
      'none of somebody who is recused',
      'Redis.',
      { rules: rulesOf({ recused: [{ participant: 'ada', why: 'sells it' }] }) },
      [],
    ],
  ])('says what is missing: %s', async (_, text, over, missing) => {
    expect((await read(fresh(over), 'ada', text)).missing).toEqual(missing);
  });
});

describe('what is read back of a contribution to CHALLENGE', () => {
  const said =
    '@ada.1\n> The queue should live in PostgreSQL\n\nWhy there?\n\n> Everybody knows that queues are slow\n\nNobody said so.';

  it('has quotes, verified or not, and challenges', async () => {
    const told = await read(after([COLLECT]), 'bob', said);
    expect(told.quotes).toEqual([
      { text: 'The queue should live in PostgreSQL', status: 'verified', claim: 'ada.1' },
      { text: 'Everybody knows that queues are slow', status: 'not_found', claim: null },
    ]);
    expect(told.challenges).toEqual([
      { target: 'ada.1', quote: 'verified' },
      { target: null, quote: 'not_found' },
    ]);
    expect(told.missing).toEqual(['quote']);
  });

  it('names nobody in an anonymous council', async () => {
    const told = await read(after([COLLECT], { anonymous: true }), 'bob', said);
    expect(told.quotes[0]!.claim).toMatch(/^[ab]\.1$/);
    expect(JSON.stringify(told)).not.toContain('ada');
  });

  it('says nothing of what others say in the same round', async () => {
    const council = after([COLLECT]);
    const open = { ...COLLECT, ...council.contributions[0]!, tour: 2, phase: 'CHALLENGE' as const };
    const words = 'A sentence that ada has written in this very round';
    const told = await read(
      { ...council, contributions: [...council.contributions, { ...open, text: words }] },
      'bob',
      `> ${words}\n\nReally?`,
    );
    expect(told.quotes).toMatchObject([{ status: 'not_found', claim: null }]);
  });
});

describe('what is read back of a contribution to RESOLVE', () => {
  const council = after([COLLECT, CHALLENGE]);
  council.state.participants.ada!.position = 'Use PostgreSQL';

  it('has the answers, and names the challenges that have none', async () => {
    expect(await read(council, 'ada', 'c1 conceded: it was a guess.')).toMatchObject({
      answers: { c1: 'conceded' },
      missing: [],
    });
    expect(await read(council, 'ada', 'c1 is an interesting question.')).toMatchObject({
      answers: {},
      missing: ['c1'],
    });
    expect((await read(council, 'bob', 'c1 conceded.')).missing).toEqual(['position']);
  });

  it('has the vote, and asks for one on a ballot', async () => {
    const ballot = ['Use PostgreSQL', 'Use Redis'].map((position, at) => ({
      id: `P${at + 1}`,
      position,
      declared: false,
    }));
    const voting = after([COLLECT, CHALLENGE], { over: { schema: 2, ballot } });
    expect(await read(voting, 'bob', 'vote: P2\napprove: P1\nconfidence: 60 %\n\nYes.')).toMatchObject({
      vote: 'P2',
      approve: ['P1'],
      position: 'Use Redis',
      confidence: 0.6,
      missing: [],
    });
    expect((await read(voting, 'bob', 'position: use redis.\n\nYes.')).vote).toBe('P2');
    expect((await read(voting, 'bob', 'vote: P3\n\nYes.')).missing).toEqual(['vote']);
    expect((await read(voting, 'bob', 'I stay where I am.')).missing).toEqual(['vote']);
  });

  it('has no answers of nobody', async () => {
    expect((await read(council, null, 'c1 conceded.')).answers).toEqual({});
  });
});

describe('what is read back of a move, where the blind plurality stands against moves without a reason', () => {
  const bob = '---\nposition: Use Redis\n---\n\nPolling a table wastes the disk.';
  const play: Play = [['COLLECT', { ...COLLECT[1], bob }], CHALLENGE];
  const rules = rulesOf({ rule: 'blind-first' });
  const ballot = ['Use PostgreSQL', 'Use Redis'].map((position, at) => ({
    ...{ id: `P${at + 1}`, position, declared: false },
  }));
  const council = after(play, { over: { rules, ballot, schema: 2 } });
  const missingIn = async (text: string, over: Partial<Council['state']> = {}) =>
    (await read({ ...council, state: { ...council.state, ...over } }, 'ada', `c1 answered: yes.\n\n${text}`))
      .missing;

  it.each<[string, string, Partial<Council['state']>, string[]]>([
    ['what moved its author, where it names nothing', 'vote: P2\n\nI see.', {}, ['because']],
    ['the same of a number', 'vote: P2\nbecause: most of us say so', {}, ['because']],
    ['nothing where it names a claim', 'vote: P2\nbecause: @bob.1', {}, []],
    ['nothing where it quotes one', 'vote: P2\n\n> Polling a table wastes the disk.\n\nTrue.', {}, []],
    ['nothing of who stays', 'vote: P1\n\nStill.', {}, []],
    ['no more than a vote where there is none', 'I see.', {}, ['vote']],
    ['nothing under another rule', 'vote: P2\n\nI see.', { rules: rulesOf() }, []],
    ['nothing where COLLECT was open', 'vote: P2\n\nI see.', { blind: false }, []],
  ])('misses %s', async (_, text, over, missing) => {
    expect(await missingIn(text, over)).toEqual(missing);
  });

  it('misses nothing of who returns to the blind position', async () => {
    const back = after([...play, ['CHALLENGE', { ada: '---\nposition: Use Redis\n---\nFine.' }]], {
      over: { rules, ballot, schema: 2, currentPhase: 'RESOLVE' },
    });
    expect((await read(back, 'ada', 'c1 answered: yes.\n\nvote: P1')).missing).toEqual([]);
  });

  it('takes the reason out of what is added, and keeps the vote', async () => {
    const first = 'vote: P2\n\nc1 answered: yes.';
    const whole = joinParts([first, '---\nbecause: bob.1\n---'].map((part) => Buffer.from(part)));
    const turn = { by: 'ada', phase: 'RESOLVE', tour: 3 } as const;
    const answer = { ...turn, text: whole.bytes.toString('utf8'), parts: whole.parts };
    expect(await readText(council, answer)).toMatchObject({ vote: 'P2', missing: [] });
    const nothing = joinParts([first, 'I do not know.'].map((part) => Buffer.from(part)));
    const more = { ...turn, text: nothing.bytes.toString('utf8'), parts: nothing.parts };
    expect(await readText(council, more)).toMatchObject({ vote: 'P2', missing: ['because'] });
  });
});

describe('what is read back of the case against, made on request', () => {
  it('has no position, and wants none', async () => {
    const advocate = { participant: 'ada', tour: 2, seed: 's' };
    const council = after([COLLECT], { over: { advocate } });
    expect(
      await read(council, 'ada', 'position: Use Redis\nagreed: true\n\nIt would be faster.'),
    ).toMatchObject({
      position: null,
      missing: [],
    });
  });
});

describe('without a council', () => {
  it('has what the text alone gives', async () => {
    expect(await read(null, null, 'Redis.')).toMatchObject({ position: null, missing: ['position'] });
    expect(await read(null, 'ada', 'c1 conceded: yes.\n\nc2 rejected: no.', 'RESOLVE')).toMatchObject({
      answers: { c1: 'conceded', c2: 'rejected' },
      missing: [],
    });
    expect(await read(null, null, '> Whose words?\n\nHm.', 'CHALLENGE')).toMatchObject({
      quotes: [],
      missing: [],
    });
  });
});
