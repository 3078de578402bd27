// Buttons that launch failed participants again, next to their failures.
import type { StateDocument } from '../../../core/app/state-document.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { respondWithProblem, redirectAfterPost } from './layout.ts';
import type { Site } from './site.ts';
import { formatSeatTitle, listFailed } from './council-state.ts';
import { renderFormToken } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/** Returns null if nobody failed, and for visitors who may not decide about councils. */
export function renderRetryForm(state: StateDocument, visitor: Visitor, { site }: PageWords): Html | null {
  const failed = listFailed(state);
  if (failed.length === 0 || visitor.caller?.role !== 'admin') return null;
  return html`<form method="post" action="/councils/${state.name}/retry" class="row" id="retry-${state.name}">
    ${renderFormToken(visitor)}
    ${failed.map((id) => html`<button name="agent" value="${id}">${fill(site.retry, { name: formatSeatTitle(state, id) })}</button> `)}
  </form>`;
}

export function addRetry(site: Site): void {
  site.post('/councils/:name/retry', async (c, visitor, form) => {
    const name = c.req.param('name') ?? '';
    // Those who may decide about councils.
    const denied = visitor.may('excuse');
    if (denied) return respondWithProblem(c, visitor, denied);
    await site.looks.retry({ name, agent: form.get('agent') ?? '' }, visitor.caller);
    return redirectAfterPost(c, `/councils/${name}?done=retry`);
  });
}
