// Decides which calls a token allows, and converts a client's input to a call.
import type { ErrorCode } from '../../core/base/errors.ts';
import { toOneLine } from '../../core/base/text.ts';
import type { Raw } from '../../core/app/input/fields.ts';
import { callableUseCases, CALLS, getCallDefinition, listCallFields, buildCallInput } from './calls.ts';
import type { CallName } from './calls.ts';
import type { Host } from './host.ts';
import type { RemoteCall, CallOutcome } from './perform-call.ts';
import type { Role } from '../../core/app/app.ts';

/** Returns a refusal as the result of a use case. */
export const createRefusal = (code: ErrorCode, message: string, hint: string): CallOutcome => ({
  document: { error: { code, message, hint } },
  failed: true,
  code,
});

/** A call whose input is still as the client has given it. */
interface ReceivedCall extends Omit<RemoteCall, 'input'> {
  name: CallName;
  given: Raw;
  via: 'mcp' | 'api';
}

/** Performs a client's call: checks access and arguments, then runs it. */
export async function performReceivedCall(
  host: Host,
  sent: ReceivedCall,
  gone: AbortSignal,
): Promise<CallOutcome> {
  const { given, ...how } = sent;
  const { name, caller, via } = how;
  const asked: RemoteCall = { ...how, input: buildCallInput(name, given, caller, via) };
  return (
    checkCallAccess(asked, getCallDefinition(name).roles) ??
    refuseLocalField(name, via, given) ??
    refuseUnknownArguments(name, Object.keys(listCallFields(name, via)), given) ??
    (await host.perform(asked, gone))
  );
}

/** Refuses arguments that are allowed only on the project's machine, such as trust. */
function refuseLocalField(name: CallName, via: 'mcp' | 'api', given: Raw): CallOutcome | undefined {
  const offered = listCallFields(name, via);
  const own = Object.keys(given).find(
    (key) => !Object.hasOwn(offered, key) && Object.hasOwn(callableUseCases[name].fields, key),
  );
  if (own === undefined || via !== 'api') return undefined;
  return createRefusal(
    'usage',
    `${name} takes no argument ${own} over the API.`,
    'Leave it out, or give the command on the machine of the project.',
  );
}

/** Refuses unknown arguments: a silently ignored budget would be no budget. */
export function refuseUnknownArguments(
  name: string,
  offered: readonly string[],
  given: object,
): CallOutcome | undefined {
  const unknown = Object.keys(given).filter((key) => !offered.includes(key));
  if (unknown.length === 0) return undefined;
  const what = `${name} takes no ${unknown.length === 1 ? 'argument' : 'arguments'} ${toOneLine(unknown.join(', '), 200)}.`;
  return createRefusal(
    'usage',
    what,
    offered.length === 0 ? 'It takes none.' : `It takes: ${offered.join(', ')}.`,
  );
}

/**
 * Returns why this caller may not make this call, or undefined. A participant's token is limited to its own turn,
 * a token with a name to that name.
 */
export function checkCallAccess(asked: RemoteCall, roles: readonly Role[]): CallOutcome | undefined {
  const { name, input, caller } = asked;
  const { role, participant } = caller;
  const mayDo = asked.via === 'api' ? findActionRoles(asked) : undefined;
  if (!roles.includes(role) || mayDo?.includes(role) === false) return refuseRole(asked, mayDo);
  if (role === 'participant') return refuseOtherSeat(asked);
  if (role === 'admin') return undefined;
  const { who, spoken } = getCallDefinition(name as CallName);
  const said = who === undefined ? undefined : (input[who] ?? (spoken ? null : undefined));
  if (said === undefined || said === participant) return undefined;
  return participant === undefined
    ? createRefusal(
        'forbidden',
        'This token is nobody in particular: it speaks for no one.',
        'Whoever runs councils makes one that does: council token create --role member --as ID',
      )
    : createRefusal(
        'forbidden',
        `This token is that of ${participant} and speaks for nobody else.`,
        `With it, ${who} is ${participant}.`,
      );
}

/** Returns the roles for the requested action, if they are restricted. */
function findActionRoles({ name, input }: RemoteCall): readonly Role[] | undefined {
  const { actions } = getCallDefinition(name as CallName);
  return typeof input.action === 'string' && actions && Object.hasOwn(actions, input.action)
    ? actions[input.action]
    : undefined;
}

function refuseRole({ name, caller }: RemoteCall, mayDo: readonly Role[] | undefined): CallOutcome {
  const { role, participant, council } = caller;
  if (role === 'participant' && participant !== undefined && council !== undefined)
    return createRefusal(
      'forbidden',
      `Your token opens the seat of ${participant} in the council "${council}", and nothing else.`,
      `Read there what is asked with council view ${participant}, and answer with council respond ${participant}. In a browser your seat is the page /councils/${council}/seat of the server.`,
    );
  const what = mayDo === undefined ? name : `this action of ${name}`;
  const opened = CALLS.filter((one) => getCallDefinition(one).roles.includes(role)).join(', ');
  return createRefusal(
    'forbidden',
    `A token with the role ${role} does not open ${what}.`,
    opened === '' ? 'It opens the events.' : `It opens ${opened}.`,
  );
}

/** Refuses anything but a participant's own seat in its council. */
function refuseOtherSeat({
  name,
  input,
  caller: { participant, council },
}: RemoteCall): CallOutcome | undefined {
  const { turn, who } = getCallDefinition(name as CallName);
  // The end of another's turn would reveal that they have spoken, which a seat is not told.
  const isOwnTurn =
    typeof input.for !== 'string' || !input.for.startsWith('turn:') || input.for === `turn:${participant}`;
  const isOwn = (who === undefined || input[who] === participant) && isOwnTurn;
  if (!turn || (isOwn && input.name === council)) return undefined;
  if (participant === undefined || council === undefined)
    return createRefusal(
      'forbidden',
      'This token opens no seat: it is wrong, or its council is over.',
      'Whoever convenes the council hands its tokens out.',
    );
  return createRefusal(
    'forbidden',
    `This token is that of ${participant} in the council "${council}" and acts for nobody else.`,
    `It opens the turn of ${participant} in "${council}": ask for that.`,
  );
}
