// Use case `invite`: the link by which a person takes the seat that was given to them, and taking it back.
import { CouncilError } from '../../core/base/errors.ts';
import { iso } from '../../core/base/clock.ts';
import { readCouncil } from '../../core/council/use/update-council.ts';
import { seat } from '../../core/council/state/state.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import { systemClock, systemRandom } from '../../core/store/local/system.ts';
import { describeCallerToken, isRemote, place } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { InviteInput } from '../input/access.ts';
import { councilName } from '../../core/app/council-reference.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import { keptOfCode, newCode } from './sign-in-code.ts';
import { openAccessTokens } from './ports.ts';
import { isOver } from './access-tokens.ts';
import { findServing } from './local-servers.ts';

const GOOD_FOR_MS = 7 * 24 * 3_600_000;
/** Where a server listens unless it is told otherwise. */
const USUAL = 'http://127.0.0.1:7333';

export interface Invitation {
  participant: string;
  name: string;
  url: string;
  code: string;
  expiresAt: string;
}

export type InviteResult =
  | ({ action: 'invite'; isServed: boolean; isPublic: boolean } & Result<Invitation>)
  | ({ action: 'revoke' } & Result<{ participant: string; name: string; revoked: string[] }>);

/** Makes a code for one seat, good for a week; with `revoke` takes back whatever opens that seat. */
export async function invite(
  app: App,
  { agent: participant, name: given, revoke }: InviteInput,
): Promise<InviteResult> {
  if (isRemote(app))
    throw new CouncilError('forbidden', 'People are invited by a person, not by an agent.', {
      hint: 'On a terminal of their own: council invite ID',
    });
  const workspace = openWorkspace(app);
  const name = await councilName(workspace, given);
  const { state } = (await readCouncil(workspace.ports, name)).council;
  seat(state, participant);
  const { conversationId } = state;
  const tokens = openAccessTokens(app, workspace);
  const now = systemClock.now();
  if (revoke) {
    const theirs = (await tokens.list()).filter(
      (one) => one.conversationId === conversationId && one.as === participant && !isOver(one, now),
    );
    for (const { id } of theirs) await tokens.revoke(id, iso(now));
    return { action: 'revoke', document: { participant, name, revoked: theirs.map(({ id }) => id) } };
  }
  requirePerson(state, participant);
  const code = newCode(systemRandom);
  const expiresAt = iso(now + GOOD_FOR_MS);
  await tokens.add({
    ...keptOfCode(code),
    ...{ role: 'participant', council: name, conversationId, as: participant },
    ...{ createdAt: iso(now), createdBy: describeCallerToken(app) ?? place(), expiresAt, revokedAt: null },
  });
  const [serving] = findServing(app, workspace);
  const url = `${serving?.publicUrl ?? serving?.url ?? USUAL}/join#${code}`;
  return {
    action: 'invite',
    isServed: serving !== undefined,
    isPublic: typeof serving?.publicUrl === 'string',
    document: { participant, name, url, code, expiresAt },
  };
}

/** Throws `usage` for an agent: only people can open an invitation link. */
function requirePerson(state: CouncilState, participant: string): void {
  const isPerson = (id: string): boolean => seat(state, id).runner === 'human';
  if (isPerson(participant)) return;
  const people = state.order.filter(isPerson);
  throw new CouncilError('usage', `${participant} is a program: council launches it, and it takes no link.`, {
    hint:
      people.length === 0
        ? 'No person sits at this table. One who is to sit at the next: council agents add NAME'
        : `People at this table: ${people.join(', ')}.`,
  });
}
