// The seat that an access token opens: it has to be one of that very council.
import { readToken, seatOver } from '../../core/council/use/identity.ts';
import { parse } from '../../core/council/document/document.ts';
import type { App } from '../../core/app/app.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import type { Caller } from '../../core/app/caller.ts';

/**
 * The participant's token that the council itself asks for, where it does. Throws `unknown_council` when that council is over,
 * whatever has its name by now.
 */
export async function seatToken(app: App, caller: Caller): Promise<string | undefined> {
  const { participant, council: name, conversationId, token } = caller;
  if (token !== undefined) return token;
  if (participant === undefined || name === undefined || conversationId === undefined) return undefined;
  const { ports } = openWorkspace(app);
  const stored = await ports.store.read(name);
  const state = stored && parse(stored.text, `council "${name}"`).state;
  if (state?.conversationId !== conversationId) throw seatOver(name);
  return readToken(ports.privateFiles, state, participant);
}
