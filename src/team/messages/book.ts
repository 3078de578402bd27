// A value in one document: read by its schema, and changed by compare-and-set.
import * as z from 'zod/mini';
import { jsonDocument, readJsonDocument } from '../../core/store/documents.ts';
import type { Documents } from '../../core/store/documents.ts';

export interface Book<T> {
  read(): Promise<T>;
  /** `change` may run several times, and throws to refuse. False where it returned the same, or undefined: nothing is written. */
  change(change: (before: T) => T | undefined): Promise<boolean>;
}

/** On any driver of documents, in a place of its own. The schema takes anything: what cannot be read counts as absent. */
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
        return after === undefined || after === before ? undefined : jsonDocument(after, revision);
      });
      return committed;
    },
  };
};

/** A list, without what is none of these. */
export const soundItems = <T>(one: z.ZodMiniType<T>) =>
  z.pipe(
    z.catch(z.array(z.unknown()), []),
    z.transform((all): T[] =>
      all.flatMap((value) => {
        const { success, data } = one.safeParse(value);
        return success ? [data] : [];
      }),
    ),
  );

/** A record, without what is none of these. */
export const soundEntries = <T>(one: z.ZodMiniType<T>) =>
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
