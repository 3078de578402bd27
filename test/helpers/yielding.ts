// Drivers that let others go first at every call, as one that asks another machine does.
import type { Documents, Stored } from '../../src/core/store/documents.ts';
import { applyChange } from '../../src/core/store/update.ts';

/** What stands between a call and its effect. */
export type Pause = () => Promise<unknown>;

/** Everything else that is ready to run runs first. */
export const macrotask: Pause = () => new Promise((resolve) => setImmediate(resolve));

/** The port with `pause` before each of its calls; what is in `atOnce` promises nothing and stays as it is. */
export function yielding<T extends object>(port: T, pause: Pause, atOnce: (keyof T & string)[] = []): T {
  const entries = Object.entries(port).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function' || (atOnce as string[]).includes(name)) return [name, value];
    const method = value as (...args: unknown[]) => unknown;
    return [
      name,
      async (...args: unknown[]): Promise<unknown> => {
        await pause();
        return method(...args);
      },
    ];
  });
  return Object.fromEntries(entries) as T;
}

/** The same for documents. Its `update` has no lock: others may come between its read and its commit. */
export function yieldingDocuments<T extends Documents>(documents: T, pause: Pause): T {
  const slow: Documents = yielding<Documents>(documents, pause, ['watch']);
  const look = async (key: string): Promise<{ live: Stored | undefined; revision: number }> => {
    const live = await slow.read(key);
    return { live, revision: live?.revision ?? (await documents.revision(key)) };
  };
  return {
    ...documents,
    ...slow,
    update: (key, change) =>
      applyChange(
        key,
        change,
        () => look(key),
        (text, expected) => slow.commit(key, text, expected),
      ),
  };
}
