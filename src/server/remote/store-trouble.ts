// A store that is away: calls to a server end early, and name it as the reason of their failure.
import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../../core/app/app.ts';
import { openProjectStorage } from '../../core/app/storage/project-storage.ts';
import { CouncilError, DISK_FULL } from '../../core/base/errors.ts';
import { isReadable, storeAway } from '../../core/store/availability.ts';
import type { StoreTrouble } from '../../core/store/availability.ts';
import { CHECK_TIMEOUT_MS } from '../../core/store/local/wait-for-check.ts';
import { findProject, layOutProject } from '../../core/store/local/project.ts';

export type { StoreTrouble };

type FindTrouble = () => Promise<StoreTrouble | undefined>;

/** Looks at the store of the project. Finds no trouble where there is no project, or its settings cannot be read: calls say so themselves. */
export const createTroubleFinder =
  (app: App): FindTrouble =>
  async () => {
    try {
      const project = app.root === undefined ? findProject(app) : layOutProject(app.root);
      return project && (await openProjectStorage(app, project).findTrouble());
    } catch (error) {
      if (error instanceof CouncilError) return undefined;
      throw error;
    }
  };

/** What `work` resolves to; rejects with `store_away` as soon as it has waited for a store that cannot be read. */
export async function awaitWhileReadable<T>(findTrouble: FindTrouble, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const { signal } = ended;
  const lookAgain = async (): Promise<never> => {
    for (;;) {
      await delay(CHECK_TIMEOUT_MS, undefined, { ref: false, signal });
      const trouble = await findTrouble();
      if (trouble && !isReadable(trouble)) throw storeAway(trouble);
    }
  };
  try {
    return await Promise.race([work, lookAgain()]);
  } finally {
    ended.abort();
  }
}

/** Codes of what fails because the store is away; others say why themselves. */
const MAY_BE_AWAY: readonly string[] = ['io', 'failed', 'no_project'] satisfies CouncilError['code'][];

/** What the system, and PostgreSQL, call a full disk. */
const FULL: readonly unknown[] = [...DISK_FULL, '53100'];

/** The reason of a failure, where the store is away: then whatever was tried could not work. */
export async function explainFailure(findTrouble: FindTrouble, error: CouncilError): Promise<CouncilError> {
  if (!MAY_BE_AWAY.includes(error.code)) return error;
  const { message, hint } = error;
  // Nothing is written to find this out beforehand: the writing that failed is the judgement.
  if (FULL.includes(error.details?.errno ?? error.details?.sqlstate))
    return storeAway({ kind: 'full', message, hint: hint ?? '' });
  const trouble = await findTrouble();
  return trouble ? storeAway(trouble) : error;
}
