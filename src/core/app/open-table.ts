// Opens the table of a new council: its project, settings and participants, with nothing written yet.
import type { Config } from '../base/config.ts';
import { mayAddAgents } from './app.ts';
import type { App } from './app.ts';
import type { StartInput } from './input/council.ts';
import { forPanel } from './offline.ts';
import { planWorkspace } from './prepare.ts';
import { loadConfig, loadAgents } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import type { Agent } from '../agents/agent.ts';
import { isModel, isPreset } from '../agents/runner-kind.ts';
import { parseSeat } from '../agents/seat-notation.ts';
import { CouncilError } from '../base/errors.ts';
import { fill, loadWords } from '../base/words/words.ts';
import { findWantedSince } from './found-since.ts';
import { findPrograms, seatDetected, seatingLines } from './seat-detected.ts';
import { spreadTable } from './seats/personas.ts';

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

/** Who sits: ids, council's own panel, or null for everybody of `agents/`. */
type Seats = string[] | 'offline' | null;

/**
 * The participants of a council that is about to open: the entries of --agents, else the agents of the project, else the agent
 * programs on PATH. Files that are missing for them are planned, not written. With `findsPrograms`, the offline panel sits where
 * there is no program, and a single program is asked three times. Throws like `resolveSeats`.
 */
async function chooseSeats(
  app: App,
  workspace: Workspace,
  input: Pick<StartInput, 'agents' | 'panel' | 'table' | 'yes'>,
  config: Config,
  { findsPrograms }: { findsPrograms: boolean },
): Promise<Seats> {
  if (input.panel !== undefined) return input.panel;
  const resolve = async (entries: readonly string[]): Promise<string[]> => {
    const { resolveSeats } = await import('./seats/resolve-seats.ts');
    return resolveSeats(app, workspace, config.lang, entries);
  };
  const named = input.agents ?? config.agents;
  if (input.table !== undefined) return resolve(await fillTable(app, workspace, input.table, named));
  if (named) return resolve(named);
  if (!findsPrograms) return null;
  const own = await findOwnAgents(app, workspace);
  const since =
    own.length > 0
      ? await findWantedSince(app, workspace, { own, isAsked: !input.yes, lang: config.lang })
      : [];
  if (since.length > 0) return [...own.map(({ id }) => id), ...(await resolve(since))];
  const there = own.length > 0 ? own : await seatPrograms(app, workspace);
  if (there.length === 0) return 'offline';
  const [only, ...others] = there;
  // One that was given a part is not asked for it three times.
  if (!only || others.length > 0 || !isPreset(only.runner) || only.persona !== '') return null;
  const seats = await resolve([only.id, only.id, only.id]);
  const words = fill(loadWords(config.lang).seats.alone, { program: only.id, seats: seats.join(', ') });
  workspace.planned?.notes.push(words);
  return seats;
}

/** Plans files for the programs on PATH, and says what was found. */
async function seatPrograms(app: App, workspace: Workspace): Promise<Agent[]> {
  const seating = await seatDetected(app, workspace);
  for (const line of seatingLines({ ...seating, written: [] })) app.note(line);
  workspace.planned?.notes.push(...seatingLines({ ...seating, refused: [] }));
  return findOwnAgents(app, workspace);
}

/** Entries for a table of personas: those that can play a part share them out, and those that have one sit beside them. */
async function fillTable(
  app: App,
  workspace: Workspace,
  table: NonNullable<StartInput['table']>,
  named: readonly string[] | null,
): Promise<string[]> {
  const registry = await loadAgents(app, workspace);
  const entries = named ?? (await listPrograms(app, workspace));
  const hasPart = (entry: string): boolean => {
    const agent = registry.find(entry);
    return agent ? !isModel(agent.runner) || agent.persona !== '' : parseSeat(entry).persona !== null;
  };
  const programs = entries.filter((entry) => !hasPart(entry));
  if (programs.length === 0) throw createNoProgramError(table);
  return [...spreadTable(table, programs), ...(named ?? []).filter(hasPart)];
}

/** The agents of the project, and the programs on PATH that none of them runs, where the caller may bring them in. */
async function listPrograms(app: App, workspace: Workspace): Promise<string[]> {
  const own = await findOwnAgents(app, workspace);
  const found = mayAddAgents(app) ? await findPrograms(app, workspace) : [];
  const others = found.filter(
    ({ problem, program }) => problem === null && !own.some(({ runner }) => runner === program.preset),
  );
  return [...own.map(({ id }) => id), ...others.map(({ program }) => program.preset)];
}

/** The agents of the project that were not made for one council. */
async function findOwnAgents(app: App, workspace: Workspace): Promise<Agent[]> {
  const registry = await loadAgents(app, workspace);
  return registry.own().filter(({ source, seat }) => source === 'project' && seat === undefined);
}

const createNoProgramError = (table: string): CouncilError =>
  new CouncilError('usage', `Nobody can take the seats of the table ${table}: there is no agent program.`, {
    hint: 'Install one (council doctor names them), or name models: --agents mistral/mistral-large-latest',
  });
