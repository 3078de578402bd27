// One pass over a channel: resends unacknowledged messages, escalates them, or gives them up.
import { sha256 } from '../../core/base/ids.ts';
import {
  wakes,
  listAwaitedRecipients,
  buildEscalationChain,
  listAgentGroups,
  listRecipients,
} from './addressing.ts';
import { listAnsweredIds, isLive, readMessage, formatSecondPrefix } from './channel.ts';
import { buildDeliveryKey, advance, begin, isOver } from './delivery.ts';
import type { DeliveryLedger, TrackedDelivery } from './delivery.ts';
import { handle, readHandling, isTaken, recordEscalation } from './mailbox.ts';
import type { Handled, Mail } from './mailbox.ts';
import { GRACE_MS, LOOK_BACK } from './message-service.ts';
import type { MessageService } from './message-service.ts';
import { isToTell, reportRoundSteps } from './report-round.ts';
import type { DeliveryRound, DeliveryStep } from './report-round.ts';

/** In the first round of a channel, older messages are left alone. */
const FIRST_MS = 86_400_000;
/** After this many messages the mark is saved. */
const WORTH_A_MARK = 50;
/** Number of ended deliveries to keep. */
const KEPT_ENDED = 200;
/** A process that gives up a message informs the sender within this time, unless it was stopped. */
const TELL_MS = 60_000;

/**
 * Makes a round. Resolves to the time of the next step (ms since the epoch); undefined if there is none. Newly
 * found messages alone are only written down with `keep`: the next round would find them again.
 */
export async function makeRound(
  office: MessageService,
  channel: string,
  { keep = false } = {},
): Promise<number | undefined> {
  if (!isLive(channel)) return undefined;
  const now = office.clock.now();
  const ledger = await office.deliveries.read(channel);
  const round = await openRound(office, channel, now, ledger);
  const steps: DeliveryStep[] = [];
  for (const one of Object.values(ledger.tracked)) steps.push(await move(round, one));
  const fresh: DeliveryStep[] = [];
  for (const one of listNewDeliveries(round, ledger)) fresh.push(await move(round, one));
  const begins = fresh.filter(({ after }) => after.state !== 'acknowledged' && after.state !== 'refused');
  const isChanged = [...steps, ...begins].some(({ before, after }) => before !== after);
  if (isChanged || (keep && begins.length > 0) || round.messages.length >= WORTH_A_MARK) {
    const next = buildNextLedger([...steps, ...begins], round.until, ledger.mark);
    const isOurs = await office.deliveries.change(channel, (current) =>
      JSON.stringify(current) === JSON.stringify(ledger) ? next : undefined,
    );
    // Only the process that saved the ledger reports.
    if (isOurs) await reportRoundSteps(round, [...steps, ...begins]);
  }
  const due = Math.min(...[...steps, ...begins].map((one) => one.due));
  return Number.isFinite(due) ? due : undefined;
}

async function openRound(
  office: MessageService,
  channel: string,
  now: number,
  { mark }: DeliveryLedger,
): Promise<DeliveryRound> {
  const from = mark === '' ? formatSecondPrefix(now - FIRST_MS) : mark;
  const names = await office.log.names(channel, { from, limit: LOOK_BACK });
  const read = await Promise.all(names.map((name) => readMessage(office.log, channel, name, office.warn)));
  const messages = read.filter((message) => message !== undefined);
  // If there are very many, the rest is left to the next round.
  const until = names.length < LOOK_BACK ? formatSecondPrefix(now - GRACE_MS) : names.at(-1)!;
  const answered = messages.flatMap((message) =>
    message.kind === 'nack' || message.kind === 'error'
      ? []
      : listAnsweredIds(message).map((id) => `${id} ${message.from}`),
  );
  const mails = new Map<string, Promise<Mail>>();
  const readMail = (recipient: string): Promise<Mail> => {
    const known = mails.get(recipient) ?? office.boxes.read(recipient, channel);
    mails.set(recipient, known);
    return known;
  };
  return { office, channel, now, messages, until, answered: new Set(answered), readMail };
}

/** Returns new deliveries: messages since the last round that await an ACK, or have a time to live. */
function listNewDeliveries(
  { office, messages }: DeliveryRound,
  { tracked }: DeliveryLedger,
): TrackedDelivery[] {
  const { directory } = office;
  return messages.flatMap((message) => {
    const { id, name, from, time, ttl } = message;
    const at = Date.parse(time);
    if (Number.isNaN(at)) return [];
    const awaited = listAwaitedRecipients(directory, message);
    const isBrief = ttl !== undefined && awaited.length === 0;
    const wanted = isBrief ? listRecipients(directory, message).filter((to) => to === message.to) : awaited;
    return wanted.flatMap((to): TrackedDelivery[] => {
      const delivery = begin(id, buildEscalationChain(directory, to, from), at, ttl);
      const { expiresAt = 0 } = delivery;
      const one = { ...delivery, name, from, ...(isBrief && { dueAt: expiresAt, isBrief }) };
      return Object.hasOwn(tracked, buildDeliveryKey(one)) ? [] : [one];
    });
  });
}

