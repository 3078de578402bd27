// Opens the table of a new council: its project, settings and participants, with nothing written yet.
import type { Config } from '../base/config.ts';
import { maySeatUnlistedAgents } from './app.ts';
import type { App } from './app.ts';
import type { StartInput } from './input/council.ts';
import { readLanguage } from './language.ts';
import { applyPanelSettings } from './offline.ts';
import { planWorkspace } from './init.ts';
import { loadConfig, loadAgents } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import type { Agent } from '../agents/agent.ts';
import { parseSeat } from '../agents/seat-notation.ts';
import { isModel, isPreset } from '../agents/runner-kind.ts';
import { CouncilError } from '../base/errors.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Language } from '../base/words/words.ts';
import { askToSeatPrograms, findPrograms, seatDetected, renderSeatingLines } from './seat-programs.ts';
import { spreadTable } from './seats/personas.ts';

export interface PlannedTable<Input> {
  workspace: Workspace;
  /** The input, with the offline panel if no agent and no program was found. */
  input: Input;
  config: Config;
  /** The entries of --agents or COUNCIL.md; null for all agents of the project. */
  named: string[] | null;
}

/** Throws for invalid settings and participants. `writePlanned` writes the council's files once everything is checked. */
export async function planTable<Input extends StartInput>(
  app: App,
  input: Input,
  brief: string,
  { findsPrograms, isDryRun = false }: { findsPrograms: boolean; isDryRun?: boolean },
): Promise<PlannedTable<Input>> {
  const workspace = planWorkspace(app, { isDryRun, lang: input.lang ?? (await readLanguage(app)) });
  const settings = await loadConfig(app, workspace, { ...input, agents: undefined });
  const seats = await chooseSeats(app, workspace, input, settings, { findsPrograms });
  const seated = seats === 'offline' ? { ...input, panel: seats } : input;
  const asked = input.panel !== undefined;
  const config = applyPanelSettings(app, seated, {
    config: { ...settings, agents: Array.isArray(seats) ? seats : settings.agents },
    brief,
    asked,
  });
  return { workspace, input: seated, config, named: input.agents ?? settings.agents };
}

/** The participants: ids, council's own panel, or null for all of `agents/`. */
type Seats = string[] | 'offline' | null;

/**
 * The participants of a council that is about to open: the entries of --agents, else the agents of the project, else the agent
 * programs on PATH. Files that are missing for them are planned, not written. With `findsPrograms`, the offline panel sits where
 * there is no program, and a single program is asked three times; and a question to programs waits for no person whom it does
 * not name. Throws like `resolveSeats`.
 */
async function chooseSeats(
  app: App,
  workspace: Workspace,
  input: Pick<StartInput, 'agents' | 'panel' | 'table' | 'yes' | 'isAsked' | 'asker'>,
  config: Config,
  { findsPrograms }: { findsPrograms: boolean },
): Promise<Seats> {
  if (input.panel !== undefined) return input.panel;
  const resolve = async (entries: readonly string[]): Promise<string[]> => {
    const { resolveSeats } = await import('./seats/resolve-seats.ts');
    return resolveSeats(app, workspace, config.lang, entries);
  };
  const named = await expandAll(app, workspace, input.agents ?? config.agents);
  if (input.table !== undefined) return resolve(await fillTable(app, workspace, input.table, named));
  if (named) return resolve(named);
  if (!findsPrograms) return null;
  const own = await findOwnAgents(app, workspace);
  const hasPrograms = input.isAsked ? own.some(isLaunched) : own.length > 0;
  const since = hasPrograms
    ? await askToSeatPrograms(app, workspace, { own, isAsked: !input.yes, lang: config.lang })
    : [];
  const found = hasPrograms ? own : await seatPrograms(app, workspace, config.lang);
  if (found.length === 0) return 'offline';
  const there = input.isAsked ? leavePeopleOut(app, input, config, found) : found;
  if (since.length > 0) return [...there.map(({ id }) => id), ...(await resolve(since))];
  const [only, ...others] = there;
  // An agent with a persona is not seated three times.
  if (!only || others.length > 0 || !isPreset(only.runner) || only.persona !== '')
    return there.length < found.length ? there.map(({ id }) => id) : null;
  const seats = await resolve([only.id, only.id, only.id]);
  const words = fill(loadWords(config.lang).seats.alone, { program: only.id, seats: seats.join(', ') });
  workspace.planned?.notes.push(words);
  return seats;
}

/** Plans agent files for the programs on PATH, and reports which were found. */
async function seatPrograms(app: App, workspace: Workspace, lang: Language): Promise<Agent[]> {
  const seating = await seatDetected(app, workspace);
  const w = loadWords(lang);
  for (const line of renderSeatingLines({ ...seating, written: [] }, w)) app.note(line);
  workspace.planned?.notes.push(...renderSeatingLines({ ...seating, refused: [] }, w));
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

/** Replaces `all` by everyone present, unless an agent has that name. */
async function expandAll<Entries extends readonly string[] | null>(
  app: App,
  workspace: Workspace,
  entries: Entries,
): Promise<Entries | string[]> {
  if (!entries?.includes(ALL) || (await loadAgents(app, workspace)).find(ALL)) return entries;
  const all = await listPrograms(app, workspace);
  return [...new Set(entries.flatMap((one) => (one === ALL ? all : [one])))];
}

const ALL = 'all';

/** The agents of the project, and the programs on PATH that none of them runs, where the caller may bring them in. */
async function listPrograms(app: App, workspace: Workspace): Promise<string[]> {
  const own = await findOwnAgents(app, workspace);
  const found = maySeatUnlistedAgents(app) ? await findPrograms(app, workspace) : [];
  const others = found.filter(
    ({ problem, program }) => problem === null && !own.some(({ runner }) => runner === program.preset),
  );
  return [...own.map(({ id }) => id), ...others.map(({ program }) => program.preset)];
}

const isLaunched = ({ runner }: Agent): boolean => runner !== 'human';

/** The agents without people, which are noted. A question waits for a person only if it names them or there is no program. */
function leavePeopleOut(
  { note }: Pick<App, 'note'>,
  { asker }: Pick<StartInput, 'asker'>,
  { lang }: Pick<Config, 'lang'>,
  found: Agent[],
): Agent[] {
  const programs = found.filter(isLaunched);
  if (programs.length === 0) return found;
  const people = found.filter((agent) => !isLaunched(agent) && agent.id !== asker?.id);
  const listIds = (agents: Agent[], joint: string): string => agents.map(({ id }) => id).join(joint);
  if (people.length > 0)
    note(
      fill(loadWords(lang).seats.peopleLeftOut, {
        names: listIds(people, ', '),
        agents: listIds([...programs, ...people], ','),
      }),
    );
  return programs;
}

/** Returns the project's agents that were not created for a single council. */
export async function findOwnAgents(app: App, workspace: Workspace): Promise<Agent[]> {
  const registry = await loadAgents(app, workspace);
  return registry.listOwn().filter(({ source, seat }) => source === 'project' && seat === undefined);
}

const createNoProgramError = (table: string): CouncilError =>
  new CouncilError('usage', `Nobody can take the seats of the table ${table}: there is no agent program.`, {
    hint: 'Install one (council doctor names them), or name models: --agents mistral/mistral-large-latest',
  });
