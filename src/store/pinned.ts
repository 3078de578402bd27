// A store whose first change has to be made to a revision that somebody has named.
import { CouncilError } from '../base/errors.ts';
import type { Documents } from './documents.ts';

/** Throws `conflict` from the first `update` where the document is not at that revision; what follows it is not looked at. */
export function pinnedTo<D extends Documents>(store: D, revision: number): D {
  let isPinned = true;
  return {
    ...store,
    async update(key, change) {
      const updated = await store.update(key, (current, nextRevision) => {
        if (isPinned && current?.revision !== revision)
          throw new CouncilError('conflict', `Revision ${revision} of "${key}" is not the newest one.`, {
            hint: 'Look at what has changed, and decide again.',
            details: { revision: current?.revision ?? null },
          });
        return change(current, nextRevision);
      });
      isPinned = false;
      return updated;
    },
  };
}
