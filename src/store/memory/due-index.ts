// Memory driver for tests: the index of councils that wait, judged by their revisions.
import type { Documents } from '../documents.ts';
import { isTrusted } from '../due-index.ts';
import type { DueIndex, Swept, Waiting } from '../due-index.ts';

/** An index over a store, in memory. */
export function memoryDueIndex(store: Pick<Documents, 'revision'>): DueIndex {
  let swept: Swept | undefined;
  let noted = new Map<string, Waiting & { revision: number }>();
  return {
    async begin({ list, now, clocks }) {
      const isKnown = swept !== undefined && isTrusted(swept, now, clocks);
      const names = await list();
      const revisions = new Map<string, number>();
      for (const name of names) revisions.set(name, await store.revision(name));
      const waiting = new Map(
        [...noted].filter(
          ([name, one]) => isKnown && revisions.get(name) === one.revision && now < one.dueAt,
        ),
      );
      const next = Math.min(...[...waiting.values()].map(({ dueAt }) => dueAt));
      return {
        due: names.filter((name) => !waiting.has(name)),
        resting: waiting.size,
        nextAt: waiting.size === 0 ? undefined : next,
        waiting: async () => waiting,
        async end(found) {
          if (!isKnown) swept = { at: now, clocks };
          const fresh = [...found].map(
            ([name, one]) => [name, { ...one, revision: revisions.get(name)! }] as const,
          );
          noted = new Map([...waiting, ...fresh]);
        },
      };
    },
  };
}
