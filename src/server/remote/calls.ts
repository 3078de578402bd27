// Calls for remote clients, as data: MCP tools and the HTTP API are made from it.
import type { Field, Fields, Raw } from '../../core/app/input/fields.ts';
import type { Filled } from '../../core/app/input/json-schema.ts';
import type { Call } from './call.ts';
import { councilCalls, councilCallsMore } from './calls-council.ts';
import { messageCalls, workerCalls } from './calls-messages.ts';
import type { Caller } from '../../core/app/caller.ts';
import { CURSOR, LIMIT } from './paginate-lists.ts';
import { coreUseCases } from '../../core/app/use-cases.ts';
import { serverUseCases } from '../use-cases.ts';
import { teamUseCases } from '../../team/use-cases.ts';

export const useCases = { ...coreUseCases, ...teamUseCases, ...serverUseCases };

export type UseCaseName = keyof typeof useCases;

/** Every call, by the name of its use case: input and result are those of the use case. */
const calls = { ...councilCalls, ...messageCalls, ...councilCallsMore, ...workerCalls } satisfies Partial<
  Record<UseCaseName, Call>
>;

/** A call by its name, with all that it may have. */
export type CallName = keyof typeof calls;
export const getCallDefinition = (name: CallName): Call => calls[name];
export const isCall = (name: string): name is CallName => Object.hasOwn(calls, name);
export const CALLS = Object.keys(calls) as CallName[];
/** Whether an action only looks at a few documents; a call without actions counts as a list. */
export const isLightAction = (name: CallName, action: unknown): boolean =>
  (getCallDefinition(name).light ?? []).some((one) => one === (action ?? 'list'));
/** Those that are MCP tools. */
export const TOOLS = CALLS.filter((name) => getCallDefinition(name).tool !== false);

/** The default speaker of a turn. */
export const TURN = { agent: 'the one this server was started for' };

/** The fields that a client may give. */
export function listCallFields(name: CallName, via: 'mcp' | 'api'): Fields {
  const { fields, more = [], needs = [], pages, hasTextPages } = getCallDefinition(name);
  const all: Fields = {
    ...(pages && { limit: LIMIT }),
    ...useCases[name].fields,
    ...((pages || (hasTextPages && via === 'mcp')) && { cursor: CURSOR }),
  };
  const offered = fields && (via === 'api' ? [...fields, ...more] : fields);
  return Object.fromEntries(
    Object.entries(all)
      .filter(([field]) => offered?.includes(field) ?? true)
      .map(([name, field]) => [name, via === 'mcp' && needs.includes(name) ? toRequiredField(field) : field]),
  );
}

function toRequiredField({ otherwise: _, ...field }: Field): Field {
  return { ...field, required: true };
}

/** The arguments that a tool has to be given and was not. */
export const findMissingFields = (name: CallName, given: Raw): string[] =>
  (getCallDefinition(name).needs ?? []).filter((field) => given[field] === undefined);

/** What a tool fills in where it is not given, with where from, in words. */
export function fillForCaller(name: CallName, { participant }: Caller): Filled {
  const { turn, who } = getCallDefinition(name);
  if (turn) return TURN;
  return who === undefined || participant === undefined ? {} : { [who]: participant };
}

/** What a client has given, of what it may give; its own turn where it named no other. */
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