async function move(round: DeliveryRound, before: TrackedDelivery): Promise<DeliveryStep> {
  const { now } = round;
  const keepStep = (due = Infinity): DeliveryStep => ({ before, after: before, due });
  if (isOver(before) && before.state !== 'dead') return findUntoldStep(before, now) ?? keepStep();
  const end = await findHandling(round, before);
  if (end) {
    await close(round, before, end);
    return { before, after: { ...before, state: end.as }, due: Infinity };
  }
  if (before.state === 'dead') return findUntoldStep(before, now) ?? keepStep();
  const { expiresAt = Infinity } = before;
  const hold = await findHold(round, before);
  if (hold === 'taken') return keepStep();
  if (hold === 'queued' && now < expiresAt) return keepStep(expiresAt);
  const moved = advance(before, now, computeJitterChance(before));
  if (moved === before) return keepStep(Math.min(before.dueAt, expiresAt));
  if (moved.at > before.at)
    await round.office.boxes.change(moved.chain[moved.at]!, round.channel, (mail) =>
      recordEscalation(mail, before, before.chain[0] ?? ''),
    );
  const after = { ...moved, ...(isOver(moved) && { endedAt: now }) };
  return { before, after, due: isOver(after) ? Infinity : Math.min(after.dueAt, expiresAt) };
}

/** Reports once more a given-up message whose process stopped before informing the sender. */
const findUntoldStep = (one: TrackedDelivery, now: number): DeliveryStep | undefined =>
  !isToTell(one) || now - (one.endedAt ?? 0) < TELL_MS
    ? undefined
    : { before: one, after: { ...one, endedAt: now }, due: Infinity };

async function findHandling(
  { readMail, answered }: DeliveryRound,
  { id, name, chain, at, isBrief }: TrackedDelivery,
): Promise<(Pick<Handled, 'as'> & { by: string; reason?: string | undefined }) | undefined> {
  for (const [place, by] of chain.slice(0, at + 1).entries()) {
    const mail = await readMail(by);
    if (answered.has(`${id} ${by}`)) return { by, as: 'acknowledged' };
    if (place > 0 && !Object.hasOwn(mail.passed, id)) continue;
    const handled = readHandling(mail, { id, name });
    if (handled) return { by, as: handled.as ?? 'acknowledged', reason: handled.reason };
    if (isBrief && Object.hasOwn(mail.shown, id)) return { by, as: 'acknowledged' };
  }
  return undefined;
}

/** Marks a message as handled for the others in the chain. */
async function close(
  { office, channel, now }: DeliveryRound,
  { id, name, chain, at }: TrackedDelivery,
  { by, as, reason }: NonNullable<Awaited<ReturnType<typeof findHandling>>>,
): Promise<void> {
  const how = { as, at: new Date(now).toISOString(), reason: reason ?? `${by} has acknowledged it` };
  for (const other of chain.slice(0, at + 1))
    if (other !== by) await office.boxes.change(other, channel, (mail) => handle(mail, [{ id, name }], how));
}

/** Returns `taken` if a recipient is working on it, `queued` if a running watcher will. */
async function findHold(
  { office, channel, now, messages, readMail }: DeliveryRound,
  { id, name, chain, at }: TrackedDelivery,
): Promise<'taken' | 'queued' | undefined> {
  for (const agent of chain.slice(0, at + 1)) {
    const mail = await readMail(agent);
    if (isTaken(mail, id, now, office.isAlive)) return 'taken';
    // A watcher on another machine cannot be checked, so the deadline keeps running.
    if (!mail.watcher || office.isAlive(mail.watcher) !== true) continue;
    const message =
      messages.find((one) => one.id === id) ?? (await readMessage(office.log, channel, name, office.warn));
    const groups = listAgentGroups(office.directory, agent);
    if (Object.hasOwn(mail.passed, id) || (message && wakes(agent, message, groups))) return 'queued';
  }
  return undefined;
}

/** Returns a number from 0 to 1, the same in every process. */
const computeJitterChance = ({ id, chain, at, retries }: TrackedDelivery): number =>
  parseInt(sha256(`${id} ${chain[0]} ${at} ${retries}`).slice(0, 8), 16) / 0xffff_ffff;

/** Builds the ledger for the next round: open deliveries, those not before the mark, and the last ended ones. */
function buildNextLedger(steps: DeliveryStep[], mark: string, before: string): DeliveryLedger {
  const all = steps.map(({ after }) => after);
  const isPast = (one: TrackedDelivery): boolean => isOver(one) && !isToTell(one) && one.name < mark;
  const forgets = new Set(
    all
      .filter(isPast)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, -KEPT_ENDED),
  );
  const tracked = all.filter((one) => !forgets.has(one)).map((one) => [buildDeliveryKey(one), one]);
  return {
    mark: mark > before ? mark : before,
    tracked: Object.fromEntries(tracked) as DeliveryLedger['tracked'],
  };
}
