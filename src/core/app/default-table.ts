// Chooses the participants when none are named.
import { parseAgent } from '../agents/agent.ts';
import type { Agent } from '../agents/agent.ts';
import { PRESETS, isPreset } from '../agents/runner-kind.ts';
import type { Config } from '../base/config.ts';
import type { App } from './app.ts';
import type { StartInput } from './input/council.ts';
import { seatDetected, seatingLines } from './seat-detected.ts';
import { loadAgents } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import { renderAgent } from '../agents/render-agent.ts';
import { addAgent } from './add-agent.ts';
import { trustSeated } from './trust.ts';

/**
 * Seats the default table if no agents are named: those of agents/; else the agent programs on
 * PATH, for which files are written; else the offline panel. Also writes files for named agent
 * programs that have none. A single agent program sits as several personas. Reports the choice, and
 * returns input and settings with it.
 */
export async function withDefaultTable(
  app: App,
  workspace: Workspace,
  input: StartInput,
  config: Config,
): Promise<{ input: StartInput; config: Config }> {
  const asked = { input, config };
  if (input.panel !== undefined) return asked;
  if (config.agents !== null) {
    await seatNamed(app, workspace, config.agents);
    return asked;
  }
  let own = await ownAgents(app, workspace);
  if (own.length === 0) {
    const seating = await seatDetected(app, workspace);
    for (const line of seatingLines(seating)) app.note(line);
    if (seating.written.length > 0) own = await ownAgents(app, workspace);
  }
  if (own.length === 0) return { input: { ...input, panel: 'offline' }, config };
  const personas = seatPersonas(app, workspace, own);
  if (!personas) return asked;
  return { input, config: { ...config, agents: personas } };
}

/** Writes files for named agent programs that have none. */
async function seatNamed(app: App, workspace: Workspace, named: readonly string[]): Promise<void> {
  const registry = await loadAgents(app, workspace);
  const missing = named.filter((id) => PRESETS.some((preset) => preset === id) && !registry.find(id));
  if (missing.length === 0) return;
  for (const line of seatingLines(await seatDetected(app, workspace, missing))) app.note(line);
}

async function ownAgents(app: App, workspace: Workspace): Promise<Agent[]> {
  const registry = await loadAgents(app, workspace);
  return registry.own().filter(({ source }) => source === 'project');
}

// Seats a program that is alone as three personas that differ.

interface Persona {
  id: string;
  title: string;
  emoji: string;
  looksFor: string;
  persona: string;
}

/** Three who want different things: what can be built, what can go wrong, and what it is for. */
const PERSONAS: readonly Persona[] = [
  {
    id: 'maker',
    title: 'Maker',
    emoji: '🔨',
    looksFor: 'Looks for the smallest thing that works, and what it takes to build and run it.',
    persona: `You build and run things. You look for the smallest thing that works, and you count what it takes: days, people, money, and who
is woken at night. You distrust plans without a first step. You change your mind for a cheaper way that does the same.`,
  },
  {
    id: 'doubter',
    title: 'Doubter',
    emoji: '🔍',
    looksFor: 'Looks for what fails, what is assumed, and what cannot be taken back.',
    persona: `You look for what fails: the assumption nobody checked, the case nobody named, the step that cannot be taken back. You ask how one
would notice, and what it costs then. You do not object for the sake of it: you change your mind for evidence, not for agreement.`,
  },
  {
    id: 'advocate',
    title: 'Advocate of the users',
    emoji: '🙋',
    looksFor: 'Speaks for the people it is for, today and in two years.',
    persona: `You speak for the people it is for, today and in two years, and for those who are not in the room. You ask what changes for them, what
they lose, and whether somebody asked them. You change your mind when somebody shows that another way serves them better.`,
  },
];

/**
 * If exactly one agent program is installed, writes an agent file for each persona that lacks one.
 * Returns the seated ids; undefined if there are several programs, an unknown one, or one that
 * already has a persona.
 */
function seatPersonas(app: App, workspace: Workspace, own: readonly Agent[]): string[] | undefined {
  const isPersona = ({ id }: Agent): boolean =>
    PERSONAS.some((persona) => own.some((one) => id === `${one.id}-${persona.id}`));
  const [only, ...others] = own.filter((agent) => !isPersona(agent));
  // A persona that was set by hand is kept.
  if (!only || others.length > 0 || !isPreset(only.runner) || only.persona !== '') return undefined;
  const written: Agent[] = [];
  for (const { id, title, emoji, looksFor, persona } of PERSONAS) {
    const text = renderAgent({
      ...only,
      id: `${only.id}-${id}`,
      title: `${title} (${only.title})`,
      emoji,
      description: looksFor,
      persona,
    });
    const file = addAgent(workspace, `${only.id}-${id}`, text);
    if (file) written.push(parseAgent(text, file, 'project'));
  }
  if (!workspace.planned) trustSeated(app, workspace.project.root, written);
  const ids = PERSONAS.map(({ id }) => `${only.id}-${id}`);
  app.note(
    `Only ${only.id} is available, and it cannot challenge itself: it sits as ${ids.join(', ')}${written.length > 0 ? ' (written to agents/)' : ''}. Add other agents with: council agents add ID, or choose with --agents.`,
  );
  return ids;
}
