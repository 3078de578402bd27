// Avoids repetition: prints a line once per process, and a notice once per project. Notices are stored beside the agents' health.
import type { App } from './app.ts';
import { dropRepeats, memoizeByObject } from '../base/memoize.ts';
import { readHealthStamp } from '../store/agent-health.ts';
import { renderJsonDocument, readJsonDocument } from '../store/documents.ts';
import type { StoragePorts } from './storage/ports.ts';

/** Wraps `note` so that repeated lines are dropped, in this whole process. */
export const createOnceNote = memoizeByObject<App['note'], App['note']>(dropRepeats);

const KEY = 'told';

/** Whether a notice was already shown in this project. */
export const wasTold = async ({ keeping }: { keeping: StoragePorts }, what: string): Promise<boolean> =>
  readTold((await openTold(keeping).read(KEY))?.text).includes(what);

export async function recordToldNotice({ keeping }: { keeping: StoragePorts }, what: string): Promise<void> {
  await openTold(keeping).update(KEY, (current, revision) => {
    const told = readTold(current?.text);
    return told.includes(what) ? undefined : renderJsonDocument({ told: [...told, what] }, revision);
  });
}

const openTold = (keeping: StoragePorts) => keeping.documents('health', { readStamp: readHealthStamp });

function readTold(text: string | undefined): string[] {
  const { told } = readJsonDocument(text);
  return Array.isArray(told) ? told.filter((one) => typeof one === 'string') : [];
}
