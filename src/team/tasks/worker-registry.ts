// Registration of workers: their ids and capabilities, heartbeats and expiry. Pure.
import type { Message } from '../messages/message.ts';
import { negotiate } from '../messages/codecs/line-agreement.ts';
import { isHeartbeatDue, isHeartbeatMissed, LIMITS } from '../messages/policy.ts';
import {
  replaceMember,
  markMemberGone,
  answerMemberQuery,
  getDataList,
  findFreeId,
  getDataNumber,
  getJoinedDataText,
} from './registry-members.ts';
import type { Member, Registry } from './registry-members.ts';
import type { WireError } from '../messages/codecs/codec-types.ts';
import { asValue, ENDS } from './wire-lines.ts';

/** What is known of the sender besides the message. */
export interface Speaker {
  agent: string | null;
  lifecycle: Member['lifecycle'] | null;
  /** Milliseconds. */
  ttl: number | null;
}

/** An answer of the orchestrator, and the version to encode it in. */
export interface RegistryAnswer {
  message: Message;
  version: Member['version'];
}

export interface RegistryUpdate {
  registry: Registry;
  answers: RegistryAnswer[];
}

const CODES = {
  taken: { v4: 'E11', v5: 'E41' },
  unknown: { v4: 'E08', v5: 'E41' },
  full: { v4: 'E07', v5: 'E32' },
  version: { v4: 'E12', v5: 'E90' },
  silent: { v4: 'E22', v5: 'E22' },
  range: { v4: 'E04', v5: 'E10' },
} as const;

/** Handles a worker's message and answers it. Kinds other than J, L, K, Q and H change nothing. */
export function hearWorker(
  registry: Registry,
  message: Message,
  speaker: Speaker,
  now: number,
): RegistryUpdate {
  // After the last number, counting starts again.
  const last = registry.messages >= ENDS.message ? 0 : registry.messages;
  const heard = { ...registry, messages: Math.max(last, parseMessageNumber(message.id)) };
  switch (message.kind) {
    case 'join':
      return join(heard, message, speaker, now);
    case 'leave':
      return changeActiveMember(heard, message, (member) => [
        markMemberGone(member),
        `unregistered;id=${member.id}`,
      ]);
    case 'caps':
      return changeActiveMember(heard, message, (member) => [
        { ...member, capabilities: getDataList(message, 'caps'), seen: now },
        `updated;id=${member.id}`,
      ]);
    case 'heartbeat':
      return changeActiveMember(heard, message, (member) => [
        recordHeartbeat(member, message, now),
        undefined,
      ]);
    case 'query':
      return addRegistryAnswer(
        heard,
        message,
        { kind: 'response', state: 'D', body: answerMemberQuery(heard, message) },
        'v5',
      );
    default:
      return { registry: heard, answers: [] };
  }
}

/** Answers a line that cannot be decoded. */
export const refuseUnreadableLine = (
  registry: Registry,
  sender: string,
  { code, segment, expected }: WireError,
): RegistryUpdate =>
  addRegistryAnswer(
    registry,
    { id: '', kind: 'error', from: sender, to: 'O1', depth: 0 },
    { kind: 'error', error: code, body: `seg=${segment};expected=${asValue(expected)}` },
    'v5',
  );

/** Removes workers that missed three heartbeats, and temporary ones whose time is over. */
export function expireMembers(registry: Registry, now: number): RegistryUpdate {
  let heard: RegistryUpdate = { registry, answers: [] };
  for (const member of registry.members) {
    if (member.status === 'gone') continue;
    const isOver = member.until !== null && now >= member.until;
    if (!isOver && !isHeartbeatMissed(member.seen, now)) continue;
    const left = replaceMember(heard.registry, member.id, markMemberGone(member));
    if (isOver) heard = { ...heard, registry: left };
    else {
      const lost = { id: '', kind: 'query', from: member.id, to: 'O1', task: 'T0', context: 'S0' };
      const told = refuseWorker(left, lost, 'silent', 'no heartbeat;missed=3', member.version);
      heard = { registry: told.registry, answers: [...heard.answers, ...told.answers] };
    }
  }
  return heard;
}

/** Assigns the id that a worker proposes if it is free; else reports the collision, and assigns another one. */
function join(registry: Registry, message: Message, speaker: Speaker, now: number): RegistryUpdate {
  const { version, answer = '' } = negotiateLineVersion(message) ?? {};
  if (version === undefined) return refuseWorker(registry, message, 'version', 'supported=V5,V4', 'v5');
  if (!isDepth(message)) return refuseWorker(registry, message, 'range', 'max_depth must be 0 to 5', version);
  const holder = registry.members.find(({ id }) => id === message.from);
  const isOwn = speaker.agent !== null && holder?.agent === speaker.agent;
  const isFree =
    holder === undefined || (holder.status === 'gone' && (holder.agent ?? speaker.agent) === speaker.agent);
  if (isOwn || isFree)
    return addMember(registry, message, speaker, { id: String(message.from), version, answer, now });
  const id = findFreeId(registry);
  if (id === undefined) return refuseWorker(registry, message, 'full', 'no id is free', version);
  const told = refuseWorker(registry, message, 'taken', `${String(message.from)} is taken;id=${id}`, version);
  const then = addMember(told.registry, message, speaker, { id, version, answer, now });
  return { registry: then.registry, answers: [...told.answers, ...then.answers] };
}

