// Retries, escalation and expiry of a message that awaits an ACK. Pure; times are in milliseconds.
import * as z from 'zod/mini';
import type { Message, Priority } from './message.ts';
import { PRIORITIES } from './message.ts';
import { openBook, createEntriesSchema } from './book.ts';
import type { Role } from './policy.ts';
import type { Documents } from '../../core/store/documents.ts';

/** Timeout for an ACK, and the retries without one. */
export const RETRY = {
  ackMs: 30_000,
  retries: 3,
  firstMs: 1000,
  mostMs: 30_000,
  factor: 2,
  /** Maximum random addition to a delay, as a share of it. */
  jitter: 0.2,
} as const;

/** The role that an unacknowledged message escalates to. */
const ABOVE: Record<Role, Role | undefined> = {
  worker: 'leader',
  leader: 'orchestrator',
  orchestrator: 'person',
  person: undefined,
};

/** Returns the roles to try in turn, starting with the recipient's. */
export function listEscalationRoles(first: Role): Role[] {
  const above = ABOVE[first];
  return above === undefined ? [first] : [first, ...listEscalationRoles(above)];
}

export const STATES = ['sent', 'waiting', 'acknowledged', 'refused', 'expired', 'dead'] as const;

const instant = z.number().check(z.gte(-8.64e15), z.lte(8.64e15));
const count = z.int().check(z.nonnegative());
const delivery = z.object({
  id: z.string(),
  /** The agents to try in turn, starting with the recipient. */
  chain: z.readonly(z.array(z.string())),
  /** The current position in the chain. */
  at: count,
  /** Retries at that position so far. */
  retries: count,
  /** `sent` awaits an ACK until `dueAt`; `waiting` is sent again then. */
  state: z.enum(STATES),
  dueAt: instant,
  /** When the message expires. */
  expiresAt: z.optional(instant),
  /** The reason of a NACK, or why it was given up. */
  reason: z.optional(z.string()),
});
export type Delivery = z.infer<typeof delivery>;

/** True if time alone changes nothing any more. */
export const isOver = ({ state }: Pick<Delivery, 'state'>): boolean =>
  state !== 'sent' && state !== 'waiting';

/** Starts a delivery. `chain`: the recipient, then those it escalates to. */
export const begin = (
  id: string,
  chain: readonly [string, ...string[]],
  now: number,
  ttlSeconds?: number,
): Delivery => ({
  id,
  chain,
  at: 0,
  retries: 0,
  state: 'sent',
  dueAt: now + RETRY.ackMs,
  expiresAt: ttlSeconds === undefined ? undefined : now + ttlSeconds * 1000,
});

/** Returns the delay before a retry (from 1): doubled each time, up to a cap. `chance` (0 to 1) adds a little. */
export function computeRetryDelay(retry: number, chance = 0): number {
  const plain = Math.min(RETRY.firstMs * RETRY.factor ** (retry - 1), RETRY.mostMs);
  return Math.min(plain * (1 + RETRY.jitter * chance), RETRY.mostMs);
}

/**
 * Updates a delivery to `now`. A late call makes one step only, so that a message is not sent twice
 * at once. Without jitter a message is sent at 0, 31, 63 and 97 seconds, and escalates at 127.
 */
export function advance<D extends Delivery>(delivery: D, now: number, chance = 0): D {
  if (isOver(delivery)) return delivery;
  const { expiresAt, dueAt, state, chain, at, retries } = delivery;
  if (expiresAt !== undefined && now >= expiresAt)
    return { ...delivery, state: 'expired', reason: 'its time to live is over' };
  if (now < dueAt) return delivery;
  const sent = { ...delivery, state: 'sent', dueAt: now + RETRY.ackMs } as const;
  if (state === 'waiting') return sent;
  if (retries < RETRY.retries)
    return {
      ...delivery,
      state: 'waiting',
      retries: retries + 1,
      dueAt: now + computeRetryDelay(retries + 1, chance),
    };
  if (at + 1 < chain.length) return { ...sent, at: at + 1, retries: 0 };
  return { ...delivery, state: 'dead', reason: 'nobody acknowledged it' };
}

