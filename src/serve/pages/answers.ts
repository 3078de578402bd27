// Answers that are no page of their own: going on to another one, and saying what went wrong.
import { html } from '../../page/html.ts';
import type { Done } from '../../app/remote/perform.ts';
import type { Ctx, Refusal } from '../context.ts';
import { problemOf } from '../problem.ts';
import { layout } from './layout.ts';
import type { Visitor } from './visitor.ts';

/** After what was sent: the next page is asked for anew, so that nothing is sent twice. */
export const seeOther = (c: Ctx, path: string): Response => c.redirect(path, 303);

/** What did not come off, as a page of its own. */
export function problemPage(c: Ctx, visitor: Visitor, done: Done): Response {
  const { status, code, detail, hint } = problemOf(done);
  return refusalPage(c, visitor, { status, code, detail, ...(hint !== null && { hint }) });
}

/** Why something is refused, as a page. */
export function refusalPage(c: Ctx, visitor: Visitor, refusal: Refusal): Response {
  const { status, code, detail, hint, headers = {} } = refusal;
  c.set('reason', code);
  const { site } = visitor.w;
  const title = status === 404 ? site.notFound : site.refused;
  // A hint names a command: whoever takes part here has no terminal of this project.
  const helps = visitor.caller?.role !== 'participant' && hint !== undefined;
  const answer = layout(c, visitor, {
    title,
    status,
    main: html`<h1>${title}</h1>
      <p class="warning" role="alert">${detail}</p>
      ${helps && html`<p>${hint}</p>`}
      <p><a href="/">${site.back}</a></p>`,
  });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}
