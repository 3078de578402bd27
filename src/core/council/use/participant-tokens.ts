// Issues, checks and stores tokens of participants.
import type { Random } from '../../base/clock.ts';
import { getCrypto, sha256OfParts } from '../../base/ids.ts';
import { CouncilError } from '../../base/errors.ts';
import type { PrivateTexts } from '../../store/small-files.ts';
import { getSeat } from '../state/state.ts';
import type { CouncilState, Participant } from '../state/state.ts';

export type IssuedToken = [participant: string, token: string];

/**
 * Returns the hash of a token stored in the state: SHA-256 over a name for this use, conversationId,
 * participant and token, each preceded by its length. The same token in another council or for another
 * participant has a different hash.
 */
export function hashToken(conversationId: string, participant: string, token: string): string {
  return sha256OfParts(['council-token', conversationId, participant, token]);
}

/** Returns the state with a token's hash at every seat, and the tokens: 32 random bytes each. */
export function issueTokens(
  state: CouncilState,
  random: Random,
): { state: CouncilState; tokens: IssuedToken[] } {
  const tokens: IssuedToken[] = [];
  const withHash = (id: string, one: Participant): Participant => {
    const token = `council_${Buffer.from(random.hex(32), 'hex').toString('base64url')}`;
    tokens.push([id, token]);
    return { ...one, tokenSha256: hashToken(state.conversationId, id, token) };
  };
  const participants = Object.fromEntries(
    state.order.map((id) => [id, withHash(id, getSeat(state, id))] as const),
  );
  const { coordinator, synthesizer } = state;
  return {
    state: {
      ...state,
      identity: 'token',
      participants,
      synthesizer: coordinator && synthesizer ? withHash(coordinator, synthesizer) : synthesizer,
    },
    tokens,
  };
}

/** Throws `forbidden` unless the council is open or the token is this participant's; `unknown_agent`. */
export function requireToken(state: CouncilState, participant: string, token: string | undefined): void {
  const { tokenSha256 } = getSeat(state, participant);
  if (state.identity !== 'token' || matchesTokenHash(state, participant, tokenSha256, token)) return;
  throw new CouncilError(
    'forbidden',
    token
      ? `The token given is not that of ${participant} in the council "${state.name}".`
      : `The council "${state.name}" asks for the token of ${participant}, and none was given.`,
    {
      hint: `Set COUNCIL_TOKEN to the token that council start printed for ${participant}.`,
    },
  );
}

/** Checks who may respond: a launch under its lease, anyone else as in `requireToken`. */
export function admitParticipant(
  state: CouncilState,
  {
    participant,
    leaseId,
    token,
  }: { participant: string; leaseId?: string | undefined; token?: string | undefined },
): void {
  if (leaseId === undefined) requireToken(state, participant, token);
  else getSeat(state, participant);
}

/** Returns the seat that a token belongs to; undefined if none. Compares every seat. */
export function findTokenHolder(state: CouncilState, token: string): string | undefined {
  const ids = [...state.order, ...(state.coordinator ? [state.coordinator] : [])];
  return ids.filter((id) => matchesTokenHash(state, id, getSeat(state, id).tokenSha256, token))[0];
}

function matchesTokenHash(
  { conversationId }: CouncilState,
  participant: string,
  expected: string | undefined,
  token: string | undefined,
): boolean {
  if (!expected || !token) return false;
  const given = Buffer.from(hashToken(conversationId, participant, token), 'hex');
  const wanted = Buffer.from(expected, 'hex');
  return given.length === wanted.length && getCrypto().timingSafeEqual(given, wanted);
}

const formatTokenFileName = (participant: string): string => `token-${participant}`;

/** Stores a token in the private folder, from which later ticks pass it to its agent. */
export async function keepToken(
  files: Pick<PrivateTexts, 'write'>,
  conversationId: string,
  [id, token]: IssuedToken,
): Promise<void> {
  await files.write(conversationId, formatTokenFileName(id), Buffer.from(token));
}

/** Returns a participant's token; undefined in an open council, or if the private folder does not contain it. */
export async function readToken(
  files: Pick<PrivateTexts, 'read'>,
  { identity, conversationId }: CouncilState,
  participant: string,
): Promise<string | undefined> {
  if (identity !== 'token') return undefined;
  const bytes = await files.read(conversationId, formatTokenFileName(participant));
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** The error for a seat whose council is over. */
export const createSeatOverError = (name: string): CouncilError =>
  new CouncilError('unknown_council', `The council "${name}" of this token is over.`, {
    hint: 'Its archive is among those of: council list',
  });
