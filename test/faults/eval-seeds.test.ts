import { describe, expect, it } from 'vitest';
import type { SittingResult } from '../../src/eval/arms.ts';
import { createReport } from '../../src/eval/report.ts';
import { createSeededRandom } from '../../src/eval/statistics.ts';
import { createQuestions } from '../helpers/eval-table.ts';
import { findVerdicts } from '../helpers/planted-evals.ts';

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);
const count = (verdicts: Record<string, string>[], pair: string, verdict: string): number =>
  verdicts.filter((found) => found[pair] === verdict).length;

describe('evals of 40 questions with 20 seeds', () => {
  it('find a debate that is better, and one that is worse', { timeout: 1_200_000 }, async () => {
    const better = await findVerdicts({ vote: 0.6, revise: 0.6, more: 0.5, debate: 0.95 }, SEEDS);
    expect(count(better, 'debate/more', 'first')).toBeGreaterThanOrEqual(18);
    expect(count(better, 'debate/more', 'second')).toBe(0);
    const worse = await findVerdicts({ vote: 0.95, revise: 0.6, more: 0.95, debate: 0.5 }, SEEDS);
    expect(count(worse, 'debate/vote', 'second')).toBeGreaterThanOrEqual(18);
    expect(count(worse, 'debate/more', 'first')).toBe(0);
  });

  it('claim hardly anything where all arms are equally good', { timeout: 600_000 }, async () => {
    const verdicts = await findVerdicts({ vote: 0.6, revise: 0.6, more: 0.6, debate: 0.6 }, SEEDS);
    const claimed = verdicts.filter((found) => Object.values(found).some((one) => /first|second/.test(one)));
    // Of 20 evals that are wrong in 5 % each, more than 3 would be wrong in 2 of 100 such tests.
    expect(claimed.length).toBeLessThanOrEqual(3);
  });

  it('are wrong in about 5 of 100 cases at the most, over many results', () => {
    const random = createSeededRandom(33);
    const questions = createQuestions(40);
    const nothing = { turns: 0, launches: 0, costUsd: null };
    const spent = { blind: nothing, debate: nothing, revise: nothing, more: nothing };
    const draw = (answer: string): string => (random() < 0.6 ? answer : 'neither');
    let claims = 0;
    const evals = 400;
    for (let at = 0; at < evals; at++) {
      const results = questions.map((question): SittingResult => {
        const arm = (): string => draw(question.answer);
        const arms = {
          ...{ vote: arm(), voteMajority: arm(), revise: arm(), more: arm() },
          ...{ debate: arm(), debateMajority: arm(), blindFirst: arm() },
        };
        return { question, repeat: 1, solo: [], arms, spent };
      });
      const { comparisons } = createReport(results, { seats: [], asked: 40 });
      if (comparisons.some(({ verdict }) => verdict === 'first' || verdict === 'second')) claims++;
    }
    expect(claims / evals).toBeLessThan(0.07);
    expect(claims).toBeGreaterThan(0);
  });
});
