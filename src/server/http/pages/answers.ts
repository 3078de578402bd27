// Answers that are no page of their own: going on to another one, and saying what went wrong.
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { findProblemWords } from '../../page/show.ts';
import type { Done } from '../../remote/perform-call.ts';
import type { Ctx, Refusal } from '../context.ts';
import { toProblem } from '../problem.ts';
import type { Problem, ProblemStatus } from '../problem.ts';
import { layout } from './layout.ts';
import type { Visitor } from './visitor.ts';

/** After what was sent: the next page is asked for anew, so that nothing is sent twice. */
export const seeOther = (c: Ctx, path: string): Response => c.redirect(path, 303);

/** What did not come off, as a page of its own. */
export function problemPage(c: Ctx, visitor: Visitor, done: Done): Response {
  const { status, code, detail, hint } = toProblem(done);
  return refusalPage(c, visitor, { status, code, detail, ...(hint !== null && { hint }) });
}

/** What is told to programs, as a page. */
export function refusalPage(c: Ctx, visitor: Visitor, refusal: Refusal): Response {
  const { status, code, detail, hint = null, headers = {} } = refusal;
  const { says, exactly } = renderProgramMessage(visitor, { code, detail, hint });
  const answer = sorryPage(c, visitor, { status, code, says, exactly });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

/** Why something is refused, as a page that says it in its own words. */
export function sorryPage(
  c: Ctx,
  visitor: Visitor,
  {
    status,
    code,
    says,
    exactly,
  }: { status: ProblemStatus; code: string; says: string; exactly?: Html | null },
): Response {
  c.set('reason', code);
  const { site } = visitor.w;
  const title = status === 404 ? site.notFound : site.refused;
  return layout(c, visitor, {
    title,
    status,
    main: html`<h1>${title}</h1>
      <p class="warning" role="alert">${says}</p>
      ${exactly}
      <p><a href="/">${visitor.caller?.role === 'participant' ? site.seat : site.back}</a></p>`,
  });
}

/**
 * What is told to programs, as a page says it. Its sentences are English, more exact than the words of a page, and name files and
 * commands: they are of no use to a participant at a seat, who has no terminal of this project.
 */
export function renderProgramMessage(
  { caller, lang, w }: Pick<Visitor, 'caller' | 'lang' | 'w'>,
  { code, detail, hint }: Pick<Problem, 'code' | 'detail' | 'hint'>,
): { says: string; exactly: Html | null } {
  if (caller?.role === 'participant')
    return { says: code === 'forbidden' ? w.site.seatOnly : findProblemWords(code, w), exactly: null };
  const isRead = lang === 'en';
  return {
    says: isRead ? detail : findProblemWords(code, w),
    exactly: html`<div lang="en">
      ${!isRead && html`<p class="beside">${detail}</p>`} ${hint !== null && html`<p>${hint}</p>`}
    </div>`,
  };
}
