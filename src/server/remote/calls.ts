// Calls for remote clients, as data, from which MCP tools and the HTTP API are built.
import type { Field, Fields, Raw } from '../../core/app/input/fields.ts';
import type { Filled } from '../json-schema.ts';
import { ADD, CHANGE, LAUNCH, LOOK, MESSAGES, PAGES } from './call.ts';
import type { Call } from './call.ts';
import { councilCalls, councilCallsMore } from './calls-council.ts';
import { OWNER_ROLES, TEAM_ROLES } from '../../core/app/app.ts';
import type { Caller } from '../../core/app/app.ts';
import { CURSOR, LIMIT } from './paginate-lists.ts';
import { coreUseCases } from '../../core/app/use-cases.ts';
import { serverUseCases } from '../use-cases.ts';
import { CLIENT_TASK_ACTIONS } from '../../team/input/tasks.ts';
import { teamUseCases } from '../../team/use-cases.ts';

/** A change that agents make for themselves: they name themselves, and repeating it has no further effect. */
const OWN_CHANGE = {
  ...CHANGE,
  roles: TEAM_ROLES,
  again: 'same',
  who: 'as',
} as const;

const messageCalls = {
  send: {
    title: 'Send a message',
    description:
      'Sends a message to an agent, all, human or supervisor. Say in `from` who you are, and the recipient in `to`.',
    needs: ['to', 'from'],
    ...ADD,
    roles: TEAM_ROLES,
    again: 'adds',
    who: 'from',
    spoken: true,
  },
  inbox: {
    title: 'Read messages',
    description: `The messages to an agent and to all; marks nothing read. ${PAGES} A long text is cut, with its length and the cursor of its rest. ${MESSAGES}`,
    ...LOOK,
    resends: true,
    pages: { key: 'messages', from: 'end' },
    light: ['list'],
    roles: TEAM_ROLES,
    who: 'agent',
  },
  ack: {
    title: 'Acknowledge messages',
    description: 'Says that a recipient has handled messages.',
    ...OWN_CHANGE,
  },
  nack: {
    title: 'Refuse messages',
    description: 'Refuses messages for a recipient; their senders are told why.',
    ...OWN_CHANGE,
  },
  sent: {
    title: 'See what became of messages',
    description:
      'For every message of a sender and each of its recipients: stored, delivered, acknowledged, answered or dead.',
    needs: ['from'],
    ...LOOK,
    resends: true,
    pages: { key: 'messages', from: 'end' },
    roles: TEAM_ROLES,
    who: 'from',
    spoken: true,
  },
  task: {
    title: 'Have agents do tasks',
    description: `run gives an instruction to an agent that can do it, and returns the result, after 20 s that it goes on (the same call again waits for it), or how it stands where a person or another machine has to come first; list, show, log and trace tell how tasks stand. Agents that are not trusted are refused. ${MESSAGES}`,
    // Without what only the owner may set, such as trust and who may write.
    fields: [
      'action',
      'text',
      'set',
      'needs',
      'to',
      'priority',
      'budget',
      'timeout',
      'after',
      'explain',
      'all',
      'agent',
    ],
    more: ['context', 'concurrency', 'risk', 'readOnly', 'plan'],
    toolActions: CLIENT_TASK_ACTIONS,
    // Watching clients poll; those that wait for the result call play again.
    actions: { watch: [] },
    light: ['list', 'show', 'log'],
    ...LAUNCH,
    roles: TEAM_ROLES,
    again: 'adds',
  },
  reserve: {
    title: 'Reserve files',
    description:
      'Reserves files before you change them, by path patterns; say in `as` who you are. Refused with the holder where somebody else has them. Ends with release, with a session over stdio, or after `for`.',
    fields: ['patterns', 'as', 'for', 'shared', 'why', 'ask'],
    ...OWN_CHANGE,
  },
  release: {
    title: 'Release files',
    description: 'Gives up reservations: those named, or all of yours.',
    ...OWN_CHANGE,
    idempotent: false,
  },
  reservations: {
    title: 'See who works where',
    description: `The reserved files, with holder, reason and end. ${MESSAGES}`,
    ...LOOK,
    roles: TEAM_ROLES,
  },
  approvals: {
    title: 'See what waits for approval',
    description: `What agents have asked a person to allow, and the answers; with an id one request in full. Only a person approves. ${MESSAGES}`,
    fields: ['id'],
    // The token, or a person on a command line, determines who decides.
    more: ['action', 'reason', 'as'],
    who: 'as',
    actions: { approve: OWNER_ROLES, reject: OWNER_ROLES },
    light: ['list'],
    // Decisions are final.
    again: 'same',
    ...LOOK,
    roles: TEAM_ROLES,
  },
} satisfies Record<string, Call>;

