import { describe, expect, it } from 'vitest';
import {
  computeTrackRecords,
  countOrigins,
  judgeVotes,
  scoreConfidence,
} from '../../../src/core/archive/track-record.ts';
import type { JudgedPosition } from '../../../src/core/archive/track-record.ts';
import { readArchive } from '../../../src/core/archive/parse.ts';
import type { ReadArchive } from '../../../src/core/archive/parse.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { computeDecision } from '../../../src/core/council/vote/outcome.ts';
import type { Contribution } from '../../../src/core/council/state/state.ts';
import { finished, LEDGER, PATH, spoke } from './sample.ts';

const BALLOT = [
  { id: 'P1', position: 'tabs', declared: false },
  { id: 'P2', position: 'spaces', declared: false },
  { id: 'P3', position: 'blanks', declared: false },
];
const outcome = (right: string) => ({ right, position: null, note: null, on: '2026-12-24', at: '' });

const vote = (
  by: string,
  tour: number,
  position: string,
  over: Partial<Contribution> = {},
): Contribution => ({
  ...spoke(by, tour, `${by} in round ${tour}`, { position }),
  vote: BALLOT.find((line) => line.position === position)!.id,
  ...over,
});

/** Henry moves from tabs to spaces, Sage stays, Lizard holds blanks, which it and Sage call the same as spaces. */
function archived(recused: string[] = []): ReadArchive {
  const council = finished(
    [
      vote('henry', 1, 'tabs', { confidence: 0.9 }),
      vote('sage', 1, 'spaces', { confidence: 0.8 }),
      vote('lizard', 1, 'blanks'),
      vote('henry', 3, 'spaces', { confidence: 0.6 }),
      vote('sage', 3, 'spaces', { confidence: 0.7, same: [['P2', 'P3']] }),
      vote('lizard', 3, 'blanks', { same: [['P2', 'P3']] }),
    ],
    { ledger: LEDGER, ballot: BALLOT },
  );
  const rules = {
    ...council.state.rules,
    rule: 'majority' as const,
    recused: recused.map((participant) => ({ participant, why: 'x' })),
  };
  const played = { ...council, state: { ...council.state, rules } };
  const decision = computeDecision(played);
  return readArchive(renderArchive({ ...played, state: { ...played.state, decision } }, []), PATH);
}

describe('votes against what turned out', () => {
  it('are the last ones, with the confidence that was stated with them, and joined positions are one', () => {
    expect(judgeVotes(archived(), outcome('P3'))).toEqual([
      { by: 'henry', right: true, confidence: 0.6 },
      { by: 'sage', right: true, confidence: 0.7 },
      { by: 'lizard', right: true },
    ]);
    expect(judgeVotes(archived(), outcome('P1')).map(({ right }) => right)).toEqual([false, false, false]);
    expect(judgeVotes(archived(), outcome('none')).some(({ right }) => right)).toBe(false);
    expect(judgeVotes(archived(['sage']), outcome('P2')).map(({ by }) => by)).toEqual(['henry', 'lizard']);
  });

  it('count for decisions by how they came about', () => {
    const of = (right: string) => ({ archive: archived(), outcome: outcome(right) });
    const { decision } = archived().meta;
    expect(decision?.number).toBe('P2');
    expect(countOrigins([of('P3'), of('P2'), of('none')])).toEqual([
      { how: decision!.how, right: 2, wrong: 1, undecided: 0 },
    ]);
  });
});

describe('the record of a participant', () => {
  it('counts what its archives say of it', () => {
    const { meta } = archived();
    const records = computeTrackRecords([meta, meta], judgeVotes(archived(), outcome('P2')));
    expect(records.map(({ id }) => id)).toEqual(['henry', 'lizard', 'sage']);
    const [henry, , sage] = records;
    expect(henry).toMatchObject({
      councils: 2,
      outcomes: { judged: 1, right: 1 },
      brier: expect.closeTo(0.16, 9) as number,
      quotes: { verified: 2, total: 2 },
      challenges: { conceded: 0, total: 0 },
      moves: { explained: 0, unexplained: 2 },
      costPerCouncil: null,
    });
    expect(sage).toMatchObject({ challenges: { conceded: 0, total: 2 }, moves: { unexplained: 0 } });
  });

  it('has a calibration from ten stated confidences on, and none before', () => {
    const judged = (confidence: number, right: boolean): JudgedPosition => ({ by: 'a', confidence, right });
    const nine = Array.from({ length: 9 }, (_, at) => judged(0.9, at % 3 > 0));
    expect(scoreConfidence([...nine, { by: 'a', right: true }])).toMatchObject({
      stated: 9,
      calibration: null,
    });
    const { brier, calibration } = scoreConfidence([...nine, judged(1, true)]);
    expect(brier).toBeCloseTo((6 * 0.01 + 3 * 0.81) / 10, 9);
    expect(calibration).toEqual([
      { from: 0.8, below: 1, count: 10, stated: expect.closeTo(0.91, 9) as number, right: 0.7 },
    ]);
    expect(scoreConfidence([])).toEqual({ brier: null, stated: 0, calibration: null });
  });
});
