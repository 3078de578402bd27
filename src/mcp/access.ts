// Decides which calls a participant's token allows.
import type { ErrorCode } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { Asked, Done } from '../app/remote/perform.ts';

/** A refusal in the form in which a use case tells one. */
const refusal = (code: ErrorCode, message: string, hint: string): Done => ({
  document: { error: { code, message, hint } },
  failed: true,
});

/** What a tool does not take, refused: a budget that is dropped in silence would be no budget. */
export function unknownArguments(name: string, offered: readonly string[], given: object): Done | undefined {
  const unknown = Object.keys(given).filter((key) => !offered.includes(key));
  if (unknown.length === 0) return undefined;
  const what = `${name} takes no ${unknown.length === 1 ? 'argument' : 'arguments'} ${oneLine(unknown.join(', '), 200)}.`;
  return refusal('usage', what, offered.length === 0 ? 'It takes none.' : `It takes: ${offered.join(', ')}.`);
}

/**
 * Why this caller may not make this call, or undefined. Somebody must speak in view and respond; and a participant's
 * token is held to its own turn.
 */
export function refused({ name, input, caller }: Asked, forParticipants: boolean): Done | undefined {
  const { bound, participant, council } = caller;
  const speaks = name === 'view' || name === 'respond';
  if (speaks && input.agent === undefined)
    return refusal('usage', `${name} needs the id of a participant.`, 'Give it as agent.');
  if (!bound) return undefined;
  if (!forParticipants)
    return refusal(
      'forbidden',
      `The token of a participant does not open ${name}.`,
      "It opens view, respond, list, search and show. The rest needs the server's own token.",
    );
  if (!speaks || (input.agent === participant && input.name === council)) return undefined;
  return refusal(
    'forbidden',
    `This token is that of ${participant} in the council "${council}" and acts for nobody else.`,
    'Leave out agent and name, or give these.',
  );
}
