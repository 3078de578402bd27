// The modes and settings that a council started with: other checkouts that play it may have different files.
import type { AgentRegistry } from '../agents/registry.ts';
import type { Config } from '../base/config.ts';
import { parseMode } from '../council/state/mode.ts';
import type { Mode } from '../council/state/mode.ts';
import type { Pinned } from '../council/state/new-state.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import type { Project } from '../store/local/project.ts';
import type { App } from './app.ts';
import type { StoragePorts } from './storage/ports.ts';
import { findModes, createModeLoader } from './modes.ts';

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
