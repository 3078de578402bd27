// The index of waiting councils, kept in the memory of this process.
import { isTrusted } from './due-index.ts';
import type { DueIndex, Swept, Waiting } from './due-index.ts';

/** Changes with each commit to a council; undefined where it cannot be read. */
type Mark = string | number | undefined;

/** An empty index: the first pass looks at every council. */
export function dueInMemory(findMark: (name: string, now: number) => Promise<Mark>): DueIndex {
  let swept: Swept | undefined;
  let noted = new Map<string, Waiting & { mark: Mark }>();
  return {
    async begin({ list, now, clocks }) {
      const isKnown = swept !== undefined && isTrusted(swept, now, clocks);
      const names = await list();
      // Before a council is read: a commit that comes between changes its mark.
      const marks = new Map<string, Mark>();
      for (const name of names) marks.set(name, await findMark(name, now));
      const waiting = new Map(
        [...noted].filter(
          ([name, { mark, dueAt }]) =>
            isKnown && mark !== undefined && mark === marks.get(name) && now < dueAt,
        ),
      );
      let nextAt: number | undefined;
      for (const { dueAt } of waiting.values()) nextAt = Math.min(nextAt ?? Infinity, dueAt);
      return {
        due: names.filter((name) => !waiting.has(name)),
        resting: waiting.size,
        nextAt,
        waiting: async () => waiting,
        async end(found) {
          if (!isKnown) swept = { at: now, clocks };
          noted = new Map(waiting);
          for (const [name, one] of found) noted.set(name, { ...one, mark: marks.get(name) });
        },
      };
    },
  };
}
