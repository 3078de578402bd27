// What each recipient has seen and handled of its messages, by channel: a document, changed by compare-and-set.
import * as z from 'zod/mini';
import type { Documents } from '../../core/store/documents.ts';
import { openBook, createEntriesSchema, TIME } from './book.ts';
import { keeper, maybeKeeper } from './presence.ts';
import type { IsAlive, Keeper } from './presence.ts';

/** How a recipient handled a message. */
const handled = z.object({
  as: z.enum(['acknowledged', 'refused']),
  /** ISO 8601 UTC. */
  at: TIME,
  reason: z.optional(z.string()),
});
export type Handled = z.infer<typeof handled>;

/** A process that works on a message. */
const lease = z.object({
  by: keeper,
  /** ISO 8601 UTC. After that others may take it, even if the process cannot be checked. */
  until: z.string(),
  /** The number of this attempt at the message. */
  attempt: z.number(),
});
type MailLease = z.infer<typeof lease>;

/** One recipient's state in one channel. */
const mail = z.object({
  /**
   * Names from this one on are read; earlier ones that are not in `open` were handled, or were for others. It
   * only increases. Within a second, names do not sort by arrival, so the mark stays behind the clock.
   */
  mark: z.catch(z.string(), ''),
  /** Names before the mark that are not handled yet. */
  open: z._default(z.array(z.string()), []),
  /** Ids from the mark on that are handled, and the last refusals. */
  handled: createEntriesSchema(handled),
  /** When a message was shown in a turn that really began, by id; ISO 8601 UTC. */
  shown: createEntriesSchema(TIME),
  /** Ids of messages escalated from others who did not acknowledge them, with their original recipient. */
  passed: createEntriesSchema(z.string()),
  /** By message id, the process working on it, even if it was stopped. */
  leases: createEntriesSchema(lease),
  /** The process that answers these messages, if any. */
  watcher: maybeKeeper,
});
export type Mail = z.infer<typeof mail>;

/** The mailbox of one recipient, by channel. */
const mailboxes = z.object({ channels: z.catch(z.record(z.string(), z.unknown()), {}) });

export interface Mailboxes {
  read(recipient: string, channel: string): Promise<Mail>;
  /** Changes one state by compare-and-set; may call `change` repeatedly. Writes nothing if it returns undefined. */
  change(recipient: string, channel: string, change: (mail: Mail) => Mail | undefined): Promise<void>;
}

/** Number of refusals, and of escalated messages, to keep behind the mark. */
const KEPT_REFUSALS = 100;
const KEPT_PASSED = 200;

/** Stores mailboxes in any document store, under their own keys. */
export function createMailboxes(store: Pick<Documents, 'read' | 'update'>): Mailboxes {
  const open = (recipient: string) => openBook(store, recipient, mailboxes);
  return {
    read: async (recipient, channel) => parseMail((await open(recipient).read()).channels[channel]),
    async change(recipient, channel, change) {
      await open(recipient).change(({ channels }) => {
        const next = change(parseMail(channels[channel]));
        return next && { channels: { ...channels, [channel]: next } };
      });
    },
  };
}

/** Unreadable state counts as empty: messages are then shown again, and none is lost. */
const parseMail = (value: unknown): Mail => mail.safeParse(value).data ?? mail.parse({});

/** A message's id and file name, which locate it in a mailbox. */
export interface MailboxPlace {
  id: string;
  name: string;
}

/** True if a message to this recipient has not been handled. */
export const isUnhandled = (mail: Mail, { id, name }: MailboxPlace): boolean =>
  !Object.hasOwn(mail.handled, id) && (name >= mail.mark || mail.open.includes(name));

/** Returns how a message was handled; undefined while it is open. Without a time if it was long ago. */
export const readHandling = (mail: Mail, message: MailboxPlace): Partial<Handled> | undefined =>
  isUnhandled(mail, message)
    ? undefined
    : Object.hasOwn(mail.handled, message.id)
      ? mail.handled[message.id]
      : { as: 'acknowledged' };

