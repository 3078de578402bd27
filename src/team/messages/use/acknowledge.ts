// Use cases `ack` and `nack`: a recipient handles messages, or refuses them.
import { CouncilError } from '../../../core/base/errors.ts';
import { isFor, listAgentGroups } from '../addressing.ts';
import type { Posted } from '../channel.ts';
import { handle, handledAs } from '../mailbox.ts';
import type { Handled } from '../mailbox.ts';
import { findOneMessage } from '../find-message.ts';
import type { Office } from '../message-service.ts';
import type { App, Result } from '../../../core/app/app.ts';
import type { AckInput, NackInput } from '../../input/messages.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { requireSender } from './send.ts';
import { openOffice } from './open-office.ts';

export interface AnswerDocument {
  as: string;
  messages: { id: string; channel: string; state: Handled['as']; changed: boolean }[];
}

/** Acknowledges messages for one recipient. The same again changes nothing. */
export const ack = (app: App, input: AckInput): Promise<Result<AnswerDocument>> => answer(app, input);

/** Refuses messages for one recipient; their senders are told why. */
export const nack = (app: App, input: NackInput): Promise<Result<AnswerDocument>> =>
  answer(app, input, input.reason);

async function answer(
  app: App,
  { ids, as: given }: AckInput,
  reason?: string,
): Promise<Result<AnswerDocument>> {
  const office = await openOffice(app, openWorkspace(app));
  const as = requireSender(given);
  const messages = await Promise.all([...new Set(ids)].map((id) => requireReceivedMessage(office, as, id)));
  const how: Handled = {
    as: reason === undefined ? 'acknowledged' : 'refused',
    at: new Date(office.clock.now()).toISOString(),
    ...(reason !== undefined && { reason }),
  };
  const done: AnswerDocument['messages'] = [];
  for (const channel of new Set(messages.map((one) => one.channel)))
    done.push(
      ...(await inChannel(
        office,
        as,
        messages.filter((one) => one.channel === channel),
        how,
      )),
    );
  return { document: { as, messages: done } };
}

async function inChannel(
  { boxes, post, record }: Office,
  as: string,
  messages: Posted[],
  how: Handled,
): Promise<AnswerDocument['messages']> {
  const channel = messages[0]?.channel ?? '';
  let before = await boxes.read(as, channel);
  // Tell the sender first: if interrupted here, it is told twice rather than never.
  if (how.as === 'refused')
    for (const message of messages)
      if (!handledAs(before, message)) await post(buildNackDraft(as, message, how.reason ?? ''));
  await boxes.change(as, channel, (mail) => handle((before = mail), messages, how));
  const { as: event, reason } = how;
  for (const message of messages)
    if (!handledAs(before, message)) await record(event, message, { agent: as, ...(reason && { reason }) });
  return messages.map((message) => {
    const earlier = handledAs(before, message);
    return { id: message.id, channel, state: earlier?.as ?? how.as, changed: !earlier };
  });
}

const buildNackDraft = (as: string, { id, from, channel }: Posted, reason: string) => ({
  from: as,
  to: from,
  channel,
  kind: 'nack',
  body: reason,
  replyTo: id,
});

async function requireReceivedMessage(office: Office, as: string, id: string): Promise<Posted> {
  const groups = listAgentGroups(office.directory, as);
  // What was put there by hand can be named otherwise than its id says.
  const own = await findOneMessage(office, id, { is: (one) => isFor(as, one, groups), anywhere: true });
  if (own) return own;
  const found = await findOneMessage(office, id, { anywhere: true });
  if (found && Object.hasOwn((await office.boxes.read(as, found.channel)).passed, found.id)) return found;
  throw new CouncilError(
    'failed',
    found ? `The message ${id} is not for ${as}.` : `There is no message ${id}.`,
    {
      hint: `See: council inbox ${as}`,
    },
  );
}
