// What was sent and could not be taken: shown once more to whoever sent it, to be copied, and what to do with it.
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { answerIn, contributionOf } from '../../page/seat/answer.ts';
import type { Words } from '../../base/words/words.ts';
import { challenge } from '../context.ts';
import type { Ctx } from '../context.ts';
import { FIELD, formIn } from './forms.ts';
import { layout } from './layout.ts';
import type { Visitor } from './visitor.ts';

/** Bytes that are read of a form of nobody who is known: a long answer, and no more. */
const LONGEST_OF_STRANGERS = 256 * 1024;
/** What a form says of itself, beside what somebody has typed. */
const OWN_FIELDS = new Set([FIELD, 'do', 'sure', 'tour', 'as']);

/** A text that can be copied. The line end that a text area begins with is dropped by browsers. */
export const toCopy = (text: string, { seat }: Words): Html =>
  html`<label for="text">${seat.answer}</label>
    <p class="beside" id="text-help">${seat.lost}</p>
    <textarea id="text" rows="14" readonly aria-describedby="text-help">${`\n${text}`}</textarea>`;

/** Whoever is not signed in any more gets back what they have sent: nothing of it is kept here. */
export async function signedOutPage(c: Ctx, visitor: Visitor): Promise<Response> {
  const form = await formIn(c, LONGEST_OF_STRANGERS);
  const text = form instanceof Response ? '' : typedIn(form.fields);
  const answer = unsentPage(c, visitor, { status: 401, text });
  for (const [name, value] of Object.entries(challenge())) answer.headers.set(name, value);
  if (form instanceof Response) answer.headers.set('Connection', 'close');
  return answer;
}

/** Nothing is done; `text` is what was sent. */
export function unsentPage(
  c: Ctx,
  visitor: Visitor,
  { status, text }: { status: 401 | 403; text: string },
): Response {
  const { site } = visitor.w;
  const isOut = status === 401;
  c.set('reason', isOut ? 'unauthorized' : 'forbidden');
  const from = /^\/(?:start|councils\/[^/]+\/seat)$/.test(c.req.path) ? pathOf(c) : '/';
  return layout(c, visitor, {
    title: site.notDone,
    status,
    main: html`<h1>${site.notDone}</h1>
      <p class="warning" role="alert">${isOut ? site.signedOut : site.oldForm}</p>
      ${text.trim() !== '' && toCopy(text, visitor.w)}
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

/** What somebody has typed in a form: an answer as it would have been recorded, else its fields, a paragraph each. */
export function typedIn(form: URLSearchParams): string {
  if (form.has('text')) return contributionOf(answerIn(form));
  return [...form]
    .filter(([name, value]) => !OWN_FIELDS.has(name) && value.trim() !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n\n');
}

function pathOf(c: Ctx): string {
  const { pathname, search } = new URL(c.req.url);
  return `${pathname}${search}`;
}
