// Returns text that could not be accepted to its sender, to be copied, and explains what to do.
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { readAnswerForm, composeContribution } from '../../page/seat/answer.ts';
import type { PageWords } from '../../page/words.ts';
import type { BodyLimit } from '../connections.ts';
import { createTokenChallenge } from '../context.ts';
import type { Ctx } from '../context.ts';
import { MAX_BODY_BYTES } from '../gate.ts';
import { createBucket } from '../limits.ts';
import type { Rate } from '../limits.ts';
import { readFormFields, respondWithPage } from './layout.ts';
import { FIELD } from './visitor.ts';
import type { Visitor } from './visitor.ts';

const MIB = 1024 * 1024;
/** Bytes of any rejected form that are read, enough for a usual answer. More would be slow to render. */
const ALWAYS = MIB / 64;
/** Bytes of longer forms, for all senders together: a few of the largest at once, and a low rate. */
const LONG_FORMS: Rate = { burst: 32 * MIB, perSecond: MIB };
/** Fields of a form that were not typed. */
const OWN_FIELDS = new Set([FIELD, 'do', 'sure', 'tour', 'as', 'held']);

/** Renders a text to be copied. Browsers drop the line end at the start of a text area. */
export const toCopy = (text: string, { seat }: PageWords): Html =>
  html`<label for="text">${seat.answer}</label>
    <p class="beside" id="text-help">${seat.lost}</p>
    <textarea id="text" rows="14" dir="auto" readonly aria-describedby="text-help">${`\n${text}`}</textarea>`;

/** The status of the refusal. */
type UnsentStatus = 401 | 403 | 429;

/** Returns a form to any sender with the typed text: nothing is stored, and total memory is bounded. */
export function createFormReturner() {
  const long = createBucket(LONG_FORMS);
  const acceptsBody: BodyLimit = (bytes, newest) => {
    if (bytes <= ALWAYS) return true;
    if (bytes > MAX_BODY_BYTES || long.wait() > 0) return false;
    long.take(newest);
    return true;
  };
  return async (c: Ctx, visitor: Visitor, status: UnsentStatus): Promise<Response> => {
    const form = await readFormFields(c, acceptsBody);
    const isRead = !(form instanceof Response);
    const text = isRead ? collectTypedText(form) : form.status === 413 ? null : '';
    const answer = respondWithUnsentText(c, visitor, { status, text });
    if (status === 401)
      for (const [name, value] of Object.entries(createTokenChallenge())) answer.headers.set(name, value);
    if (!isRead) answer.headers.set('Connection', 'close');
    return answer;
  };
}

/** Answers that nothing was done; `text` is what was sent, null if it is too long to return. */
export function respondWithUnsentText(
  c: Ctx,
  visitor: Visitor,
  { status, text }: { status: UnsentStatus; text: string | null },
): Response {
  const { site } = visitor.w;
  const isOut = status === 401;
  const isThere = text !== null && text.trim() !== '';
  c.set('reason', { 401: 'unauthorized', 403: 'forbidden', 429: 'too_many_requests' }[status]);
  if (status === 429) c.header('Retry-After', '1');
  const from = /^\/(?:start|councils\/[^/]+\/seat)$/.test(c.req.path) ? readRequestPath(c) : '/';
  const why = { 401: site.signedOut, 403: site.oldForm, 429: site.tooMuch }[status];
  return respondWithPage(c, visitor, {
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

/** Collects the typed text of a form: an answer as it would be recorded, or else one paragraph per field. */
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