const WORKER = {
  ...CHANGE,
  again: 'same',
  roles: ['worker'],
  tool: false,
} as const;

const workerCalls = {
  lease: {
    title: 'Lease launches',
    description:
      'Renews the row of a heartbeat elsewhere, closes phases that may close, and leases launches of agents that it has and trusts. The answer says whom to ask what; nothing in it is run.',
    ...WORKER,
    idempotent: false,
    again: 'adds',
  },
  renew: {
    title: 'Renew a heartbeat',
    description:
      'Says that a heartbeat elsewhere lives: every 10 s. After 30 s it is dead, and its leases are free.',
    ...WORKER,
  },
  record: {
    title: 'Record an answer',
    description: 'Records what a leased launch has said. The same again changes nothing.',
    ...WORKER,
  },
  fail: {
    title: 'Report a failure',
    description: 'Gives back the lease of a launch that failed.',
    ...WORKER,
  },
} satisfies Record<string, Call>;

export const callableUseCases = { ...coreUseCases, ...teamUseCases, ...serverUseCases };

export type UseCaseName = keyof typeof callableUseCases;

/** All calls by the name of their use case, with its input and result. */
const calls = { ...councilCalls, ...messageCalls, ...councilCallsMore, ...workerCalls } satisfies Partial<
  Record<UseCaseName, Call>
>;

export type CallName = keyof typeof calls;
export const getCallDefinition = (name: CallName): Call => calls[name];
export const isCall = (name: string): name is CallName => Object.hasOwn(calls, name);
export const CALLS = Object.keys(calls) as CallName[];
/** Returns whether an action reads only a few documents; without an action, `list` is assumed. */
export const isLightAction = (name: CallName, action: unknown): boolean =>
  (getCallDefinition(name).light ?? []).some((one) => one === (action ?? 'list'));
export const TOOLS = CALLS.filter((name) => getCallDefinition(name).tool !== false);

/** The default speaker of a turn. */
export const TURN = { agent: 'the one this server was started for' };

/** Lists the fields that a client may pass. */
export function listCallFields(name: CallName, via: 'mcp' | 'api'): Fields {
  const { fields, more = [], needs = [], toolActions, pages, hasTextPages } = getCallDefinition(name);
  const given = fields && (via === 'api' ? [...fields, ...more] : fields);
  const offered = Object.entries(callableUseCases[name].fields).filter(
    ([field]) => given?.includes(field) ?? true,
  );
  const all: Fields = {
    ...(pages && { limit: LIMIT }),
    ...Object.fromEntries(offered),
    ...((pages || (hasTextPages && via === 'mcp')) && { cursor: CURSOR }),
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, field]) => [
      name,
      via === 'mcp'
        ? toToolField(field, needs.includes(name), name === 'action' ? toolActions : undefined)
        : field,
    ]),
  );
}

function toToolField(field: Field, isNeeded: boolean, choices: readonly string[] | undefined): Field {
  const { otherwise: _, ...rest } = field;
  const needed: Field = isNeeded ? { ...rest, required: true } : field;
  return choices && needed.kind === 'choice' ? { ...needed, choices } : needed;
}

/** Lists the required arguments of a tool that are missing. */
export const findMissingFields = (name: CallName, given: Raw): string[] =>
  (getCallDefinition(name).needs ?? []).filter((field) => given[field] === undefined);

/** Returns the default arguments of a tool, and their source in words. */
export function fillForCaller(name: CallName, { participant }: Caller): Filled {
  const { turn, who } = getCallDefinition(name);
  if (turn) return TURN;
  return who === undefined || participant === undefined ? {} : { [who]: participant };
}

/** Returns the allowed arguments of a client; the speaker and council of a turn default to the caller's. */
export function buildCallInput(
  name: CallName,
  given: Raw,
  { participant, council }: Caller,
  via: 'mcp' | 'api' = 'mcp',
): Raw {
  const { turn, who } = getCallDefinition(name);
  const offered = Object.fromEntries(
    Object.keys(listCallFields(name, via)).map((field) => [field, given[field]] as const),
  );
  const spoken = who === undefined ? offered : { ...offered, [who]: offered[who] ?? participant };
  return turn ? { ...spoken, name: spoken.name ?? council } : spoken;
}
