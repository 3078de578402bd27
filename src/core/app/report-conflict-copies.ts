// Warns once: tells each line once, and of files that council does not go by because another one stands for the same.
import type { AgentRegistry } from '../agents/registry.ts';
import { nameBefore, tellOfCopy } from '../store/census.ts';
import { listFolderNames } from '../store/local/disk.ts';
import type { Project } from '../store/local/project.ts';
import type { App } from './app.ts';
import { copiedModes } from './modes.ts';

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
