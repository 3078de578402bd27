// Remembers which notices a project has seen, so that each is shown once. Kept beside the health of its agents.
import { readHealthStamp } from '../store/agent-health.ts';
import { jsonDocument, readJsonDocument } from '../store/documents.ts';
import type { Workspace } from './workspace.ts';

const KEY = 'told';

/** Whether this project has seen a notice. */
export const wasTold = async ({ keeping }: Pick<Workspace, 'keeping'>, what: string): Promise<boolean> =>
  readTold((await openTold(keeping).read(KEY))?.text).includes(what);

/** Remembers that this project has seen a notice. */
export async function noteTold({ keeping }: Pick<Workspace, 'keeping'>, what: string): Promise<void> {
  await openTold(keeping).update(KEY, (current, revision) => {
    const told = readTold(current?.text);
    return told.includes(what) ? undefined : jsonDocument({ told: [...told, what] }, revision);
  });
}

const openTold = (keeping: Workspace['keeping']) =>
  keeping.documents('health', { readStamp: readHealthStamp });

function readTold(text: string | undefined): string[] {
  const { told } = readJsonDocument(text);
  return Array.isArray(told) ? told.filter((one) => typeof one === 'string') : [];
}
