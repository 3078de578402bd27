// The table of a council that is about to open: its project, settings and participants, with nothing written yet.
import type { Config } from '../base/config.ts';
import type { App } from './app.ts';
import { chooseSeats } from './default-table.ts';
import type { StartInput } from './input/council.ts';
import { forPanel } from './offline.ts';
import { planWorkspace } from './prepare.ts';
import { loadConfig } from './workspace.ts';
import type { Workspace } from './workspace.ts';

export interface PlannedTable<Input> {
  workspace: Workspace;
  /** As it was given, with the offline panel where no agent and no program was found. */
  input: Input;
  config: Config;
  /** The entries of --agents or COUNCIL.md; null where all agents of the project sit. */
  named: string[] | null;
}

/** Throws what is wrong with settings and participants; `writePlanned` writes what the council needs when all else is checked. */
export async function planTable<Input extends StartInput>(
  app: App,
  input: Input,
  brief: string,
  { findsPrograms, isDryRun = false }: { findsPrograms: boolean; isDryRun?: boolean },
): Promise<PlannedTable<Input>> {
  const workspace = planWorkspace(app, { isDryRun });
  const settings = await loadConfig(app, workspace, { ...input, agents: undefined });
  const seats = await chooseSeats(app, workspace, input, settings, { findsPrograms });
  const seated = seats === 'offline' ? { ...input, panel: seats } : input;
  const asked = input.panel !== undefined;
  const config = forPanel(app, seated, {
    config: { ...settings, agents: Array.isArray(seats) ? seats : settings.agents },
    brief,
    asked,
  });
  return { workspace, input: seated, config, named: input.agents ?? settings.agents };
}