/** Returns the state after messages were handled; undefined if all were handled before. */
export function handle(mail: Mail, messages: readonly MailboxPlace[], how: Handled): Mail | undefined {
  const fresh = messages.filter((message) => isUnhandled(mail, message));
  if (fresh.length === 0) return undefined;
  const names = new Set(fresh.map(({ name }) => name));
  const isKept = ({ name }: MailboxPlace): boolean => name >= mail.mark || how.as === 'refused';
  return {
    ...mail,
    open: mail.open.filter((name) => !names.has(name)),
    handled: { ...mail.handled, ...Object.fromEntries(fresh.filter(isKept).map(({ id }) => [id, how])) },
    shown: without(mail.shown, new Set(fresh.map(({ id }) => id))),
    leases: without(mail.leases, new Set(fresh.map(({ id }) => id))),
  };
}

/** Returns the state after messages were shown; undefined if all were shown or handled before. */
export function show(mail: Mail, messages: readonly MailboxPlace[], at: string): Mail | undefined {
  const fresh = messages.filter((one) => isUnhandled(mail, one) && !Object.hasOwn(mail.shown, one.id));
  if (fresh.length === 0) return undefined;
  return { ...mail, shown: { ...mail.shown, ...Object.fromEntries(fresh.map(({ id }) => [id, at])) } };
}

const findMessageLease = ({ leases }: Mail, id: string): MailLease | undefined =>
  Object.hasOwn(leases, id) ? leases[id] : undefined;

/** Returns how many attempts were made at a message that is not handled. */
export const countTries = (mail: Mail, id: string): number => findMessageLease(mail, id)?.attempt ?? 0;

/** True if this process has taken the message. */
export function isOwn(mail: Mail, id: string, me: Keeper): boolean {
  const by = findMessageLease(mail, id)?.by;
  return by?.pid === me.pid && by.startTime === me.startTime && by.host === me.host;
}

/** True if a live process is working on a message. */
export function isTaken(mail: Mail, id: string, now: number, isAlive: IsAlive): boolean {
  const lease = findMessageLease(mail, id);
  return lease !== undefined && isAlive(lease.by) !== false && Date.parse(lease.until) > now;
}

/** Returns the state after a process took a message; undefined if another is working on it, or it is handled. */
export function take(
  mail: Mail,
  message: MailboxPlace,
  { by, until, now, isAlive }: Pick<MailLease, 'by' | 'until'> & { now: number; isAlive: IsAlive },
): Mail | undefined {
  const { id } = message;
  if (!isUnhandled(mail, message) || (!isOwn(mail, id, by) && isTaken(mail, id, now, isAlive)))
    return undefined;
  const attempt = countTries(mail, id) + 1;
  return { ...mail, leases: { ...mail.leases, [id]: { by, until, attempt } } };
}

/** Returns the state after a process has released messages, as if it had never taken them. */
export function release(mail: Mail, messages: readonly MailboxPlace[]): Mail {
  const leases = Object.entries(mail.leases).flatMap(([id, lease]) => {
    if (!messages.some((one) => one.id === id)) return [[id, lease] as const];
    const attempt = lease.attempt - 1;
    return attempt > 0 ? [[id, { ...lease, attempt, until: '' }] as const] : [];
  });
  return { ...mail, leases: Object.fromEntries(leases) };
}

/** Returns the state after a message was escalated from `from`; undefined if that happened before. */
export function recordEscalation(mail: Mail, { id, name }: MailboxPlace, from: string): Mail | undefined {
  if (Object.hasOwn(mail.passed, id)) return undefined;
  const passed = Object.entries({ ...mail.passed, [id]: from }).slice(-KEPT_PASSED);
  const open = mail.open.includes(name) ? mail.open : [...mail.open, name];
  return { ...mail, open, passed: Object.fromEntries(passed) };
}

/**
 * Returns the state with its mark advanced to `mark`; undefined if it would not advance. `passed`: all messages
 * to this recipient between the old mark and the new one. Those still open stay open.
 */
export function settle(mail: Mail, passed: readonly MailboxPlace[], mark: string): Mail | undefined {
  if (mark <= mail.mark) return undefined;
  const before = passed.filter(({ name }) => name < mark);
  const gone = new Set(before.filter(({ id }) => mail.handled[id]?.as !== 'refused').map(({ id }) => id));
  const refused = Object.keys(mail.handled).filter((id) => mail.handled[id]?.as === 'refused');
  for (const id of refused.slice(0, -KEPT_REFUSALS)) gone.add(id);
  return {
    ...mail,
    mark,
    open: [...mail.open, ...before.filter((one) => isUnhandled(mail, one)).map(({ name }) => name)],
    handled: without(mail.handled, gone),
  };
}

const without = <T>(record: Record<string, T>, ids: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([id]) => !ids.has(id)));
