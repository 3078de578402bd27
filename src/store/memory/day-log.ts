// Memory driver for tests: lines by day.
import { dayAt } from '../day-log.ts';
import type { DayLog } from '../day-log.ts';

/** A day log in memory, which forgets nothing. */
export function memoryDayLog(): DayLog {
  const days = new Map<string, string[]>();
  const followers = new Set<(line: string) => void>();
  return {
    async append(at, line) {
      const day = dayAt(at);
      days.set(day, [...(days.get(day) ?? []), line]);
      for (const hear of followers) setImmediate(() => followers.has(hear) && hear(line));
    },
    async *read({ from = '', newest = false } = {}) {
      const wanted = [...days.keys()].filter((day) => day >= from).sort();
      const lines = wanted.flatMap((day) => days.get(day) ?? []);
      yield* newest ? lines.toReversed() : lines;
    },
    follow(onLine) {
      const hear = (line: string): void => onLine(line);
      followers.add(hear);
      return () => void followers.delete(hear);
    },
  };
}
