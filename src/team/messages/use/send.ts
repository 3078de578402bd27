// Use case `send`: adds a message to a channel.
import { CouncilError } from '../../../core/base/errors.ts';
import { isId, requireId } from '../../../core/base/ids.ts';
import { READ_LIMITS } from '../../../core/base/limits.ts';
import { decodeText } from '../../../core/base/text.ts';
import {
  ALL,
  isFor,
  isWellKnown,
  PERSON,
  listAgentGroups,
  isGroup,
  listRecipientNames,
  SPEAKERS,
} from '../addressing.ts';
import { GENERAL, isOfCouncil, listAnsweredIds, readMessages, cutSecondPrefix } from '../channel.ts';
import type { Draft, Posted } from '../channel.ts';
import type { Directory } from '../addressing.ts';
import { findMessage, findOneMessage, findMessages } from '../find-message.ts';
import type { MessageService } from '../message-service.ts';
import { makeRound } from '../delivery-round.ts';
import { findThreadPosition } from '../policy.ts';
import { isRemote, createInterruptedError } from '../../../core/app/app.ts';
import type { App, Result } from '../../../core/app/app.ts';
import { readGivenFile } from '../../../core/app/given-file.ts';
import type { SendInput } from '../../input/messages.ts';
import { loadAgents, openWorkspace } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { toMessageDocument } from './show-message.ts';
import type { MessageDocument } from './show-message.ts';
import { lookUntilFound } from './channel.ts';
import { openOffice, makeRounds } from './open-office.ts';
import { repeatWhenDue } from '../../../core/heartbeat/launch/rest.ts';

/** The message sent; with `wait` also the answer. */
interface SendDocument {
  message: MessageDocument;
  answer?: MessageDocument;
}

/** Adds a message; durable when it resolves. With `wait`, throws like `awaitAnswer`. */
export async function send(app: App, input: SendInput): Promise<Result<SendDocument>> {
  if (input.timeout !== undefined && !input.wait)
    throw new CouncilError('usage', 'A timeout is for a message whose answer is waited for.', {
      hint: 'For example: council send codex-1 "Is it green?" --wait --timeout 5m',
    });
  const workspace = openWorkspace(app);
  const from = requireSender(input.from);
  const office = await openOffice(app, workspace);
  const { to, text } = await resolveRecipientAndText(app, workspace, office.directory, input);
  const { channel = GENERAL, priority, ttl, replyTo, artifacts, wait, timeout } = input;
  const kind = input.type ?? (wait ? 'request' : 'chat');
  const answered = replyTo === undefined ? undefined : await findOneMessage(office, replyTo);
  if (replyTo !== undefined && !answered)
    throw new CouncilError('failed', `There is no message ${replyTo} to answer.`, {
      hint: `See: council channel show ${channel}`,
    });
  const draft: Draft = {
    from,
    to,
    channel,
    kind,
    body: text,
    ...(priority !== 'normal' && { priority }),
    ...(ttl !== undefined && { ttl: ttl / 1000 }),
    ...(answered && { replyTo: answered.id }),
    ...(input.code !== undefined && { code: readMessageCode(app, input.code) }),
    ...(artifacts.length > 0 && { artifacts }),
    mode: 'chat',
    turn: from,
    ...(await continueTurnThread(app, office, answered)),
  };
  const message = await office.post(draft);
  // In other channels, the next round finds it.
  if (isOfCouncil(channel)) await makeRound(office, channel, { keep: true });
  if (answered && isFor(from, answered, listAgentGroups(office.directory, from)))
    await office.record('answered', answered, { agent: from });
  const document = { message: toMessageDocument(message) };
  if (!wait) return { document };
  const answer = await awaitAnswer(office, message, { timeout, signal: app.interruption() });
  return { document: { ...document, answer: toMessageDocument(answer) } };
}

/**
 * A message that a program sends while answering another continues that conversation, one hop further, so that
 * two agents
 * writing to each other stop, too. All its messages from a council or a task are in one conversation.
 */
async function continueTurnThread(
  { turn }: Pick<App, 'turn'>,
  office: MessageService,
  answered: Posted | undefined,
): Promise<Partial<Draft>> {
  if (turn && turn.work.kind !== 'message') return answered ? {} : { extra: { 'metadata.thread': turn.id } };
  const asked = turn?.work.kind === 'message' ? await findMessage(office, turn.work.message) : undefined;
  if (!asked) return {};
  const { thread, hops } = findThreadPosition(asked, undefined);
  const other = answered ? findThreadPosition(answered, undefined).hops : 0;
  return { depth: Math.max(hops, other) + 1, extra: { 'metadata.thread': thread } };
}

/** Names of council itself and of groups. No sender may use them. */
const NOBODYS = [...SPEAKERS, ...ALL];

