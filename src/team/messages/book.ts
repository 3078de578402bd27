// A value in one document: read by its schema, and changed by compare-and-set.
import * as z from 'zod/mini';
import { renderJsonDocument, readJsonDocument } from '../../core/store/documents.ts';
import type { Documents } from '../../core/store/documents.ts';

export interface Book<T> {
  read(): Promise<T>;
  /**
   * Commits what `change` returns, which may be called several times and throws to refuse. Returns false if
   * nothing was written, because it returned the same value or undefined.
   */
  change(change: (before: T) => T | undefined): Promise<boolean>;
}

/** Opens a value in any document store. The schema must accept anything: unreadable counts as absent. */
export const openBook = <T extends object>(
  store: Pick<Documents, 'read' | 'update'>,
  key: string,
  schema: z.ZodMiniType<T>,
): Book<T> => {
  const parse = (text: string | undefined): T => schema.parse(readJsonDocument(text));
  return {
    read: async () => parse((await store.read(key))?.text),
    async change(change) {
      const { committed } = await store.update(key, (current, revision) => {
        const before = parse(current?.text);
        const after = change(before);
        return after === undefined || after === before ? undefined : renderJsonDocument(after, revision);
      });
      return committed;
    },
  };
};

/** Parses a list, dropping invalid items. */
export const createItemsSchema = <T>(one: z.ZodMiniType<T>) =>
  z.pipe(
    z.catch(z.array(z.unknown()), []),
    z.transform((all): T[] =>
      all.flatMap((value) => {
        const { success, data } = one.safeParse(value);
        return success ? [data] : [];
      }),
    ),
  );

/** Parses a record, dropping invalid values. */
export const createEntriesSchema = <T>(one: z.ZodMiniType<T>) =>
  z.pipe(
    z.catch(z.record(z.string(), z.unknown()), {}),
    z.transform((all): Record<string, T> =>
      Object.fromEntries(
        Object.entries(all).flatMap(([key, value]) => {
          const { success, data } = one.safeParse(value);
          return success ? [[key, data]] : [];
        }),
      ),
    ),
  );

export const TEXT_OR_NULL = z.catch(z.nullable(z.string()), null);
export const COUNT = z.catch(z.number().check(z.nonnegative()), 0);
export const TIME = z.string().check(z.refine((time) => !Number.isNaN(Date.parse(time))));