function addMember(
  registry: Registry,
  message: Message,
  { agent, lifecycle, ttl }: Speaker,
  { id, version, answer, now }: { id: string; version: Member['version']; answer: string; now: number },
): RegistryUpdate {
  const before = registry.members.find((one) => one.id === id);
  const seconds = getDataNumber(message, 'ttl');
  const life = ttl ?? (seconds === null ? null : seconds * 1000);
  const member: Member = {
    id,
    agent: agent ?? before?.agent ?? null,
    capabilities: getDataList(message, 'caps'),
    description: getJoinedDataText(message, 'desc'),
    maxDepth: getDataNumber(message, 'max_depth'),
    version,
    lifecycle:
      lifecycle ?? (getJoinedDataText(message, 'lifecycle') === 'permanent' ? 'permanent' : 'temporary'),
    until: life === null ? null : now + life,
    status: 'active',
    joined: before?.joined ?? now,
    seen: now,
    heartbeat: null,
    load: null,
    queue: null,
    joins: (before?.joins ?? 0) + 1,
    heartbeats: before?.heartbeats ?? 0,
  };
  const body = [
    `registered;id=${id}`,
    ...(message.state === undefined ? [] : ['status=active']),
    ...(version === 'v4' ? [answer] : []),
  ].join(';');
  const state = message.state === undefined ? {} : { state: 'D' as const };
  return addRegistryAnswer(
    replaceMember(registry, id, member),
    message,
    { kind: 'ack', to: id, body, ...state },
    version,
  );
}

/** Negotiates the version of a J. Without an offer it is V5, which introduced J. Undefined if there is none. */
function negotiateLineVersion(message: Message): { version: Member['version']; answer: string } | undefined {
  const offer = getJoinedDataText(message, 'version') === '' ? 'version=V5' : (message.body ?? '');
  const agreed = negotiate(offer, ['v5', 'v4']);
  if (agreed === undefined) return undefined;
  const { version, answer } = agreed;
  return version === 'v4' || version === 'v5' ? { version, answer } : undefined;
}

function isDepth(message: Message): boolean {
  const told = getJoinedDataText(message, 'max_depth');
  const depth = getDataNumber(message, 'max_depth');
  return told === ''
    ? !('max_depth' in (message.data ?? {}))
    : depth !== null && depth <= LIMITS.deepest && !told.endsWith('%');
}

/** Handles a message of a joined worker; `change` returns the new member, and the DATA of an answer, if any. */
function changeActiveMember(
  registry: Registry,
  message: Message,
  change: (member: Member) => [Member | undefined, string | undefined],
): RegistryUpdate {
  const member = registry.members.find(({ id, status }) => id === message.from && status === 'active');
  if (!member)
    return refuseWorker(registry, message, 'unknown', `${String(message.from)} has not joined`, 'v5');
  const [after, body] = change(member);
  const next = replaceMember(registry, member.id, after);
  return body === undefined
    ? { registry: next, answers: [] }
    : addRegistryAnswer(next, message, { kind: 'ack', body }, member.version);
}

/** Ignores heartbeats that come more often than every half minute. */
function recordHeartbeat(member: Member, message: Message, now: number): Member {
  if (!isHeartbeatDue(member.heartbeat ?? undefined, now)) return member;
  const load = getDataNumber(message, 'load') ?? member.load;
  const queue = getDataNumber(message, 'queue') ?? member.queue;
  return { ...member, load, queue, heartbeat: now, seen: now, heartbeats: member.heartbeats + 1 };
}

const refuseWorker = (
  registry: Registry,
  message: Message,
  why: keyof typeof CODES,
  desc: string,
  version: Member['version'],
): RegistryUpdate =>
  addRegistryAnswer(
    registry,
    message,
    { kind: 'error', error: CODES[why][version], body: `desc=${desc}` },
    version,
  );

function addRegistryAnswer(
  registry: Registry,
  { from, to, task, priority, depth, context }: Message,
  answer: Pick<Message, 'kind'> & Partial<Message>,
  version: Member['version'],
): RegistryUpdate {
  const messages = registry.messages >= ENDS.message ? 1 : registry.messages + 1;
  const kept = Object.entries({ task, priority, depth, context }).filter(([, value]) => value !== undefined);
  const message: Message = {
    id: `M${messages}`,
    ...(to !== undefined && { from: to }),
    ...(from !== undefined && { to: from }),
    ...(Object.fromEntries(kept) as Partial<Message>),
    ...answer,
  };
  return { registry: { ...registry, messages }, answers: [{ message, version }] };
}

const parseMessageNumber = (id: string): number => Number(/^M(\d{1,4})$/.exec(id)?.[1] ?? 0);
