// Converts the input of `ask` to that of a council, and plans it without playing it.
import { parseAgent } from '../agents/agent.ts';
import type { Agent } from '../agents/agent.ts';
import { toSlug } from '../base/ids.ts';
import { getUserName } from './app.ts';
import type { App, Result } from './app.ts';
import { toSizeAndHash } from './context/context-item.ts';
import type { ContextItem } from './context/context-item.ts';
import type { PlanDocument } from './cost-estimate/dry-run.ts';
import { HOLD_MS } from './input/ask.ts';
import type { AskInput } from './input/ask.ts';
import type { CouncilExtent, RunInput } from './input/council.ts';
import { readPrecedent } from './rerun.ts';
import { findWorkspace, loadAgents } from './workspace.ts';

/** The input, with notes taken before asking again. */
export type AskedInput = AskInput & { notes: readonly string[] };

/** Converts the input. The council is held only if the view can ask for a choice. */
export async function toRunInput(app: App, input: AskedInput, view: { choose?: unknown }): Promise<RunInput> {
  const { debate, synthesis, me, after, hold, notes, ...given } = input;
  const holds = view.choose !== undefined && !debate && !synthesis;
  const precedent = after === undefined ? undefined : await readPrecedent(app, after);
  if (precedent) app.note(`Asked after ${precedent.path}: its question and outcome go with this one.`);
  const extent: CouncilExtent = {
    isAsked: true,
    reach: debate ? 'debate' : synthesis ? 'synthesis' : 'answers',
    ...(holds && { holdMs: hold ?? HOLD_MS }),
    ...(me && { asker: await findAsker(app) }),
    context: [...(precedent ? [precedent.context] : []), ...notes.map(toContext)],
  };
  return { ...given, ...extent, agents: given.agents ?? precedent?.agents };
}

/** Converts a note to a part of the question. */
const toContext = (text: string): ContextItem => ({
  name: 'note',
  text,
  language: '',
  ...toSizeAndHash(Buffer.from(text)),
});

/** Returns the person at this terminal as a participant, with or without an agent file. */
async function findAsker(app: App): Promise<Agent> {
  const name = getUserName();
  const id = toSlug(name, 'me');
  const workspace = findWorkspace(app);
  const known = workspace && (await loadAgents(app, workspace)).find(id);
  if (known?.runner === 'human') return known;
  const own = known ? `${id}-me` : id;
  return parseAgent(
    `---\nname: ${own}\ncouncil:\n  runner: human\n  title: ${JSON.stringify(name)}\n---\n`,
    `${own}.md`,
    'project',
  );
}

/** Returns what `ask` would do with this input; see `plan`. */
export async function planAsk(app: App, input: AskInput): Promise<Result<PlanDocument>> {
  const { planRun } = await import('./cost-estimate/dry-run.ts');
  return planRun(app, await toRunInput(app, { ...input, notes: [] }, {}));
}
