// Decides who may use a server: token owners, and on loopback the project's owner while there are no tokens.
import { systemClock } from '../../core/store/local/system.ts';
import type { AccessToken } from '../../core/store/access-tokens.ts';
import { findInvitation } from '../access/sign-in-code.ts';
import { findAccessToken, isAccessToken, findTokenEnd, openAccessTokens } from '../access/token.ts';
import type { App } from '../../core/app/app.ts';
import { awaitWhileReadable } from './store-trouble.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import type { Host } from './host.ts';
import type { Caller } from './perform-call.ts';
import { ROLES } from '../../core/app/app.ts';

/** Why a request was refused, only for the log: the client learns only whether a token was given. */
export interface UnknownCaller {
  unknown: 'no_token' | 'unknown_token' | 'expired_token' | 'revoked_token';
}

export interface TokenLookup {
  /** Returns whether access without a token is allowed. */
  isOpen(): Promise<boolean>;
  holder(token: string): Promise<Caller | UnknownCaller>;
}

/** Access for people, too. */
export interface PageTokenLookup extends TokenLookup {
  /** Returns the person invited by a code. */
  findInvited(code: string): Promise<Caller | UnknownCaller>;
}

/** Cache time for tokens in milliseconds: a revoked one is refused after that. */
const FRESH_MS = 1000;
/** Cache time for unknown tokens in milliseconds: a new token works at once, and unknown ones cause few reads. */
const NEW_MS = 20;

/** Creates the token lookup of a project. `loopback`: whether only this machine can reach the server. */
export function createTokenLookup(
  app: App,
  host: Pick<Host, 'holder' | 'findTrouble'>,
  loopback: boolean,
): PageTokenLookup & { hasTokens(): Promise<boolean> } {
  const tokens = openAccessTokens(app, openWorkspace(app));
  let read: { at: number; list: Promise<AccessToken[]> } | undefined;
  const list = (freshMs = FRESH_MS): Promise<AccessToken[]> => {
    if (!read || performance.now() - read.at > freshMs) {
      const now = { at: performance.now(), list: awaitWhileReadable(host.findTrouble, tokens.list()) };
      // If the list cannot be read, everyone is refused; the next request reads it again.
      now.list.catch(() => (read = undefined));
      read = now;
    }
    return read.list;
  };
  return {
    hasTokens: async () => (await list()).length > 0,
    isOpen: async () => loopback && (await list()).length === 0,
    async holder(text) {
      if (!isAccessToken(text)) return (await host.holder(text)) ?? { unknown: 'unknown_token' };
      return resolveTokenCaller(
        findAccessToken(await list(), text) ?? findAccessToken(await list(NEW_MS), text),
      );
    },
    findInvited: async (code) =>
      resolveTokenCaller(findInvitation(await list(), code) ?? findInvitation(await list(NEW_MS), code)),
  };
}

function resolveTokenCaller(one: AccessToken | undefined): Caller | UnknownCaller {
  if (!one) return { unknown: 'unknown_token' };
  const over = findTokenEnd(one, systemClock.now());
  if (over) return { unknown: `${over}_token` };
  return toTokenCaller(one) ?? { unknown: 'unknown_token' };
}

/** Returns the caller of a token; undefined for a token created by a newer version. */
function toTokenCaller({ id, role: named, council, conversationId, as }: AccessToken): Caller | undefined {
  const role = ROLES.find((one) => one === named);
  if (role === undefined || (role === 'participant' && !(council && conversationId && as))) return undefined;
  return {
    role,
    id,
    ...(as !== null && { participant: as }),
    ...(council !== null && { council }),
    ...(conversationId !== null && { conversationId, ownArchive: conversationId }),
  };
}
