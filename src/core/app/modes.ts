// Finds and reads modes: of the project, of council itself, and those that a council started with. Detects conflict copies
// of agent and mode files made by sync programs.
import { basename, join, parse as parsePath } from 'node:path';
import { createUnknownNameError } from '../base/unknown-name.ts';
import { parseMode } from '../council/state/mode.ts';
import type { Mode } from '../council/state/mode.ts';
import { takeCensus, readOriginalName, tellOfCopy } from '../store/census.ts';
import type { UnusedCopy } from '../store/census.ts';
import { readMarkdownFiles, findPackageDir } from '../store/local/project.ts';
import type { MarkdownFile, Project } from '../store/local/project.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import { listFolderNames } from '../store/local/disk.ts';
import type { App } from './app.ts';
import type { Config } from '../base/config.ts';
import type { Pinned } from '../council/state/new-state.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import type { StoragePorts } from './storage/ports.ts';

export type FoundMode = MarkdownFile & { name: string };

/** Finds the modes of the project and of council itself. A project's file takes precedence; conflict copies do not count. */
export function findModes(project: Project): FoundMode[] {
  const files = readMarkdownFiles(project.modes);
  const census = takeCensusOfFiles(files);
  const own = files.filter(({ path }) => census.get(basename(path))?.kind === 'own');
  const ours = readMarkdownFiles(join(findPackageDir(), 'templates', 'modes'));
  const found = new Map<string, FoundMode>();
  for (const file of [...own, ...ours]) {
    const { name } = parsePath(file.path);
    if (!found.has(name)) found.set(name, { name, ...file });
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Lists conflict copies beside a project's modes. They are recognized by file name, since a mode does not contain its name. */
export function listCopiedModes({ modes }: Project): UnusedCopy[] {
  return [...takeCensusOfFiles(readMarkdownFiles(modes))].flatMap(([name, { kind, of }]) =>
    kind === 'copy' ? { path: join(modes, name), of: join(modes, of) } : [],
  );
}

const takeCensusOfFiles = (files: MarkdownFile[]): ReturnType<typeof takeCensus> =>
  takeCensus(
    files.map(({ path }) => basename(path)),
    { parseKey: (name) => name },
  );

/** Throws `invalid_mode`, or why the file cannot be read. */
export function readMode({ text, path, problem }: FoundMode): Mode {
  if (problem) throw problem;
  return parseMode(text, path);
}

/** Returns a function that loads a mode by name. It throws `unknown_mode` with the existing names, or `invalid_mode`. */
export function createModeLoader(project: Project): (name: string) => Mode {
  let modes: FoundMode[] | undefined;
  const read = new Map<string, Mode>();
  return (name) => {
    const known = read.get(name);
    if (known) return known;
    modes ??= findModes(project);
    const found = modes.find((mode) => mode.name === name);
    if (found) {
      const mode = readMode(found);
      read.set(name, mode);
      return mode;
    }
    throw createUnknownNameError(
      'mode',
      name,
      modes.map((mode) => mode.name),
    );
  };
}

type ProjectLocation = { project: Project };

/** Reports ignored copies, for commands that use agents or modes. */
export function tellCopies(app: App, { project }: ProjectLocation, agents: AgentRegistry): void {
  for (const copy of [...agents.copies(), ...listCopiedModes(project)]) app.note(tellOfCopy(copy));
}

/** Whether names alone reveal a sync program's copy, for commands that do not read agents. */
export const mayHoldCopies = ({ project }: ProjectLocation): boolean =>
  [project.agents, project.modes].some((folder) =>
    listFolderNames(folder).some((name) => readOriginalName(name) !== undefined),
  );

/** Guidance from the files of this checkout. */
interface LocalGuidance {
  agents: AgentRegistry;
  houseRules: Config['houseRules'];
}

type PinPorts = Required<Pick<HeartbeatPorts, 'mode' | 'guidance'>> & Pick<HeartbeatPorts, 'pin'>;

/** Opens a project's modes, and the guidance of its councils: as pinned, or from this checkout's files. Reports differences. */
export function createPinPorts(
  app: App,
  { project, keeping }: { project: Project; keeping: StoragePorts },
  here: LocalGuidance,
): PinPorts {
  const mode = createModeLoader(project);
  const pins = keeping.pins?.();
  const buildLocalGuidance = (state: CouncilState, participant: string) => ({
    mode: mode(state.mode),
    houseRules: here.houseRules,
    persona: here.agents.find(participant)?.persona,
  });
  if (!pins)
    return {
      mode,
      guidance: (state, participant) => Promise.resolve(buildLocalGuidance(state, participant)),
    };
  const readText = (name: string) => findModes(project).find((one) => one.name === name)?.text;
  const read = async (hash: string, state: CouncilState): Promise<{ pinned: Pinned; mode: Mode }> => {
    // Loads the schema library, and few projects pin anything. Saves 3 of 48 ms of a `tick`.
    const { parsePinned } = await import('../council/state/new-state.ts');
    const pinned = parsePinned(await pins.read(hash));
    tellDifferences(app, state, listDifferences(state, pinned, { ...here, mode: readText(state.mode) }));
    return { pinned, mode: parseMode(pinned.mode, `${state.mode}.md`) };
  };
  const known = new Map<string, ReturnType<typeof read>>();
  return {
    mode,
    async pin(name, table) {
      const personas = Object.fromEntries(table.map(({ id, persona }) => [id, persona]));
      const pinned: Pinned = { mode: readText(name) ?? '', houseRules: here.houseRules, personas };
      return pins.keep(JSON.stringify(pinned));
    },
    async guidance(state, participant) {
      if (state.pinned === undefined) return buildLocalGuidance(state, participant);
      const reading = known.get(state.conversationId) ?? read(state.pinned, state);
      known.set(state.conversationId, reading);
      const { pinned, mode: played } = await reading;
      return { mode: played, houseRules: pinned.houseRules, persona: pinned.personas[participant] };
    },
  };
}

/** Lists files of this checkout that differ. Line ends may differ, and an agent without a file here does not count. */
function listDifferences(
  state: CouncilState,
  pinned: Pinned,
  { agents, houseRules, mode }: LocalGuidance & { mode: string | undefined },
): string[] {
  const differs = (one: string | undefined, other: string): boolean =>
    one?.replaceAll('\r\n', '\n') !== other.replaceAll('\r\n', '\n');
  const people = Object.entries(pinned.personas).filter(([id, persona]) =>
    differs(agents.find(id)?.persona ?? persona, persona),
  );
  return [
    ...(differs(mode, pinned.mode) ? [`the mode "${state.mode}"`] : []),
    ...(differs(houseRules, pinned.houseRules) ? ['the house rules in COUNCIL.md'] : []),
    ...people.map(([id]) => `the persona of ${id}`),
  ];
}

function tellDifferences(app: App, { name }: CouncilState, differ: string[]): void {
  if (differ.length > 0)
    app.note(
      `council "${name}" goes on with what it was started with; here this is different: ${differ.join(', ')}.`,
    );
}
