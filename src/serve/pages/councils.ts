// The first page: the councils that go on.
import { html } from '../../page/html.ts';
import { problemPage, seeOther } from './answers.ts';
import { layout } from './layout.ts';
import type { Site } from './site.ts';

export function addCouncils(site: Site): void {
  site.get('/', async (c, visitor) => {
    const { caller, w } = visitor;
    if (caller?.role === 'participant') return seeOther(c, `/councils/${caller.council ?? ''}/seat`);
    const done = await visitor.ask('status', {});
    if (done.failed) return problemPage(c, visitor, done);
    return layout(c, visitor, {
      title: w.site.councils,
      at: 'councils',
      live: '',
      main: html`<h1>${w.site.councils}</h1>`,
    });
  });
}