/** Returns how often it has been sent so far, to all agents of the chain. */
export const countAttempts = ({ at, retries, state }: Delivery): number =>
  at * (1 + RETRY.retries) + retries + (state === 'waiting' ? 0 : 1);

const ACK = ['request', 'control', 'handoff'];
/** Answers and announcements: not even a mention in them requires an ACK. */
const NO_ACK = ['response', 'event', 'broadcast', 'heartbeat', 'ack', 'nack', 'error'];

/** True if the recipient should acknowledge a message: requests, control, and mentions. */
export const wantsAck = ({ kind, to }: Message, isMentioned = false): boolean =>
  ACK.includes(kind) || (isMentioned && to !== undefined && !NO_ACK.includes(kind));

/** A message in a queue, which is in order of arrival. */
export interface QueuedMessage {
  id: string;
  from: string;
  priority?: Priority | undefined;
  replyTo?: string | undefined;
}

const getPriorityRank = ({ priority = 'normal' }: QueuedMessage): number => PRIORITIES.indexOf(priority);

/**
 * Sorts a queue for handling: messages of one sender and priority in order of arrival, otherwise higher
 * priorities first. An answer to another message of the queue comes after it, whatever its priority. If the two
 * rules conflict, the order of arrival counts.
 */
export function sortQueue<T extends QueuedMessage>(queue: readonly T[]): T[] {
  const arrived = queue.map((one, at) => ({ one, at, rank: getPriorityRank(one) }));
  const lanes = [...Map.groupBy(arrived, ({ one, rank }) => `${rank} ${one.from}`).values()];
  const left = new Set(queue.map(({ id }) => id));
  const result: T[] = [];
  while (result.length < queue.length) {
    const heads = lanes.flatMap((lane) => lane[0] ?? []).sort((a, b) => a.rank - b.rank || a.at - b.at);
    const isFree = ({ one: { id, replyTo } }: (typeof heads)[number]): boolean =>
      replyTo === undefined || replyTo === id || !left.has(replyTo);
    const next = heads.find(isFree) ?? heads[0];
    if (next === undefined) break;
    lanes.find((lane) => lane[0] === next)?.shift();
    left.delete(next.one.id);
    result.push(next.one);
  }
  return result;
}

const tracked = z
  .extend(delivery, {
    /** The name of its file, which sorts by time. */
    name: z.string(),
    from: z.string(),
    /** True if it needs no ACK, and is only reported if it expires before it was shown. */
    isBrief: z.optional(z.boolean()),
    /** When it was given up, in milliseconds since the epoch. */
    endedAt: z.optional(instant),
    /** True if its sender knows that it was given up. */
    isTold: z.optional(z.boolean()),
  })
  .check(z.refine(({ at, chain }) => at < chain.length));

/** The delivery of one message to one recipient, the first of its chain. */
export type TrackedDelivery = z.infer<typeof tracked>;

export const buildDeliveryKey = ({ id, chain }: Pick<Delivery, 'id' | 'chain'>): string =>
  `${id} ${chain[0]}`;

/** The deliveries of one channel. */
const ledger = z.object({
  /** Names from this one on are read; earlier messages that are not in `tracked` have ended. */
  mark: z.catch(z.string(), ''),
  /** By `buildDeliveryKey`. */
  tracked: z.pipe(
    createEntriesSchema(tracked),
    z.transform((all) => Object.fromEntries(Object.values(all).map((one) => [buildDeliveryKey(one), one]))),
  ),
});
export type DeliveryLedger = z.infer<typeof ledger>;

export interface Deliveries {
  /** The channels that have, or had, deliveries. */
  channels(): Promise<string[]>;
  read(channel: string): Promise<DeliveryLedger>;
  /** See `Book.change`. */
  change(channel: string, change: (ledger: DeliveryLedger) => DeliveryLedger | undefined): Promise<boolean>;
}

/** Stores deliveries in any document store. Unreadable data counts as absent: open messages are checked again. */
export const createDeliveries = (store: Pick<Documents, 'read' | 'update' | 'list'>): Deliveries => ({
  channels: () => store.list('', { look: false }),
  read: (channel) => openBook(store, channel, ledger).read(),
  change: (channel, change) => openBook(store, channel, ledger).change(change),
});
