// The messages to the visitor and from them, by channel: answers stand below what they answer.
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { time } from '../../page/show.ts';
import { problemPage, sorryPage, layout } from './layout.ts';
import { nameSelf } from './needs.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';

/** A message, as the call `inbox` has it. */
interface Message {
  id: string;
  time: string;
  from: string;
  to: string;
  channel: string;
  text: string;
  replyTo: string | null;
  unread?: boolean;
}

const NEWEST = 200;

export function addMessages(site: Site): void {
  site.get('/messages', async (c, visitor) => {
    const { w } = visitor;
    const self = nameSelf(visitor);
    if (self === undefined)
      return sorryPage(c, visitor, { status: 403, code: 'forbidden', says: w.site.noMailbox });
    const done = await visitor.ask('inbox', { agent: self, limit: NEWEST });
    const { messages } = done.document as { messages?: Message[] };
    if (!messages) return problemPage(c, visitor, done);
    const channels = [...Map.groupBy(messages, ({ channel }) => channel)];
    const asked = c.req.query('channel');
    const [channel, shown] = channels.find(([name]) => name === asked) ?? channels.at(-1) ?? ['', []];
    return layout(c, visitor, {
      title: channel === '' ? w.site.messages : `#${channel}`,
      at: 'messages',
      main: html`<h1>${w.site.messages}</h1>
        ${channels.length === 0 && html`<p>${w.site.noMessages}</p>`}
        <nav aria-label="${w.site.channels}">
          <ul>
            ${channels.map(([name, all]) => channelLink(name, all, name === channel, visitor))}
          </ul>
        </nav>
        ${threadMessages(shown).map((one) => messageItem(one, visitor))}`,
    });
  });
}

function channelLink(name: string, all: readonly Message[], isHere: boolean, { w }: Visitor): Html {
  const unread = all.filter((one) => one.unread).length;
  return html`<li>
    <a href="/messages?channel=${encodeURIComponent(name)}" ${isHere && html`aria-current="page"`}
      >#${name}</a
    >
    ${unread > 0 && html`<span class="beside">${fill(w.site.unreadCount, { count: unread })}</span>`}
  </li>`;
}

/** A message, and how deep it stands below the one that began the thread. */
interface ThreadMessage {
  message: Message;
  depth: number;
}

/** Threads in the order of their first messages, the answers below what they answer. */
export function threadMessages(messages: readonly Message[]): ThreadMessage[] {
  const known = new Set(messages.map(({ id }) => id));
  const isFirst = ({ replyTo }: Message): boolean => replyTo === null || !known.has(replyTo);
  const answers = Map.groupBy(messages, ({ replyTo }) => replyTo);
  const walk = (message: Message, depth: number): ThreadMessage[] => [
    { message, depth },
    ...(answers.get(message.id) ?? []).flatMap((one) => walk(one, depth + 1)),
  ];
  return messages.filter(isFirst).flatMap((one) => walk(one, 0));
}

const DEEPEST = 3;

const messageItem = ({ message, depth }: ThreadMessage, { w }: Visitor): Html =>
  html`<article class="said level-${Math.min(depth, DEEPEST)}">
    <p>
      <strong>${message.from}</strong> → ${message.to}, ${time(message.time, w)}
      ${message.unread === true && html`<span class="bad">${w.site.unread}</span>`}
    </p>
    <p class="raw words" dir="auto">${message.text}</p>
  </article>`;
