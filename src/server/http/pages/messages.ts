// Pages of the channels with their unread counts, and of one channel as threads.
import { toOneLine } from '../../../core/base/text.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { translateNotice } from './council-notices.ts';
import { renderTime } from '../../page/page-formats.ts';
import type { ChannelMessage, ListedChannel } from '../../page/use/page-data.ts';
import { redirectToPage, respondWithPage, respondWithProblem, respondWithExplanation } from './layout.ts';
import { nameSelf } from './first-page.ts';
import { readOrder, renderList } from './rows.ts';
import type { SortKey } from './rows.ts';
import type { Site } from './site.ts';
import { renderFormToken } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/** Maximum number of messages shown per channel, and read per mailbox. */
const NEWEST = 200;

type ChannelRow = ListedChannel & { unread: number };

const SORT_KEYS: Record<string, SortKey<ChannelRow>> = {
  channel: ({ name }) => name,
  unreadMail: ({ unread }) => unread,
  at: ({ last }) => last?.time ?? '',
};

export function addMessages(site: Site): void {
  site.get('/messages', async (c, visitor) => {
    const { w } = visitor;
    const denied = visitor.may('inbox');
    if (denied) return respondWithProblem(c, visitor, denied);
    const unread = Map.groupBy(await readUnread(visitor), ({ channel }) => channel);
    const channels = await site.data.channels(visitor.caller);
    const list = {
      label: w.site.channels,
      path: '/messages',
      sortKeys: SORT_KEYS,
      rows: channels.map((one): ChannelRow => ({ ...one, unread: unread.get(one.name)?.length ?? 0 })),
      order: readOrder(c, SORT_KEYS, 'at', 'down'),
      extraHeadings: [w.site.newest],
      render: (rows: readonly ChannelRow[]) => rows.map((one) => describeChannel(one, visitor)),
    };
    return respondWithPage(c, visitor, {
      title: w.site.messages,
      at: 'messages',
      live: '',
      main: html`<h1>${w.site.messages}</h1>
        ${nameSelf(visitor) === undefined && html`<p class="beside">${w.site.noMailbox}</p>`}
        <div id="channels" data-live>
          ${channels.length === 0 ? html`<p>${w.site.noChannels}</p>` : await renderList(c, list, w)}
        </div>`,
    });
  });
  site.get('/messages/:channel', async (c, visitor) => {
    const { w } = visitor;
    const denied = visitor.may('inbox');
    if (denied) return respondWithProblem(c, visitor, denied);
    const name = c.req.param('channel') ?? '';
    const messages = await site.data.channel(name, NEWEST, visitor.caller);
    if (messages === null)
      return respondWithExplanation(c, visitor, { status: 404, code: 'not_found', says: w.site.nowhere });
    const unread = new Set((await readUnread(visitor, name)).map(({ id }) => id));
    return respondWithPage(c, visitor, {
      title: `#${name}`,
      at: 'messages',
      live: '',
      main: html`<h1><a href="/messages">${w.site.channels}</a> / #${name}</h1>
        <div id="thread" data-live>
          ${messages.length === 0 && html`<p>${w.site.noMessages}</p>`}
          ${threadMessages(messages).map((one) => renderMessageItem(one, unread, visitor))}
        </div>
        ${!visitor.may('send') && renderMessageForm(name, messages, visitor)}`,
    });
  });
  site.post('/messages/:channel', async (c, visitor, form) => {
    const channel = c.req.param('channel') ?? '';
    const [text, to] = [form.get('text') ?? '', form.get('to') ?? ''];
    const sent = await visitor.ask('send', { text, to, from: nameSelf(visitor), channel });
    return sent.failed
      ? respondWithProblem(c, visitor, sent)
      : redirectToPage(c, `/messages/${encodeURIComponent(channel)}`);
  });
}

/** Renders a form for a message to all, or to one of those who wrote in this channel. */
function renderMessageForm(
  channel: string,
  messages: readonly ChannelMessage[],
  visitor: Visitor,
): Html | null {
  const self = nameSelf(visitor);
  if (self === undefined) return null;
  const { site, seat } = visitor.w;
  const others = new Set(messages.map(({ from }) => from));
  others.delete(self);
  return html`<form method="post" action="/messages/${encodeURIComponent(channel)}">
    ${renderFormToken(visitor)}
    <label for="to">${site.recipient}</label>
    <select id="to" name="to">
      <option value="all">${site.everybody}</option>
      ${[...others].sort().map((one) => html`<option>${one}</option>`)}
    </select>
    <label for="text">${site.message}</label>
    <textarea id="text" name="text" class="few" required dir="auto"></textarea>
    <p><button class="main">${seat.send}</button></p>
  </form>`;
}

/** Returns the unread messages to the visitor, in one channel or all; none for a token that belongs to nobody. */
async function readUnread(visitor: Visitor, channel?: string): Promise<ChannelMessage[]> {
  const self = nameSelf(visitor);
  if (self === undefined) return [];
  const only = channel !== undefined && { channel };
  const done = await visitor.ask('inbox', { agent: self, unread: true, limit: NEWEST, ...only });
  return (done.document as { messages?: ChannelMessage[] }).messages ?? [];
}

const nameRecipient = (to: string, { site }: Visitor['w']): string => (to === 'all' ? site.everybody : to);

const describeChannel = ({ name, unread, last }: ChannelRow, { w }: Visitor): (string | Html)[] => [
  html`<a href="/messages/${encodeURIComponent(name)}">#${name}</a>`,
  unread === 0 ? '' : html`<strong>${unread}</strong>`,
  last === null ? '' : renderTime(last.time, w),
  last === null
    ? ''
    : html`<bdi>${last.from}</bdi> → <bdi>${nameRecipient(last.to, w)}</bdi>:
        <bdi>${toOneLine(translateNotice(last, w), 120)}</bdi>`,
];

interface ThreadMessage<M> {
  message: M;
  depth: number;
}

type ReplyLink = Pick<ChannelMessage, 'id' | 'replyTo'>;

/**
 * Orders messages as threads by their first messages, with answers below. `messages` must be oldest first; one
 * that answers itself or a later message starts a thread, so none is lost.
 */
export function threadMessages<M extends ReplyLink>(messages: readonly M[]): ThreadMessage<M>[] {
  const earlier = new Set<string>();
  const answers = Map.groupBy(messages, ({ id, replyTo }) => {
    const answered = replyTo !== null && earlier.has(replyTo) ? replyTo : null;
    earlier.add(id);
    return answered;
  });
  const walk = (answered: string | null, depth: number): ThreadMessage<M>[] => {
    const found = answers.get(answered) ?? [];
    // If two messages have the same id, answers go below the first.
    answers.delete(answered);
    return found.flatMap((message) => [{ message, depth }, ...walk(message.id, depth + 1)]);
  };
  return walk(null, 0);
}

const DEEPEST = 3;

const renderMessageItem = (
  { message, depth }: ThreadMessage<ChannelMessage>,
  unread: ReadonlySet<string>,
  { w }: Visitor,
): Html =>
  html`<article class="said level-${Math.min(depth, DEEPEST)}" id="message-${message.id}">
    <p>
      <strong><bdi>${message.from}</bdi></strong> → <bdi>${nameRecipient(message.to, w)}</bdi>,
      ${renderTime(message.time, w)}
      ${unread.has(message.id) && html`<span class="bad">${w.site.unread}</span>`}
    </p>
    <p class="raw words" dir="auto">${translateNotice(message, w)}</p>
  </article>`;
