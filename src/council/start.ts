import type { Agent } from '../agents/agent.ts';
import { iso } from '../base/clock.ts';
import { CouncilError } from '../base/errors.ts';
import { requireId } from '../base/ids.ts';
import { MAX_CONTRIBUTION_BYTES, oneLine, requireCleanText } from '../base/text.ts';
import type { Budget, Limit } from './budget.ts';
import { isLimit } from './budget.ts';
import { serialize } from './document.ts';
import { normalisePosition } from './decision.ts';
import { issueTokens, keepToken } from './identity.ts';
import type { Issued } from './identity.ts';
import type { Mode } from './mode.ts';
import type { Ports } from './ports.ts';
import { familyOf } from './independence.ts';
import { EMPTY_LEDGER } from './ledger-types.ts';
import type { Council, CouncilState, Identity, Language, Participant, Rules } from './state.ts';

export interface StartInput {
  name: string;
  topic: string;
  brief: string;
  mode: Mode;
  /** Participants in seating order; the coordinator is taken out of them. */
  agents: Agent[];
  coordinator: Agent | null;
  /** Milliseconds per phase; null: the mode's. */
  phaseTimeout: number | null;
  blind: boolean;
  /** With `token` everybody at the table gets a token; default `open`. */
  identity?: Identity;
  lang: Language;
  /** What the flags and the brief say about the decision; the mode's own for the rest. */
  rules: Partial<Omit<Rules, 'families'>>;
  /** What the council may use up; the agents' files add their own limits. */
  budget?: Limit;
}

/** Opens a council in COLLECT. Throws `name_taken`, `usage` for a table that cannot deliberate, `invalid_id`. */
export async function start(ports: Ports, input: StartInput): Promise<CouncilState> {
  const first = firstState(input, ports.random.uuid(), ports.clock.now());
  const issued: { state: CouncilState; tokens: Issued[] } =
    input.identity === 'token' ? issueTokens(first, ports.random) : { state: first, tokens: [] };
  const { state, tokens } = issued;
  // A private folder that is not private must be known before anybody has written something to hide.
  if (state.blind) ports.privateFiles.list(state.conversationId);
  const { revision } = await ports.store.update(input.name, (current, nextRevision) => {
    if (current) {
      throw new CouncilError('name_taken', `A council "${input.name}" is already active.`, {
        hint: `Give this one another name with --name, or end the other: council cancel --name ${input.name} --why "…"`,
      });
    }
    // Before the state names their hashes, and not for a council that is refused.
    for (const one of tokens) keepToken(ports.privateFiles, state.conversationId, one);
    const council: Council = {
      state: { ...state, revision: nextRevision, change: { ...state.change, actor: ports.actor } },
      brief: input.brief,
      contributions: [],
    };
    return serialize(council);
  });
  return { ...state, revision };
}

