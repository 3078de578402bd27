// Evals in which it was planted how right each arm is.
import type { SittingResult } from '../../src/eval/arms.ts';
import { playQuestion } from '../../src/eval/run-eval.ts';
import { createReport } from '../../src/eval/report.ts';
import type { Comparison } from '../../src/eval/report.ts';
import { createEvalTable, createQuestions, plantAnswers } from './eval-table.ts';
import type { Planted } from './eval-table.ts';

/** What the report finds, by pair of arms, in an eval for each seed. */
export async function findVerdicts(
  planted: Planted,
  seeds: readonly number[],
  count = 40,
): Promise<Record<string, Comparison['verdict']>[]> {
  const found: Record<string, Comparison['verdict']>[] = [];
  for (const seed of seeds) {
    const table = createEvalTable(plantAnswers(planted, seed));
    const results: SittingResult[] = [];
    for (const [at, question] of createQuestions(count).entries())
      results.push((await playQuestion(table, question, { name: `q${at + 1}-r1`, repeat: 1 }))!);
    const { comparisons } = createReport(results, { seats: ['ada', 'ben', 'cleo'], asked: count });
    found.push(Object.fromEntries(comparisons.map(({ arms, verdict }) => [arms.join('/'), verdict])));
  }
  return found;
}
