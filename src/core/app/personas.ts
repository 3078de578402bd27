// Seats a program that is alone as three personas that differ.
import { parseAgent } from '../agents/agent.ts';
import type { Agent } from '../agents/agent.ts';
import { renderAgent } from '../agents/render-agent.ts';
import { isPreset } from '../agents/runner-kind.ts';
import { addAgent } from './add-agent.ts';
import type { App } from './app.ts';
import { trustSeated } from './trust.ts';
import type { Workspace } from './workspace.ts';

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
export function seatPersonas(app: App, workspace: Workspace, own: readonly Agent[]): string[] | undefined {
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
