// Use case `start`: opens a council; also checks beforehand that it can be opened.
import type { Language } from '../../base/words/words.ts';
import type { Agent } from '../../agents/agent.ts';
import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { MAX_CONTRIBUTION_BYTES, toOneLine, requireCleanText } from '../../base/text.ts';
import { isLimit } from '../state/budget.ts';
import { serialize } from '../document/document.ts';
import { issueTokens, keepToken } from './participant-tokens.ts';
import type { IssuedToken } from './participant-tokens.ts';
import { addRequest } from './keyed-requests.ts';
import type { Request } from './keyed-requests.ts';
import { DEFAULT_SHOWN_BYTES } from '../state/mode.ts';
import type { Mode } from '../state/mode.ts';
import type { Ports } from './ports.ts';
import { findModelFamily } from '../vote/independence.ts';
import { stampPhaseClock } from '../machine/deadline.ts';
import type { Council, CouncilState, Rules, Budget, Limit } from '../state/state.ts';
import { createState } from '../state/new-state.ts';
import type { NewSeat } from '../state/new-state.ts';
import type { Identity, Reach, ReadingMode } from '../state/allowed-values.ts';
import { isNumber, normalisePosition } from '../state/ballot.ts';

export interface StartInput {
  name: string;
  topic: string;
  brief: string;
  mode: Mode;
  /** Participants in seating order; the coordinator is removed from them. */
  agents: Agent[];
  coordinator: (Agent & Pick<NewSeat, 'borrows'>) | null;
  /** How far it runs: to the blind answers, a synthesis of them, or (default) through all phases of its mode. */
  reach?: Reach | undefined;
  /** Milliseconds to wait after COLLECT for the person who asked; no wait if undefined. */
  holdMs?: number | undefined;
  /** Milliseconds per phase; null: the mode's default. */
  phaseTimeout: number | null;
  blind: boolean;
  /** With `token` every seat gets a token; default `open`. */
  identity?: Identity;
  /** What the programs may read by themselves; default `none`. */
  read?: ReadingMode;
  /** Whether programs reconsider their own answers during CHALLENGE, for comparison. */
  control?: 'self' | undefined;
  lang: Language;
  /** Rules from the flags and the brief; the mode's own for the rest. */
  rules: Partial<Omit<Rules, 'families'>>;
  /** The council's budget; the agents' files add their own limits. */
  budget?: Limit;
  /** Set if the request has a key: a repetition gets the same answer. */
  request?: Request | undefined;
  /** Hash of the settings that its later ticks use, if they are stored with it. */
  pinned?: string | undefined;
  /** Agents that would take part if their file could be read. */
  outside?: CouncilState['outside'];
}

/**
 * Throws `name_taken`, and what `createFirstState` throws, if the council could not be started; writes
 * nothing.
 */
export async function requireStartable({ store, clock }: Ports, input: StartInput): Promise<void> {
  createFirstState(input, '', clock.now());
  if (await store.read(input.name)) throw createNameTakenError(input.name);
}

const createNameTakenError = (name: string): CouncilError =>
  new CouncilError('name_taken', `A council "${name}" is already active.`, {
    hint: `Go on with it: council run --resume --name ${name}. Or give this one another name with --name, or end the other: council cancel --name ${name} --why "…"`,
  });

/** Opens a council in COLLECT. Throws `name_taken`, and what `createFirstState` throws. */
export async function start(ports: Ports, input: StartInput): Promise<CouncilState> {
  const first = {
    ...createFirstState(input, ports.random.uuid(), ports.clock.now()),
    ...(input.mode.anonymous && { labelSeed: ports.random.hex(16) }),
    ...(input.blind && buildSealingPlace(ports)),
    ...stampPhaseClock(ports.clock.clocks()),
  };
  const issued: { state: CouncilState; tokens: IssuedToken[] } =
    input.identity === 'token' ? issueTokens(first, ports.random) : { state: first, tokens: [] };
  const { state, tokens } = issued;
  // A private folder that is not private must be detected before anyone writes something to hide.
  if (state.blind) await ports.privateFiles.list(state.conversationId);
  if (state.blind) await ports.privateFiles.sealing?.check();
  const { revision } = await ports.store.update(input.name, async (current, nextRevision) => {
    if (current) throw createNameTakenError(input.name);
    // Kept first, so that no stored hash lacks its token; in here, so that a refused council keeps none.
    for (const one of tokens) await keepToken(ports.privateFiles, state.conversationId, one);
    const council: Council = {
      state: { ...state, revision: nextRevision, change: { ...state.change, actor: ports.actor } },
      brief: input.brief,
      contributions: [],
    };
    const asked = input.request && { ...input.request, phase: state.currentPhase, tour: state.tour };
    return serialize(addRequest(council, asked, nextRevision));
  });
  return { ...state, revision };
}

/** Records where sealed texts are kept, so that a participant with another HOME directory can be warned. */
const buildSealingPlace = ({
  privateFiles: { mark: folder, sealing },
  place,
}: Ports): Pick<CouncilState, 'begunIn'> =>
  folder === undefined || sealing ? {} : { begunIn: { place, folder } };

