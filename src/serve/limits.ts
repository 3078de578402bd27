// Rate limits for each token of the MCP server.
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { CouncilError, errorDocument } from '../base/errors.ts';
import { isSeat } from '../app/remote/perform.ts';
import type { Caller, Done } from '../app/remote/perform.ts';

/** An allowance that is used up and comes back: so much at once, and so much a second. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** What one token may use of the server. Each has its own: nobody can use up another's. */
export interface Limits {
  /** Beyond this the session of that token that was used longest ago ends: clients that crash never say goodbye. */
  sessions: number;
  /** Event streams that are open at the same time. */
  streams: number;
  /** Requests that are answered at the same time. */
  atOnce: number;
  /** Calls of tools that run at the same time, each in a process of its own; others of that token wait for their turn. */
  calls: number;
  /** The same of calls that wait for agents or people, which may take hours: whoever has many of them still gets through. */
  long: number;
  /** Messages: one a request, more in a batch. */
  messages: Rate;
  /** Bytes of requests and of results. */
  bytes: Rate;
  /** Milliseconds of CPU that calls take. */
  cpuMs: Rate;
  /** Those of them in which the server itself works, and serves nobody else: beyond them it works for the token later. */
  hereMs: Rate;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** The largest contribution of 1 MiB comes in 8 at most: this takes two in a row, and then one in half a minute. */
const PARTICIPANT: Limits = {
  sessions: 8,
  streams: 4,
  atOnce: 8,
  calls: 1,
  long: 1,
  messages: { burst: 120, perSecond: 10 },
  bytes: { burst: 16 * MIB, perSecond: 256 * KIB },
  cpuMs: { burst: 20_000, perSecond: 500 },
  hereMs: { burst: 2000, perSecond: 200 },
};

/** Whoever runs councils, perhaps from several programs. */
const OPERATOR: Limits = {
  sessions: 64,
  streams: 2000,
  atOnce: 64,
  calls: 4,
  long: 16,
  messages: { burst: 1200, perSecond: 100 },
  bytes: { burst: 256 * MIB, perSecond: 8 * MIB },
  cpuMs: { burst: 240_000, perSecond: 4000 },
  hereMs: { burst: 10_000, perSecond: 500 },
};

/** Requests without a valid token, of all clients together. */
export const STRANGERS: Rate = { burst: 60, perSecond: 10 };

export const limitsOf = (caller: Caller): Limits => (isSeat(caller) ? PARTICIPANT : OPERATOR);

/**
 * A token bucket, in the twenty lines that it takes: the libraries for it count in windows, know one kind of cost, or
 * bring a dozen databases. What something costs is often known only afterwards, so it may go below nothing.
 */
export function allowance({ burst, perSecond }: Rate, now: () => number) {
  let left = burst;
  let at = now();
  const refill = (): void => {
    const passed = now() - at;
    at += passed;
    left = Math.min(burst, left + (passed / 1000) * perSecond);
  };
  const waitMs = (): number => {
    refill();
    return left >= 1 ? 0 : ((1 - left) / perSecond) * 1000;
  };
  return {
    take(cost: number): void {
      refill();
      left -= cost;
    },
    /** Seconds until there is something again; 0 when there is. */
    wait: (): number => Math.ceil(waitMs() / 1000),
    /** Resolves when there is something again. */
    async ready(): Promise<void> {
      for (let ms = waitMs(); ms > 0; ms = waitMs()) await delay(Math.ceil(ms), undefined, { ref: false });
    },
  };
}

/** What one token has used. */
export interface Account {
  limits: Limits;
  /**
   * Begins a request: what ends it, or the seconds after which the client may try again. A stream that a session listens
   * on is open as long as the session, and not counted beside it.
   */
  admit(isStream: boolean): (() => void) | { retryAfter: number };
  /** Begins an event stream: what ends it; undefined where the token has as many as it may. */
  stream(): (() => void) | undefined;
  /** Notes what a request brought. */
  received(messages: number, bytes: number): void;
  /** Runs a call when it is its turn. Nobody waits for more than can be waited for: then it is refused as busy. */
  run(call: () => Promise<Done>, isLong?: boolean): Promise<Done>;
  /**
   * Looks at something in this process, and charges the time in which nobody else was served: one thing after the other, others
   * come in between, and what the allowance does not cover waits until it does. Rejects with `conflict` where too much waits.
   */
  look<T>(look: () => Promise<T>): Promise<T>;
  /** Notes what something took. */
  charge(cpuMs: number): void;
}

/** The accounts of all tokens that have been let in. */
export function accountsOf(
  limits: (caller: Caller) => Limits = limitsOf,
  now: () => number = () => performance.now(),
): (caller: Caller) => Account {
  const accounts = new Map<string, Account>();
  return (caller) => {
    const key = caller.id ?? (isSeat(caller) ? `participant ${caller.token}` : 'operator');
    const known = accounts.get(key) ?? accountOf(limits(caller), now);
    accounts.set(key, known);
    return known;
  };
}

function accountOf(limits: Limits, now: () => number): Account {
  const [messages, bytes, cpuMs, hereMs] = [limits.messages, limits.bytes, limits.cpuMs, limits.hereMs].map(
    (rate) => allowance(rate, now),
  ) as [Allowance, Allowance, Allowance, Allowance];
  let open = 0;
  let streams = 0;
  let looks = 0;
  let looking: Promise<unknown> = Promise.resolve();
  const lanes = { short: laneOf(limits.calls, limits.atOnce), long: laneOf(limits.long, limits.atOnce) };
  return {
    limits,
    admit(isStream) {
      const isFull = !isStream && open >= limits.atOnce;
      const retryAfter = Math.max(messages.wait(), bytes.wait(), cpuMs.wait(), isFull ? 1 : 0);
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
    received(count, size) {
      messages.take(count);
      bytes.take(size);
    },
    run: (call, isLong = false) =>
      lanes[isLong ? 'long' : 'short'](async () => {
        const done = await call();
        cpuMs.take(done.used?.cpuMs ?? 0);
        bytes.take(done.used?.bytes ?? 0);
        return done;
      }),
    async look(look) {
      // Those of requests that were given up are among them.
      if (looks >= limits.atOnce) throw busy();
      looks++;
      const mine = looking.then(async () => {
        await hereMs.ready();
        const begun = busyMs();
        return look().finally(() => {
          const took = busyMs() - begun;
          cpuMs.take(took);
          hereMs.take(took);
        });
      });
      // Whoever waits for something else comes between two looks, however many of them are waiting.
      looking = mine.catch(() => undefined).then(() => (looks--, turn()));
      return mine;
    },
    charge: cpuMs.take,
  };
}

/** The milliseconds in which this thread did not wait for anything. */
const busyMs = (): number => performance.eventLoopUtilization().active;

/** Runs at most `most` at the same time; as many as `waitMost` wait for their turn. */
function laneOf(most: number, waitMost: number): (call: () => Promise<Done>) => Promise<Done> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (call) => {
    if (running >= most && waiting.length >= waitMost) return BUSY;
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await call();
    } finally {
      // The place goes on to the one that waits longest.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

export type Allowance = ReturnType<typeof allowance>;

const busy = (): CouncilError =>
  new CouncilError('conflict', 'Too many calls of this token are waiting already.', {
    hint: 'Wait for their results, and call again.',
  });

export const BUSY: Done = { document: { error: errorDocument(busy()) }, failed: true };
