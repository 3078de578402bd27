import type { ErrorCode } from '../base/errors.ts';
import type { Call, Caller, Done } from './host.ts';

/** A refusal in the form in which a use case tells one. */
const refusal = (code: ErrorCode, message: string, hint: string): Done => ({
  document: { error: { code, message, hint } },
  text: `${message}\n${hint}`,
  failed: true,
});

/**
 * Why this caller may not make this call, or undefined. Somebody must speak in view and respond; and a participant's
 * token is held to its own turn.
 */
export function refused(
  name: string,
  forParticipants: boolean,
  { args, options }: Call,
  { bound, participant, council }: Caller,
): Done | undefined {
  const speaks = name === 'view' || name === 'respond';
  if (speaks && args.length === 0)
    return refusal('usage', `${name} needs the id of a participant.`, 'Give it as agent.');
  if (!bound) return undefined;
  if (!forParticipants)
    return refusal(
      'forbidden',
      `The token of a participant does not open ${name}.`,
      "It opens view, respond, list, search and show. The rest needs the server's own token.",
    );
  if (!speaks || (args[0] === participant && options.name === council)) return undefined;
  return refusal(
    'forbidden',
    `This token is that of ${participant} in the council "${council}" and acts for nobody else.`,
    'Leave out agent and name, or give these.',
  );
}