function firstState(input: StartInput, conversationId: string, now: number): CouncilState {
  const { mode, coordinator, brief } = input;
  requireId(input.name, 'council name');
  const topic = oneLine(input.topic);
  if (topic === '')
    throw new CouncilError('usage', 'The topic is empty.', {
      hint: 'council start "Should we move the archive to object storage?"',
    });
  requireCleanText(brief, 'The brief');
  const briefBytes = Buffer.byteLength(brief);
  if (briefBytes > MAX_CONTRIBUTION_BYTES)
    throw new CouncilError(
      'too_large',
      `The brief has ${briefBytes} bytes; the limit is ${MAX_CONTRIBUTION_BYTES} (1 MiB).`,
      { hint: 'Shorten it, and name the files it draws on.' },
    );
  const agents = input.agents.filter((agent) => agent.id !== coordinator?.id);
  const twice = agents.find((agent, at) => agents.findIndex((a) => a.id === agent.id) !== at);
  if (twice)
    throw new CouncilError('usage', `${twice.id} is seated twice.`, {
      hint: 'Name every agent once in --agents.',
    });
  if (agents.length === 0) {
    throw new CouncilError('usage', 'Nobody sits at this table.', {
      hint: 'Add agents (council agents add …, or council init for the programs on PATH), name them with --agents, or use --panel offline.',
    });
  }
  return {
    schema: 1,
    revision: 0,
    textSha256: '',
    conversationId,
    name: input.name,
    topic,
    mode: mode.name,
    currentPhase: 'COLLECT',
    tour: 1,
    createdAt: iso(now),
    updatedAt: iso(now),
    timeoutAt: iso(now + (input.phaseTimeout ?? mode.timeout)),
    status: 'ACTIVE',
    coordinator: coordinator?.id ?? null,
    participants: Object.fromEntries(agents.map((agent) => [agent.id, newcomer(agent)])),
    convergence: { responseRate: 0, hasConsensus: false, blockingIssues: [] },
    order: agents.map((agent) => agent.id),
    synthesizer: coordinator && newcomer(coordinator),
    phases: mode.phases,
    phaseTimeout: input.phaseTimeout ?? mode.timeout,
    earlyConvergence: mode.earlyConvergence,
    anonymous: mode.anonymous,
    quorum: mode.quorum,
    blind: input.blind,
    lang: input.lang,
    identity: 'open',
    rules: rulesOf(input, agents),
    ledger: EMPTY_LEDGER,
    advocate: null,
    held: null,
    decision: null,
    absences: [],
    transitions: [],
    closing: null,
    ...budgetOf(input),
    change: { action: 'start', by: null, actor: '' },
  };
}

function budgetOf({ budget, agents, coordinator }: StartInput): { budget?: Budget } {
  const limit = budget ?? { usd: null, tokens: null };
  const limited = [...agents, ...(coordinator ? [coordinator] : [])].filter((agent) => isLimit(agent.budget));
  if (!isLimit(limit) && limited.length === 0) return {};
  return {
    budget: { ...limit, agents: Object.fromEntries(limited.map((agent) => [agent.id, agent.budget])) },
  };
}

function rulesOf({ mode, rules }: StartInput, agents: Agent[]): Rules {
  const seated = (id: string, flag: string): string => {
    if (agents.some((agent) => agent.id === id)) return id;
    throw new CouncilError(
      'unknown_agent',
      `${flag} names ${JSON.stringify(id)}, who does not sit at this table.`,
      { hint: `At this table: ${agents.map((agent) => agent.id).join(', ')}.` },
    );
  };
  const options = rules.options?.map((option) => oneLine(option)) ?? null;
  if (
    options &&
    (new Set(options.map(normalisePosition)).size < options.length ||
      options.length < 2 ||
      options.includes(''))
  ) {
    throw new CouncilError(
      'usage',
      `The options must be two or more different ones: ${JSON.stringify(options)}.`,
      {
        hint: "For example: --option build --option buy, or options: [build, buy] in the brief's front matter.",
      },
    );
  }
  return {
    rule: rules.rule ?? mode.rule,
    options,
    vetoes: (rules.vetoes ?? []).map((id) => seated(id, '--veto')),
    recused: (rules.recused ?? []).map(({ participant, why }) => ({
      participant: seated(participant, '--recuse'),
      why,
    })),
    weighted: rules.weighted ?? false,
    repeat: rules.repeat ?? mode.repeat,
    forceChallenge: rules.forceChallenge ?? false,
    advocate: rules.advocate ?? true,
    families: Object.fromEntries(agents.map((agent) => [agent.id, familyOf(agent.model ?? agent.command)])),
  };
}

/** A participant who has not spoken yet. */
export const newcomer = ({
  title,
  emoji,
  runner,
}: Pick<Agent, 'title' | 'emoji' | 'runner'>): Participant => ({
  status: 'WAITING',
  lastAction: null,
  title,
  emoji,
  runner,
  agreed: false,
  position: null,
  blocking: [],
  commitment: null,
  sealedAt: null,
  attempts: 0,
  lease: null,
  absent: null,
});
