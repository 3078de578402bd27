// Says which files of agents and modes council passes over: copies that a program that syncs has made.
import type { AgentRegistry } from '../agents/registry.ts';
import { readOriginalName, tellOfCopy } from '../store/census.ts';
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
    listFolderNames(folder).some((name) => readOriginalName(name) !== undefined),
  );
