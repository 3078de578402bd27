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
import { GENERAL, isOfCouncil } from '../channel.ts';
import type { Draft, Posted } from '../channel.ts';
import type { Directory } from '../addressing.ts';
import { findMessage, findOneMessage } from '../find-message.ts';
import type { Office } from '../message-service.ts';
import { makeRound } from '../delivery-round.ts';
import { findThreadPosition } from '../watch-rules.ts';
import { isRemote } from '../../../core/app/app.ts';
import type { App, Result } from '../../../core/app/app.ts';
import { readGivenFile } from '../../../core/app/given-file.ts';
import type { SendInput } from '../../input/messages.ts';
import { loadAgents, openWorkspace } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { messageDocument } from './show-message.ts';
import type { MessageDocument } from './show-message.ts';
import { openOffice } from './open-office.ts';

/** With `wait` also what came back. */
export interface SendDocument {
  message: MessageDocument;
  answer?: MessageDocument;
}

/** Adds a message; durable when it resolves. Throws like `awaitAnswer` where one is waited for. */
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
    ...(await withinTurn(app, office, answered)),
  };
  const message = await office.post(draft);
  // Elsewhere the next round finds it.
  if (isOfCouncil(channel)) await makeRound(office, channel, { keep: true });
  if (answered && isFor(from, answered, listAgentGroups(office.directory, from)))
    await office.record('answered', answered, { agent: from });
  const document = { message: messageDocument(message) };
  if (!wait) return { document };
  const { awaitAnswer } = await import('./await-answer.ts');
  const answer = await awaitAnswer(office, message, { timeout, signal: app.interruption() });
  return { document: { ...document, answer: messageDocument(answer) } };
}

/**
 * What a program sends while it answers a message goes on in that conversation, one hop further: two agents that write to
 * each other so come to an end like those that only answer. What it sends from a council or a task begins one conversation.
 */
async function withinTurn(
  { turn }: Pick<App, 'turn'>,
  office: Office,
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

/** Who speaks: a person, unless a name is given. Throws `forbidden` for a name that no sender may use. */
export function requireSender(given: string | undefined): string {
  if (given !== undefined && NOBODYS.includes(given))
    throw new CouncilError('forbidden', `Nobody speaks as ${given}: that is what council itself is called.`, {
      hint: 'Give the id of an agent (council agents), or leave it out to speak as human.',
    });
  return given ?? PERSON;
}

/** The recipient, which may be the first word, and the text. Throws `unknown_agent`, `usage`. */
async function resolveRecipientAndText(
  app: App,
  workspace: Workspace,
  directory: Directory,
  { to: named, text: given }: SendInput,
): Promise<{ to: string; text: string }> {
  const [, first = '', rest = ''] = /^\s*(\S+)\s?([^]*)$/.exec(given) ?? [];
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
  // Who does not sit here names no file of this machine.
  if (isRemote(app) || !given.startsWith('@')) return given;
  return decodeText(readGivenFile(app.cwd, given.slice(1), READ_LIMITS.message), given.slice(1));
}
