// Chooses who writes the synthesis.
import type { Agent } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import { isModel } from '../agents/runner-kind.ts';
import type { CouncilState } from '../council/state/state.ts';

/** Who writes the synthesis; with `borrows`, through the runner of one of those. */
export interface Coordinator extends Agent {
  borrows?: string[];
}

/** The coordinator of every table that names none. */
const DEFAULT = { id: 'maman', title: 'Maman', emoji: '🪺' };
const SUFFIX = '-coordinator';
const MAX_ID = 64;

/**
 * The coordinator of a table. Null for none: `named` says so, or nobody is named and no model sits there. Where models sit and
 * nobody is named, an agent file `maman` goes first, then the built-in one, who borrows a runner of theirs. Somebody with a
 * model who is `isNamed` among the participants too keeps that seat, and a second one borrows the runner.
 * Throws `unknown_agent`.
 */
export function coordinatorFor(
  named: string | null | undefined,
  { agents, isNamed }: { agents: Agent[]; isNamed: boolean },
  registry: AgentRegistry,
): Coordinator | null {
  if (named === null) return null;
  const lenders = agents.filter(({ runner }) => isModel(runner));
  if (named === undefined && lenders.length === 0) return null;
  const id = named ?? DEFAULT.id;
  const seated = isNamed ? agents.find((agent) => agent.id === id) : undefined;
  if (seated && (named === undefined || isModel(seated.runner)))
    return borrowing(beside(seated), named === undefined ? lenders : [seated]);
  const file = registry.find(id);
  if (id !== DEFAULT.id || (file && (named !== undefined || isForCouncil(file)))) return registry.require(id);
  return lenders.length > 0 ? borrowing(DEFAULT, lenders) : registry.require(id);
}

/** Whether somebody of that id could coordinate without a file: the built-in one needs a model to borrow. */
export const isBuiltIn = (id: string, registry: AgentRegistry): boolean =>
  id === DEFAULT.id && registry.list().some(({ runner }) => isModel(runner));

/** A file of another tool makes nobody a person who is waited for. */
const isForCouncil = ({ source, runner }: Agent): boolean => source === 'project' || runner !== 'human';

const beside = ({ id, title, emoji }: Agent): typeof DEFAULT => ({
  id: id.slice(0, MAX_ID - SUFFIX.length) + SUFFIX,
  title: `${title} (coordinator)`,
  emoji,
});

const borrowing = (who: typeof DEFAULT, lenders: Agent[]): Coordinator => ({
  ...lenders[0]!,
  ...who,
  persona: '',
  borrows: lenders.map(({ id }) => id),
});

/** Who writes the synthesis, for people. */
export function coordinatorInWords({ coordinator, synthesizer }: CouncilState): string {
  const [lender] = synthesizer?.borrows ?? [];
  return `${coordinator ?? 'none'}${lender === undefined ? '' : ` (with the runner of ${lender})`}`;
}
