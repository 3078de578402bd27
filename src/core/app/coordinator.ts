// Selects who writes the synthesis.
import type { Agent } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import { isModel } from '../agents/runner-kind.ts';
import { loadWords } from '../base/words/words.ts';
import type { Language } from '../base/words/words.ts';
import type { CouncilState } from '../council/state/state.ts';

/** The author of the synthesis; with `borrows`, through the runner of one of those. */
export interface Coordinator extends Agent {
  borrows?: string[];
}

/** The default coordinator. */
const DEFAULT = { id: 'maman', emoji: '🪺' };
const SUFFIX = '-coordinator';
const MAX_ID = 64;

/**
 * Selects the coordinator of a table. Null if `named` is null, or if none is named and no model
 * sits. If none is named and models sit: the agent file `maman`, else the built-in one, which
 * borrows a runner of theirs. A model that is both participant (`isNamed`) and coordinator keeps
 * its seat, and a second one borrows its runner. Throws `unknown_agent`.
 */
export function selectCoordinator(
  named: string | null | undefined,
  { agents, isNamed, lang }: { agents: Agent[]; isNamed: boolean; lang: Language },
  registry: AgentRegistry,
): Coordinator | null {
  if (named === null) return null;
  const lenders = agents.filter(({ runner }) => isModel(runner));
  if (named === undefined && lenders.length === 0) return null;
  const id = named ?? DEFAULT.id;
  const title = loadWords(lang).common.coordinator;
  const seated = isNamed ? agents.find((agent) => agent.id === id) : undefined;
  if (seated && (named === undefined || isModel(seated.runner)))
    return borrowRunner({ ...toSecondSeat(seated), title }, named === undefined ? lenders : [seated]);
  const file = registry.find(id);
  if (id !== DEFAULT.id || (file && (named !== undefined || isForCouncil(file)))) return registry.require(id);
  return lenders.length > 0 ? borrowRunner({ ...DEFAULT, title }, lenders) : registry.require(id);
}

/** Whether this id is the built-in coordinator, which needs no file but a model to borrow. */
export const isDefaultCoordinator = (id: string, registry: AgentRegistry): boolean =>
  id === DEFAULT.id && registry.list().some(({ runner }) => isModel(runner));

/** A file for another tool does not turn its agent into a person to wait for. */
const isForCouncil = ({ source, runner }: Agent): boolean => source === 'project' || runner !== 'human';

const toSecondSeat = ({ id, emoji }: Agent): typeof DEFAULT => ({
  id: id.slice(0, MAX_ID - SUFFIX.length) + SUFFIX,
  emoji,
});

const borrowRunner = (who: typeof DEFAULT & { title: string }, lenders: Agent[]): Coordinator => ({
  ...lenders[0]!,
  ...who,
  persona: '',
  borrows: lenders.map(({ id }) => id),
});

/** Names the author of the synthesis for people; if the runner is borrowed, its owner. */
export const formatCoordinator = ({ coordinator, synthesizer, lang }: CouncilState): string =>
  synthesizer?.borrows?.[0] ?? coordinator ?? loadWords(lang).opening.none;

/** Names a participant in the lines of a run: `maman` means nothing to new users. */
export const describeSeat = (
  { coordinator, lang }: Pick<CouncilState, 'coordinator' | 'lang'>,
  id: string,
): string => (id === coordinator && id === DEFAULT.id ? loadWords(lang).progress.theCoordinator : id);
