// What one token may use of the server.
import pLimit from 'p-limit';
import { CouncilError, toErrorDocument } from '../../core/base/errors.ts';
import { isParticipantToken } from '../remote/perform-call.ts';
import type { Caller, CallOutcome } from '../remote/perform-call.ts';

/** Maximum burst, and refill per second. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** Each token has its own limits, which no other token can use up. */
export interface Limits {
  /** Beyond this, the token's least recently used session ends: crashed clients never close theirs. */
  sessions: number;
  streams: number;
  /** Concurrent requests. */
  atOnce: number;
  /** Concurrent calls, each in its own process; further calls of the token wait. */
  calls: number;
  /** Messages: one per request, more in a batch. */
  messages: Rate;
}

const PARTICIPANT: Limits = {
  sessions: 8,
  streams: 4,
  atOnce: 8,
  calls: 2,
  messages: { burst: 120, perSecond: 10 },
};

/** Limits of an owner, who may use several programs, including calls that wait for agents or people. */
const OPERATOR: Limits = {
  sessions: 64,
  streams: 2000,
  atOnce: 64,
  calls: 16,
  messages: { burst: 1200, perSecond: 100 },
};

/** Requests without a valid token, of all clients together. */
export const STRANGERS: Rate = { burst: 60, perSecond: 10 };

export const findCallerLimits = (caller: Caller): Limits =>
  isParticipantToken(caller) ? PARTICIPANT : OPERATOR;

/** Creates a token bucket. It may go negative, since a cost may be known only afterwards (messages of a batch). */
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
    /** Returns the seconds until there is something again; 0 if there is. */
    wait(): number {
      refill();
      return left >= 1 ? 0 : Math.ceil((1 - left) / perSecond);
    },
  };
}

export type Bucket = ReturnType<typeof createBucket>;

export interface Account {
  limits: Limits;
  /**
   * Begins a request: returns a function that ends it, or the seconds before a retry. A session's stream is open
   * as long as the session, and not counted separately.
   */
  admit(isStream: boolean): (() => void) | { retryAfter: number };
  /** Begins an event stream: returns a function that ends it, or undefined if the token has too many. */
  stream(): (() => void) | undefined;
  noteMessages(messages: number): void;
  /** Runs a call in turn; refuses it as busy if too many are waiting. */
  run(call: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

/** The accounts of all authenticated tokens. */
export function createTokenAccounts(
  limits: (caller: Caller) => Limits = findCallerLimits,
  now?: () => number,
): (caller: Caller) => Account {
  const accounts = new Map<string, Account>();
  return (caller) => {
    const key = caller.id ?? (isParticipantToken(caller) ? `participant ${caller.token}` : 'operator');
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
    // Calls of abandoned requests are waiting, too, so the limit on open requests is not enough.
    run: async (call) => (calls.pendingCount >= limits.atOnce ? BUSY : calls(call)),
  };
}

const BUSY: CallOutcome = {
  document: {
    error: toErrorDocument(
      new CouncilError('conflict', 'Too many calls of this token are waiting already.', {
        hint: 'Wait for their results, and call again.',
      }),
    ),
  },
  failed: true,
};
