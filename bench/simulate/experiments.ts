import { advocate, anonymity, conformity, persuasion, repeats } from './experiments-debate.ts';
import { absence, independence, labels, rules } from './experiments-vote.ts';
import type { Experiment } from './tables.ts';

/** In the order of docs/deliberation.md. */
export const EXPERIMENTS: readonly Experiment[] = [
  rules,
  labels,
  independence,
  conformity,
  anonymity,
  repeats,
  advocate,
  absence,
  persuasion,
];
