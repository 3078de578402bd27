import { describe, expect, it } from 'vitest';
import { measureText } from '../../../../src/core/council/document/markers.ts';
import type { Contribution } from '../../../../src/core/council/state/state.ts';
import { blindVotes, parseConfidence, collectVotes } from '../../../../src/core/council/vote/votes.ts';
import { PHASES } from '../../../../src/core/council/state/allowed-values.ts';

const said = (by: string, tour: number, over: Partial<Contribution> = {}): Contribution => {
  const text = over.text ?? `${by} in ${tour}`;
  return {
    by,
    tour,
    phase: PHASES[Math.min(tour, 4) - 1]!,
    at: '2026-02-08T20:10:00.000Z',
    ...measureText(text),
    text,
    ...over,
  };
};
const ballots = (contributions: Contribution[], order = ['a', 'b', 'c']) => ({
  state: { order },
  contributions,
});
const inShort = (votes: ReturnType<typeof collectVotes>) =>
  votes.map(
    (v) => `${v.by} ${v.kind} ${v.position ?? '-'}${v.agreed ? ' agreed' : ''}${v.blocking ? ' blocks' : ''}`,
  );

describe('votesOf', () => {
  it('tells who spoke, whose position is carried, and who was never heard', () => {
    const council = ballots([said('a', 1, { position: 'x' }), said('b', 1, { position: 'y' }), said('a', 2)]);
    expect(inShort(collectVotes(council, { upTo: 2 }))).toEqual(['a spoken x', 'b carried y', 'c absent -']);
    expect(inShort(collectVotes(council, { upTo: 1 }))).toEqual(['a spoken x', 'b spoken y', 'c absent -']);
    expect(inShort(collectVotes(council, { upTo: 3 }))).toEqual(['a carried x', 'b carried y', 'c absent -']);
  });

  it('follows seating order, whatever the order of the contributions, and leaves the coordinator out', () => {
    const council = ballots(
      [said('c', 3, { position: 'z' }), said('c', 1, { position: 'x' }), said('maman', 3, { position: 'y' })],
      ['c', 'a'],
    );
    expect(inShort(collectVotes(council, { upTo: 3 }))).toEqual(['c spoken z', 'a absent -']);
    const seated = ballots([said('a', 4, { position: 'y', phase: 'SYNTHESIZE' })], ['a']);
    expect(inShort(collectVotes(seated, { upTo: 4 }))).toEqual(['a absent -']);
  });

  it('lets agreement end with its tour unless done, and a blocking issue stand until the next word', () => {
    const council = ballots([
      said('a', 1, { agreed: true, blocking: ['no tests'] }),
      said('b', 1, { agreed: true, done: true }),
      said('c', 1, { agreed: true, blocking: ['no budget'] }),
      said('c', 2, { agreed: true }),
    ]);
    expect(inShort(collectVotes(council, { upTo: 2 }))).toEqual([
      'a carried - blocks',
      'b carried - agreed',
      'c spoken - agreed',
    ]);
  });

  it('never takes what an advocate said for its own view', () => {
    const council = ballots([
      said('a', 1, { position: 'x', agreed: true }),
      said('a', 2, { position: 'against', blocking: ['everything'] }),
      said('b', 2, { position: 'against' }),
    ]);
    const advocates = [
      { by: 'a', tour: 2 },
      { by: 'b', tour: 2 },
    ];
    expect(inShort(collectVotes(council, { upTo: 2, advocates }))).toEqual([
      'a advocate x agreed',
      'b advocate -',
      'c absent -',
    ]);
    const marked = ballots(
      [said('a', 1, { position: 'x' }), said('a', 2, { position: 'against', advocate: true })],
      ['a'],
    );
    expect(inShort(collectVotes(marked, { upTo: 2 }))).toEqual(['a advocate x']);
    const later = { ...council, contributions: [...council.contributions, said('a', 3, { position: 'y' })] };
    expect(inShort(collectVotes(later, { upTo: 3, advocates }))).toEqual([
      'a spoken y',
      'b absent -',
      'c absent -',
    ]);
  });

  it('marks the recused, whatever they said', () => {
    expect(
      inShort(collectVotes(ballots([said('a', 1, { position: 'x' })]), { upTo: 1, recused: ['a', 'b'] })),
    ).toEqual(['a recused x', 'b recused -', 'c absent -']);
  });

  it('takes the confidence of the contribution that stated the position', () => {
    const council = ballots([
      said('a', 1, { position: 'x', text: '---\nconfidence: 0.4\n---\nx' }),
      said('a', 2, { text: '---\nconfidence: 0.9\n---\nstill' }),
    ]);
    expect(collectVotes(council, { upTo: 2 })[0]).toEqual({
      by: 'a',
      position: 'x',
      kind: 'spoken',
      confidence: 0.4,
      agreed: false,
      blocking: false,
    });
    expect(Object.keys(collectVotes(council, { upTo: 2 })[1]!)).not.toContain('confidence');
  });
});

describe('blindVotes', () => {
  it('is the vote of the first tour', () => {
    const council = ballots([
      said('a', 1, { position: 'x' }),
      said('a', 2, { position: 'y' }),
      said('b', 2, { position: 'y' }),
    ]);
    expect(inShort(blindVotes(council))).toEqual(['a spoken x', 'b absent -', 'c absent -']);
    expect(inShort(blindVotes(council, { recused: ['a'] }))[0]).toBe('a recused x');
  });
});

describe('confidenceIn', () => {
  it('reads one plain line of the front matter, and nothing else', () => {
    const read = (value: string) => parseConfidence(`---\nposition: x\nconfidence:${value}\n---\ntext`);
    expect([' 0.8', ' 1', ' 0', ' .5', '0.25 # unsure', ' 1.0'].map(read)).toEqual([0.8, 1, 0, 0.5, 0.25, 1]);
    expect([' high', ' 1.2', ' -0.5', ' 80%', ' "0.8"', ''].map(read)).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
    expect(parseConfidence('---\r\nconfidence: 0.7\r\n---\r\ntext')).toBe(0.7);
    expect([parseConfidence('confidence: 0.8'), parseConfidence('---\nx: 1\n---\nconfidence: 0.8')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
