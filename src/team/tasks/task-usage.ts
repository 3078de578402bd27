// What the launches of a task used up.
import type { Task, TaskUsage } from './task.ts';

/** What all launches of a task used up together; null where none told. */
export function sumTaskUsage({ launches }: Pick<Task, 'launches'>): TaskUsage | null {
  const told = launches.flatMap((one) => one.usage ?? []);
  if (told.length === 0) return null;
  const sum = (key: 'inputTokens' | 'outputTokens' | 'costUsd'): number | null =>
    told.reduce<number | null>((total, one) => (one[key] === null ? total : (total ?? 0) + one[key]), null);
  return {
    model: told.findLast(({ model }) => model !== null)?.model ?? null,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    costUsd: sum('costUsd'),
  };
}
