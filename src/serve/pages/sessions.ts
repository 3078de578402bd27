// Sessions of people at the pages: in memory, so that they end with the process, and one code makes one of them.
import { crypto } from '../../base/crypto.ts';
import type { Caller } from '../../app/remote/perform.ts';
import type { Unknown } from '../../app/remote/doors.ts';

/** Somebody at the pages, by the secret in a cookie. */
export interface Session {
  /** What every form of it has to bring along. */
  formToken: string;
  /** Who it is now, or why it is nobody any more. */
  who(): Promise<Caller | Unknown>;
}

export interface Sessions {
  /** The secret of a new one. */
  begin(who: Session['who']): { secret: string; session: Session };
  find(secret: string): Session | undefined;
  end(secret: string): void;
}

/** Whoever leaves for longer comes in anew. */
const UNUSED_MS = 12 * 3_600_000;
const MOST = 1000;

export const newSecret = (): string => crypto().randomBytes(32).toString('base64url');

export function sessionsInMemory(now: () => number = () => performance.now()): Sessions {
  const all = new Map<string, { session: Session; usedAt: number }>();
  const use = (secret: string, session: Session): void => {
    all.delete(secret);
    all.set(secret, { session, usedAt: now() });
  };
  return {
    begin(who) {
      const secret = newSecret();
      const session = { formToken: newSecret(), who };
      use(secret, session);
      const [oldest] = all.keys();
      if (oldest !== undefined && all.size > MOST) all.delete(oldest);
      return { secret, session };
    },
    find(secret) {
      const one = all.get(secret);
      if (!one) return undefined;
      if (now() - one.usedAt > UNUSED_MS) {
        all.delete(secret);
        return undefined;
      }
      use(secret, one.session);
      return one.session;
    },
    end: (secret) => void all.delete(secret),
  };
}
