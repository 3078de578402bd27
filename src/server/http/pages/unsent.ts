// What was sent and could not be taken: shown once more to its sender, to be copied, and what to do with it.
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { readAnswerForm, composeContribution } from '../../page/seat/answer.ts';
import type { Words } from '../../../core/base/words/words.ts';
import type { Takes } from '../connections.ts';
import { createTokenChallenge } from '../context.ts';
import type { Ctx } from '../context.ts';
import { MAX_BODY_BYTES } from '../gate.ts';
import { createBucket } from '../limits.ts';
import type { Rate } from '../limits.ts';
import { readFormFields, layout } from './layout.ts';
import { FIELD } from './visitor.ts';
import type { Visitor } from './visitor.ts';

const MIB = 1024 * 1024;
/** Bytes that are read of every form that cannot be taken: a usual answer. To render more takes many times the time of a page. */
const ALWAYS = MIB / 64;
/**
 * Bytes that are read of longer forms, for all senders together: a few of the largest at once, and no more than the server
 * reads without an effort.
 */
const LONG_FORMS: Rate = { burst: 32 * MIB, perSecond: MIB };
/** What a form says of itself, beside what was typed. */
const OWN_FIELDS = new Set([FIELD, 'do', 'sure', 'tour', 'as', 'held']);

/** A text that can be copied. The line end that a text area begins with is dropped by browsers. */
export const toCopy = (text: string, { seat }: Words): Html =>
  html`<label for="text">${seat.answer}</label>
    <p class="beside" id="text-help">${seat.lost}</p>
    <textarea id="text" rows="14" dir="auto" readonly aria-describedby="text-help">${`\n${text}`}</textarea>`;

/** Why it could not be taken. */
type Why = 401 | 403 | 429;

/** Gives a form back with what was typed, to any sender: nothing is kept here, and the memory for all of them is bounded. */
export function givingBack() {
  const long = createBucket(LONG_FORMS);
  const takes: Takes = (bytes, newest) => {
    if (bytes <= ALWAYS) return true;
    if (bytes > MAX_BODY_BYTES || long.wait() > 0) return false;
    long.take(newest);
    return true;
  };
  return async (c: Ctx, visitor: Visitor, status: Why): Promise<Response> => {
    const form = await readFormFields(c, takes);
    const isRead = !(form instanceof Response);
    const text = isRead ? collectTypedText(form) : form.status === 413 ? null : '';
    const answer = unsentPage(c, visitor, { status, text });
    if (status === 401)
      for (const [name, value] of Object.entries(createTokenChallenge())) answer.headers.set(name, value);
    if (!isRead) answer.headers.set('Connection', 'close');
    return answer;
  };
}

/** Nothing is done; `text` is what was sent, null for what is too long to be given back. */
export function unsentPage(
  c: Ctx,
  visitor: Visitor,
  { status, text }: { status: Why; text: string | null },
): Response {
  const { site } = visitor.w;
  const isOut = status === 401;
  const isThere = text !== null && text.trim() !== '';
  c.set('reason', { 401: 'unauthorized', 403: 'forbidden', 429: 'too_many_requests' }[status]);
  if (status === 429) c.header('Retry-After', '1');
  const from = /^\/(?:start|councils\/[^/]+\/seat)$/.test(c.req.path) ? readRequestPath(c) : '/';
  const why = { 401: site.signedOut, 403: site.oldForm, 429: site.tooMuch }[status];
  return layout(c, visitor, {
    title: site.notDone,
    status,
    main: html`<h1>${site.notDone}</h1>
      <p class="warning" role="alert">
        ${why} ${text === null ? site.tooLongToReturn : isThere && site.copyBelow}
      </p>
      ${isThere && toCopy(text, visitor.w)}
      <p>
        ${
          isOut
            ? html`<a href="/join?to=${encodeURIComponent(from)}">${site.joinAgain}</a>`
            : html`<a href="${from}">${site.openAnew}</a>`
        }
      </p>
      ${isOut && html`<p class="beside">${site.newCode}</p>`}`,
  });
}

/** What was typed in a form: an answer as it would have been recorded, else its fields, a paragraph each. */
export function collectTypedText(form: URLSearchParams): string {
  if (form.has('text')) return composeContribution(readAnswerForm(form));
  return [...form]
    .filter(([name, value]) => !OWN_FIELDS.has(name) && value.trim() !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n\n');
}

function readRequestPath(c: Ctx): string {
  const { pathname, search } = new URL(c.req.url);
  return `${pathname}${search}`;
}
