// What one token may use of the server.
import pLimit from 'p-limit';
import { CouncilError, errorDocument } from '../../core/base/errors.ts';
import { isSeat } from '../remote/perform-call.ts';
import type { Caller, Done } from '../remote/perform-call.ts';

/** So much at once, and so much a second. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** Each token has its own limits: no token can use up another's. */
export interface Limits {
  /** Beyond this the session of that token that was used longest ago ends: clients that crash never say goodbye. */
  sessions: number;
  /** Event streams that are open at the same time. */
  streams: number;
  /** Requests that are answered at the same time. */
  atOnce: number;
  /** Calls that run at the same time, each in a process of its own; others of that token wait for their turn. */
  calls: number;
  /** Messages: one a request, more in a batch. */
  messages: Rate;
}

const PARTICIPANT: Limits = {
  sessions: 8,
  streams: 4,
  atOnce: 8,
  calls: 2,
  messages: { burst: 120, perSecond: 10 },
};

/** The limits of an owner, who may use several programs. Calls that wait for agents or people are among these. */
const OPERATOR: Limits = {
  sessions: 64,
  streams: 2000,
  atOnce: 64,
  calls: 16,
  messages: { burst: 1200, perSecond: 100 },
};

/** Requests without a valid token, of all clients together. */
export const STRANGERS: Rate = { burst: 60, perSecond: 10 };

export const findCallerLimits = (caller: Caller): Limits => (isSeat(caller) ? PARTICIPANT : OPERATOR);

/** A token bucket. A cost may be known only afterwards (the messages of a batch), so the bucket may go below nothing. */
export function createBucket({ burst, perSecond }: Rate, now = (): number => performance.now()) {
  let left = burst;
  let at = now();
  const refill = (): void => {
    const passed = now() - at;
    at += passed;
    left = Math.min(burst, left + (passed / 1000) * perSecond);
  };
  return {
    take(cost: number): void {
      refill();
      left -= cost;
    },
    /** Seconds until there is something again; 0 when there is. */
    wait(): number {
      refill();
      return left >= 1 ? 0 : Math.ceil((1 - left) / perSecond);
    },
  };
}

export type Bucket = ReturnType<typeof createBucket>;

/** What one token is using. */
export interface Account {
  limits: Limits;
  /**
   * Begins a request: what ends it, or the seconds after which the client may try again. A stream that a session listens
   * on is open as long as the session, and not counted beside it.
   */
  admit(isStream: boolean): (() => void) | { retryAfter: number };
  /** Begins an event stream: what ends it; undefined where the token has as many as it may. */
  stream(): (() => void) | undefined;
  noteMessages(messages: number): void;
  /** Runs a call when it is its turn; refused as busy where too many wait already. */
  run(call: () => Promise<Done>): Promise<Done>;
}

/** The accounts of all tokens that have been let in. */
export function createTokenAccounts(
  limits: (caller: Caller) => Limits = findCallerLimits,
  now?: () => number,
): (caller: Caller) => Account {
  const accounts = new Map<string, Account>();
  return (caller) => {
    const key = caller.id ?? (isSeat(caller) ? `participant ${caller.token}` : 'operator');
    const known = accounts.get(key) ?? openAccount(limits(caller), now);
    accounts.set(key, known);
    return known;
  };
}

function openAccount(limits: Limits, now?: () => number): Account {
  const messages = createBucket(limits.messages, now);
  const calls = pLimit(limits.calls);
  let open = 0;
  let streams = 0;
  return {
    limits,
    admit(isStream) {
      const isFull = !isStream && open >= limits.atOnce;
      const retryAfter = Math.max(messages.wait(), isFull ? 1 : 0);
      if (retryAfter > 0) return { retryAfter };
      const count = isStream ? 0 : 1;
      open += count;
      return () => (open -= count);
    },
    stream() {
      if (streams >= limits.streams) return undefined;
      streams++;
      return () => void streams--;
    },
    noteMessages: messages.take,
    // Calls of requests that were given up wait as well, so the open requests alone do not bound them.
    run: async (call) => (calls.pendingCount >= limits.atOnce ? BUSY : calls(call)),
  };
}

const BUSY: Done = {
  document: {
    error: errorDocument(
      new CouncilError('conflict', 'Too many calls of this token are waiting already.', {
        hint: 'Wait for their results, and call again.',
      }),
    ),
  },
  failed: true,
};
