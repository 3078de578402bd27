// Says things once: a line once in a process, a notice once in a project, remembered beside the health of its agents.
import type { App } from './app.ts';
import { readHealthStamp } from '../store/agent-health.ts';
import { renderJsonDocument, readJsonDocument } from '../store/documents.ts';
import type { Keeping } from './storage/ports.ts';

const heard = new WeakMap<App['note'], Set<string>>();

/** The same `note`, without lines that it was given before. */
export function createOnceNote(note: App['note']): App['note'] {
  const lines = heard.get(note) ?? new Set();
  heard.set(note, lines);
  return (line) => {
    if (lines.has(line)) return;
    lines.add(line);
    note(line);
  };
}

const KEY = 'told';

/** Whether this project has seen a notice. */
export const wasTold = async ({ keeping }: { keeping: Keeping }, what: string): Promise<boolean> =>
  readTold((await openTold(keeping).read(KEY))?.text).includes(what);

/** Remembers that this project has seen a notice. */
export async function recordToldNotice({ keeping }: { keeping: Keeping }, what: string): Promise<void> {
  await openTold(keeping).update(KEY, (current, revision) => {
    const told = readTold(current?.text);
    return told.includes(what) ? undefined : renderJsonDocument({ told: [...told, what] }, revision);
  });
}

const openTold = (keeping: Keeping) => keeping.documents('health', { readStamp: readHealthStamp });

function readTold(text: string | undefined): string[] {
  const { told } = readJsonDocument(text);
  return Array.isArray(told) ? told.filter((one) => typeof one === 'string') : [];
}
