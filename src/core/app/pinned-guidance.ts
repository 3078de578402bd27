// What a council was started with, for a project that is played from several checkouts: their files may differ.
import type { AgentRegistry } from '../agents/registry.ts';
import type { Config } from '../base/config.ts';
import { parseMode } from '../council/state/mode.ts';
import type { Mode } from '../council/state/mode.ts';
import type { Pinned } from '../council/state/new-state.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import type { Project } from '../store/local/project.ts';
import type { App } from './app.ts';
import type { Keeping } from './storage/ports.ts';
import { findModes, createModeLoader } from './modes.ts';

/** What the files of this checkout say. */
interface LocalGuidance {
  agents: AgentRegistry;
  houseRules: Config['houseRules'];
}

type PinPorts = Required<Pick<HeartbeatPorts, 'mode' | 'guidance'>> & Pick<HeartbeatPorts, 'pin'>;

/** The modes of a project, and what its councils go by: in files, what this checkout says now. Tells what differs here. */
export function createPinPorts(
  app: App,
  { project, keeping }: { project: Project; keeping: Keeping },
  here: LocalGuidance,
): PinPorts {
  const mode = createModeLoader(project);
  const pins = keeping.pins?.();
  const ofFiles = (state: CouncilState, participant: string) => ({
    mode: mode(state.mode),
    houseRules: here.houseRules,
    persona: here.agents.find(participant)?.persona,
  });
  if (!pins) return { mode, guidance: (state, participant) => Promise.resolve(ofFiles(state, participant)) };
  const readText = (name: string) => findModes(project).find((one) => one.name === name)?.text;
  const read = async (hash: string, state: CouncilState): Promise<{ pinned: Pinned; mode: Mode }> => {
    // It brings the library of schemas, and few projects pin anything. Gain: 3 ms of 48 of `tick`.
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
      if (state.pinned === undefined) return ofFiles(state, participant);
      const reading = known.get(state.conversationId) ?? read(state.pinned, state);
      known.set(state.conversationId, reading);
      const { pinned, mode: played } = await reading;
      return { mode: played, houseRules: pinned.houseRules, persona: pinned.personas[participant] };
    },
  };
}

/** Which files of this checkout say something else. Line ends are the checkout's own; an agent that is not here says nothing. */
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
