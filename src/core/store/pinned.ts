// A store whose first change has to be made to a revision that was named.
import { CouncilError } from '../base/errors.ts';
import type { Documents } from './documents.ts';

/** Throws `conflict` from the first `update` where the document is not at that revision; what follows it is not looked at. */
export function pinDocuments<D extends Documents>(store: D, revision: number): D {
  let isPinned = true;
  return {
    ...store,
    async update(key, change) {
      if (!isPinned) return store.update(key, change);
      let stands: number | null | undefined;
      const updated = await store.update(key, (current, nextRevision) => {
        // Told at the end: a conflict that is thrown here is tried again.
        stands = current?.revision === revision ? undefined : (current?.revision ?? null);
        return stands === undefined ? change(current, nextRevision) : undefined;
      });
      if (stands !== undefined)
        throw new CouncilError('conflict', `Revision ${revision} of "${key}" is not the newest one.`, {
          hint: 'Look at what has changed, and decide again.',
          details: { revision: stands },
        });
      isPinned = false;
      return updated;
    },
  };
}
