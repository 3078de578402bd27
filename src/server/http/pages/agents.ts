// The agents: what each is, whether it is trusted and well, and what it has cost lately. Nothing is granted here.
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import { figure, timeText } from '../../page/show.ts';
import { problemPage, layout } from './layout.ts';
import { readOrder, renderList } from './rows.ts';
import type { Column } from './rows.ts';
import type { Site } from './site.ts';
import type { Seatable } from '../../page/use/page-looks.ts';
import type { Visitor } from './visitor.ts';

type Agent = Seatable['agents'][number];

const COLUMNS: Record<string, Column<Agent>> = {
  agent: ({ id }) => id,
  program: ({ program }) => program,
  trusted: ({ isTrusted }) => Number(isTrusted),
  health: ({ health }) => health?.failures ?? 0,
  costOfLaunch: ({ costUsd }) => costUsd ?? -1,
};

export function addAgents(site: Site): void {
  site.get('/agents', async (c, visitor) => {
    const { w, lang } = visitor;
    const denied = visitor.may('cost');
    if (denied) return problemPage(c, visitor, denied);
    const { agents } = await site.looks.seatable();
    const list = {
      ...{ label: w.site.agents, path: '/agents', columns: COLUMNS },
      rows: agents.filter(({ isBuiltIn }) => !isBuiltIn),
      order: readOrder(c, COLUMNS, 'agent'),
      render: (rows: readonly Agent[]) =>
        rows.map((one) => [
          oneLine(`${one.emoji} ${one.title}`, 80),
          one.isPerson ? w.site.aPerson : oneLine(one.program, 80),
          one.isTrusted ? w.site.yes : html`${w.site.notYet} <code>council trust ${one.id}</code>`,
          describeHealth(one, visitor),
          one.isPerson ? '' : figure(one.costUsd, { w, lang }),
        ]),
    };
    return layout(c, visitor, {
      title: w.site.agents,
      at: 'agents',
      main: html`<h1>${w.site.agents}</h1>
        ${list.rows.length === 0 ? html`<p>${w.site.noAgents}</p>` : await renderList(c, list, w)}
        <p><a href="/records">${w.records.title}</a> · <a href="/cost">${w.site.cost}</a></p>`,
    });
  });
}

/** How its last launches went, and what helps. */
function describeHealth({ id, health, isPerson }: Agent, { w }: Visitor) {
  if (isPerson) return '';
  if (!health) return w.site.well;
  const { failures, reason, until } = health;
  return html`${fill(w.site.failures, { count: failures, reason: oneLine(reason, 200) })}
    ${until !== null && fill(w.site.pausedUntil, { time: timeText(until, w) })}
    <code>council agents check ${id}</code>`;
}