/** Returns a council's first state. Throws `usage`, `invalid_id`, `invalid_text`, `too_large`, `unknown_agent`. */
export function createFirstState(input: StartInput, conversationId: string, now: number): CouncilState {
  const { mode, coordinator, brief, reach = 'debate', holdMs } = input;
  requireId(input.name, 'council name');
  const topic = toOneLine(input.topic);
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
  const duplicate = agents.find((agent, at) => agents.findIndex((a) => a.id === agent.id) !== at);
  if (duplicate)
    throw new CouncilError('usage', `${duplicate.id} is seated twice.`, {
      hint: 'Name every agent once in --agents.',
    });
  if (agents.length === 0) {
    const why = coordinator && input.agents.length > 0 ? `: ${coordinator.id} is the coordinator` : '';
    throw new CouncilError('usage', `No participants${why}.`, {
      hint: 'The programs on PATH are seated by: council ask "QUESTION", or council init. Or add agents (council agents add …), name them with --agents, or check a document with --panel offline.',
    });
  }
  const council = {
    conversationId,
    name: input.name,
    topic,
    mode: mode.name,
    phases: reach === 'debate' ? mode.phases : [mode.phases[0]!, mode.phases.at(-1)!],
    phaseTimeout: input.phaseTimeout ?? mode.timeout,
    earlyConvergence: mode.earlyConvergence,
    anonymous: mode.anonymous,
    quorum: mode.quorum,
    blind: input.blind,
    lang: input.lang,
    read: input.read,
    control: requireControlFits(input),
    rules: buildRules(input, agents),
    ...(mode.shown !== DEFAULT_SHOWN_BYTES && { shown: mode.shown }),
    budget: buildBudget(input),
    pinned: input.pinned,
    outside: input.outside,
    participants: agents,
    coordinator: reach === 'answers' && holdMs === undefined ? null : coordinator,
    ...(holdMs !== undefined && { hold: { ms: holdMs } }),
  };
  return createState(council, now);
}

function requireControlFits({ control, mode }: StartInput): StartInput['control'] {
  if (control === undefined || (mode.phases.includes('CHALLENGE') && !mode.ranks)) return control;
  throw new CouncilError(
    'usage',
    `--control compares with what CHALLENGE changes, and the mode ${mode.name} has ${mode.ranks ? 'answers ranked' : 'no CHALLENGE'}.`,
    { hint: 'Leave it out, or take the mode debate.' },
  );
}

function buildBudget({ budget, agents, coordinator }: StartInput): Budget | undefined {
  const limit = budget ?? { usd: null, tokens: null };
  const limited = [...agents, ...(coordinator ? [coordinator] : [])].filter((agent) => isLimit(agent.budget));
  if (!isLimit(limit) && limited.length === 0) return undefined;
  return { ...limit, agents: Object.fromEntries(limited.map((agent) => [agent.id, agent.budget])) };
}

function buildRules({ mode, rules }: StartInput, agents: Agent[]): Rules {
  const requireSeated = (id: string, flag: string): string => {
    if (agents.some((agent) => agent.id === id)) return id;
    throw new CouncilError(
      'unknown_agent',
      `${flag} names ${JSON.stringify(id)}, who is not a participant.`,
      { hint: `Participants: ${agents.map((agent) => agent.id).join(', ')}.` },
    );
  };
  const options = rules.options?.map((option) => toOneLine(option)) ?? null;
  if (
    options &&
    (new Set(options.map(normalisePosition)).size < options.length ||
      options.length < 2 ||
      options.includes(''))
  ) {
    throw new CouncilError(
      'usage',
      `A council needs two or more different options, and got ${options.map((option) => JSON.stringify(option)).join(', ')}.`,
      {
        hint: "For example: --option build --option buy, or options: [build, buy] in the brief's front matter.",
      },
    );
  }
  const unnameable = options?.find(
    (option) => isNumber(option) || /^(?:none|abstain|aucune?)$/i.test(option),
  );
  if (unnameable !== undefined)
    throw new CouncilError(
      'usage',
      `${JSON.stringify(unnameable)} cannot be an option: no vote could name it.`,
      {
        hint: 'P1, P2 … are the numbers of the ballot, and "none" is no vote. Use other words.',
      },
    );
  const tie = rules.tie ?? mode.tie;
  const rule = rules.rule ?? mode.rule;
  if (mode.ranks) requireRankable(mode.name, agents.length - (rules.recused?.length ?? 0), rule, options);
  return {
    rule,
    ...(tie && { tie }),
    ...(mode.ranks && { ranks: mode.ranks }),
    options,
    vetoes: (rules.vetoes ?? []).map((id) => requireSeated(id, '--veto')),
    recused: (rules.recused ?? []).map(({ participant, why }) => ({
      participant: requireSeated(participant, '--recuse'),
      why,
    })),
    weighted: rules.weighted ?? false,
    repeat: rules.repeat ?? mode.repeat,
    forceChallenge: rules.forceChallenge ?? false,
    advocate: rules.advocate ?? true,
    families: Object.fromEntries(
      agents.map((agent) => [agent.id, findModelFamily(agent.model ?? agent.command)]),
    ),
  };
}

/** Ranking needs three voters: of two, each has written one of the only two answers. */
function requireRankable(mode: string, voters: number, rule: Rules['rule'], options: Rules['options']): void {
  if (rule !== 'ranked' || options)
    throw new CouncilError(
      'usage',
      `The mode ${mode} ranks the answers themselves: it takes no other rule and no options.`,
      {
        hint: 'Leave --rule and --option out. To rank options, use another mode with --rule ranked.',
      },
    );
  if (voters < 3)
    throw new CouncilError(
      'usage',
      `The mode ${mode} needs at least three participants who vote, and has ${voters}: each pair of answers is compared by those who wrote neither.`,
      {
        hint: 'Seat a third one with --agents, or take part with --me.',
      },
    );
}
