// Sessions of people at the pages: in memory, so that they end with the process, and one code makes one of them.
import { crypto } from '../../../core/base/crypto.ts';
import type { Caller } from '../../remote/perform-call.ts';
import type { Unknown } from '../../remote/token-lookup.ts';
import { LOCAL } from '../gate.ts';

/** A session, by the secret in a cookie. */
export interface Session {
  /** What every form of it has to bring along. */
  formToken: string;
  /** Who it is now, or why the session has ended. */
  who(): Promise<Caller | Unknown>;
}

export interface Sessions {
  /** The secret of a new one of a caller: what `who` says of it then. */
  begin(caller: Caller, who: Session['who']): { secret: string; session: Session };
  find(secret: string): Session | undefined;
  end(secret: string): void;
}

/** After a longer absence one signs in anew. */
const UNUSED_MS = 12 * 3_600_000;
/** Of one token or code: beyond that the session of it that was used longest ago ends, and never one that came in by another. */
const MOST = 1000;

/** Who a caller is, whatever they signed in with: a seat is one person, and so is the owner of this machine. */
export function identifyCaller({
  role,
  id = '',
  participant,
  council = '',
  conversationId = '',
}: Caller): string {
  if (role === 'participant') return `seat ${participant} ${council} ${conversationId}`;
  return id === OPENED.id || id === LOCAL.id ? 'owner' : `${role} ${id}`;
}

/** A session that began with a code of `council open`. */
export const OPENED: Caller = { role: 'admin', id: 'open' };

export const newSecret = (): string => crypto().randomBytes(32).toString('base64url');

export function sessionsInMemory(now: () => number = () => performance.now()): Sessions {
  const all = new Map<string, { session: Session; key: string; usedAt: number }>();
  const use = (secret: string, one: { session: Session; key: string }): void => {
    all.delete(secret);
    all.set(secret, { ...one, usedAt: now() });
  };
  const isUnused = ({ usedAt }: { usedAt: number }): boolean => now() - usedAt > UNUSED_MS;
  /** Makes room for one more of those that came in like this. */
  const makeRoom = (key: string): void => {
    for (const [secret, one] of all) if (isUnused(one)) all.delete(secret);
    const own = [...all].filter(([, one]) => one.key === key);
    for (const [secret] of own.slice(0, Math.max(0, own.length + 1 - MOST))) all.delete(secret);
  };
  return {
    begin(caller, who) {
      const key = caller.id ?? identifyCaller(caller);
      makeRoom(key);
      const secret = newSecret();
      const session = { formToken: newSecret(), who };
      use(secret, { session, key });
      return { secret, session };
    },
    find(secret) {
      const one = all.get(secret);
      if (!one) return undefined;
      if (isUnused(one)) {
        all.delete(secret);
        return undefined;
      }
      use(secret, one);
      return one.session;
    },
    end: (secret) => void all.delete(secret),
  };
}