/** Returns the sender: a person by default. Throws `forbidden` for a name that no sender may use. */
export function requireSender(given: string | undefined): string {
  if (given !== undefined && NOBODYS.includes(given))
    throw new CouncilError('forbidden', `Nobody speaks as ${given}: that is what council itself is called.`, {
      hint: 'Give the id of an agent (council agents), or leave it out to speak as human.',
    });
  return given ?? PERSON;
}

/** Returns the recipient, which may be the first word, and the text. Throws `unknown_agent`, `usage`. */
async function resolveRecipientAndText(
  app: App,
  workspace: Workspace,
  directory: Directory,
  { to: named, text: given }: SendInput,
): Promise<{ to: string; text: string }> {
  const [, first = '', rest = ''] = /^\s*@?(\S+?)[,:]?(?:\s([^]*))?$/.exec(given) ?? [];
  const to = named ?? first;
  const text = named === undefined ? rest : given;
  const isKnown = isWellKnown(to) || isGroup(directory, to);
  if (!isKnown && !(isId(to) && (await loadAgents(app, workspace)).find(to))) {
    const where = named === undefined ? 'The first word is the recipient, and nobody' : 'Nobody';
    throw new CouncilError('unknown_agent', `${where} is called ${JSON.stringify(to.slice(0, 80))} here.`, {
      hint: `Recipients: ${listRecipientNames(directory).join(', ')}. For example: council send human "Please look"`,
    });
  }
  if (text.trim() === '')
    throw new CouncilError('usage', `The message to ${to} has no text.`, {
      hint: 'For example: council send codex-1 "Please review this"',
    });
  if (isGroup(directory, to)) return { to, text };
  return { to: ALL.includes(to) ? 'all' : requireId(to, 'agent'), text };
}

function readMessageCode(app: App, given: string): string {
  // A remote caller may not name files of this machine.
  if (isRemote(app) || !given.startsWith('@')) return given;
  return decodeText(readGivenFile(app.cwd, given.slice(1), READ_LIMITS.message), given.slice(1));
}

/** Refused, or given up. */
const NO_ANSWER = ['nack', 'error'];
/** Receipts, progress, announcements and questions are not the answer yet. */
const NOT_YET = ['ack', 'heartbeat', 'update', 'event', 'broadcast', 'request', 'clarify'];
/** Maximum number of messages between an answer and its request. */
const LONGEST_CHAIN = 20;

/** Resolves to the first answer; makes rounds meanwhile. Throws `timed_out`, `interrupted`, `failed` if refused. */
async function awaitAnswer(
  office: MessageService,
  message: Posted,
  { timeout, signal }: { timeout: number | undefined; signal: AbortSignal },
): Promise<Posted> {
  const { id, from, channel } = message;
  const late = timeout === undefined ? [] : [AbortSignal.timeout(timeout)];
  const answer = await awaitStoredAnswer(office, message, AbortSignal.any([signal, ...late]));
  if (!answer) {
    if (signal.aborted) throw createInterruptedError(`council sent --from ${from}`);
    throw new CouncilError('timed_out', `Nobody has answered ${id} in time.`, {
      hint: `It goes on without you. See: council sent --from ${from}, council channel show ${channel}`,
      details: { id },
    });
  }
  if (!NO_ANSWER.includes(answer.kind)) return answer;
  throw new CouncilError('failed', `${answer.from} gave no answer to ${id}: ${answer.body ?? ''}`, {
    hint: `See: council sent --from ${from}`,
    details: { id },
  });
}

/** True if a message answers another, directly or through others: the agent asked may have passed it on. */
async function isAnswerToMessage(office: MessageService, message: Posted, id: string): Promise<boolean> {
  const seen = new Set<string>();
  let ids = listAnsweredIds(message);
  while (ids.length > 0 && seen.size < LONGEST_CHAIN) {
    if (ids.includes(id)) return true;
    const before: string[] = [];
    for (const one of ids.filter((it) => !seen.has(it))) {
      seen.add(one);
      for (const found of await findMessages(office, one)) before.push(...listAnsweredIds(found));
    }
    ids = before;
  }
  return false;
}

async function awaitStoredAnswer(
  office: MessageService,
  message: Posted,
  end: AbortSignal,
): Promise<Posted | undefined> {
  const { id, from, name, channel } = message;
  const is = (one: Posted): boolean => one.from !== from && one.to === from && !NOT_YET.includes(one.kind);
  const look = async (): Promise<Posted | undefined> => {
    const span = { from: cutSecondPrefix(name), limit: Infinity };
    for (const one of (await readMessages(office.log, channel, span, office.warn)).filter(is))
      if (await isAnswerToMessage(office, one, id)) return one;
    return undefined;
  };
  const finished = new AbortController();
  const rounds = repeatWhenDue(() => makeRounds(office, [channel]), AbortSignal.any([end, finished.signal]));
  try {
    return await lookUntilFound((wake) => office.log.watch(channel, wake), look, end);
  } finally {
    finished.abort();
    await rounds;
  }
}
