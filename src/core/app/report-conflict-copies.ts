// Tells once: each line of a process, each notice of a project, and files that council does not go by.
import type { AgentRegistry } from '../agents/registry.ts';
import { nameBefore, tellOfCopy } from '../store/census.ts';
import { listFolderNames } from '../store/local/disk.ts';
import type { Project } from '../store/local/project.ts';
import type { App } from './app.ts';
import { copiedModes } from './modes.ts';
import { readHealthStamp } from '../store/agent-health.ts';
import { jsonDocument, readJsonDocument } from '../store/documents.ts';
import type { Keeping } from './storage/ports.ts';

type ProjectLocation = { project: Project };

/** Every command that goes by agents and modes says which files it has passed over. */
export function tellCopies(app: App, { project }: ProjectLocation, agents: AgentRegistry): void {
  for (const copy of [...agents.copies(), ...copiedModes(project)]) app.note(tellOfCopy(copy));
}

/** Whether a look at the names alone shows a file as a program that syncs puts it there: what needs no agents does not read them. */
export const mayHoldCopies = ({ project }: ProjectLocation): boolean =>
  [project.agents, project.modes].some((folder) =>
    listFolderNames(folder).some((name) => nameBefore(name) !== undefined),
  );

const heard = new WeakMap<App['note'], Set<string>>();

/** The same `note`, without lines that it was given before. */
export function tellingOnce(note: App['note']): App['note'] {
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
export async function noteTold({ keeping }: { keeping: Keeping }, what: string): Promise<void> {
  await openTold(keeping).update(KEY, (current, revision) => {
    const told = readTold(current?.text);
    return told.includes(what) ? undefined : jsonDocument({ told: [...told, what] }, revision);
  });
}

const openTold = (keeping: Keeping) => keeping.documents('health', { readStamp: readHealthStamp });

function readTold(text: string | undefined): string[] {
  const { told } = readJsonDocument(text);
  return Array.isArray(told) ? told.filter((one) => typeof one === 'string') : [];
}
