// The first screen: what was decided and how, who stands apart, and what is unanswered.
import { describeCouncilEnd } from '../../../core/archive/sections.ts';
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { quoteAndWords } from '../../../core/council/ledger/text/quote-and-words.ts';
import { anchor } from '../anchors.ts';
import type { PageDocument } from '../document.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { underwayWords } from '../own-texts.ts';
import { formatLabelledValue, formatShownName, time } from '../show.ts';
import type { Show } from '../show.ts';

/** The first screen has room for so many unanswered challenges; the ledger has all. */
const FIRST = 3;

export function renderOutcomeHeading({ archive, underway, altered }: PageDocument, { w }: Show): Html {
  const { meta } = archive;
  const names = meta.participants.map(({ id }) => formatShownName(meta, id)).join(', ');
  return html`<header id="top">
    <h1 dir="auto">${oneLine(meta.topic, 1000)}</h1>
    <p class="beside">
      ${meta.mode} · ${underway ? w.councilStatus.ACTIVE : describeCouncilEnd(archive, w)} ·
      ${time(meta.startedAt, w)}${!underway && html` – ${time(meta.endedAt, w)}`}${underway?.hasLetters ? html`<br />${w.page.letters}` : html`<span class="sat"><br />${fill(w.page.sat, { names })}</span>`}
    </p>
    ${altered.map((what) => html`<p class="warning">${fill(w.page.altered, { what })}</p>`)}
  </header> `;
}

/** The time stands in its own element, wherever the sentence has it. */
function untilWhen(page: PageDocument, w: Show['w']): Html {
  const [before = '', after = ''] = underwayWords(page, () => '{until}').split('{until}');
  return html`${before}${time(page.underway?.until ?? '', w)}${after}`;
}

export function decisionRegion(page: PageDocument, { w, text }: Show): Html {
  const { own, underway } = page;
  return html`<section id="decision" aria-labelledby="decision-h">
    <h2 id="decision-h">${w.archive.decision}</h2>
    ${underway && html`<p><strong>${untilWhen(page, w)}</strong></p>`} ${own.decision.map(text)}
  </section> `;
}

/** Nothing where no dissent was possible. */
export function dissentRegion({ own }: PageDocument, { w, text }: Show): Html | null {
  if (own.dissent.length + own.blocking.length === 0) return null;
  return html`<section id="dissent" aria-labelledby="dissent-h">
    <h2 id="dissent-h">${w.archive.dissent}</h2>
    ${own.dissent.map(text)}
    ${
      own.blocking.length > 0 &&
      html`<h3>${w.archive.blockingIssues}</h3>
        ${own.blocking.map(text)}`
    }
  </section> `;
}

/** The unanswered challenges: open questions, not dissent. */
export function unansweredRegion({ silent, archive }: PageDocument, { w }: Show): Html | null {
  if (silent.length === 0) return null;
  return html`<section id="unanswered" aria-labelledby="unanswered-h">
    <h2 id="unanswered-h">${w.archive.unansweredChallenges} (${silent.length})</h2>
    <ul>
      ${silent.slice(0, FIRST).map((one) => silentLine(one, archive.meta, { w }))}${silent.length > FIRST && html`<li><a href="#ledger">${fill(w.page.more, { count: silent.length - FIRST })}</a></li>`}
    </ul>
  </section> `;
}

function silentLine(
  { id, by, against, words: said }: PageDocument['silent'][number],
  meta: PageDocument['archive']['meta'],
  { w }: Pick<Show, 'w'>,
): Html {
  const to = against === null ? w.common.nobody : formatShownName(meta, against);
  const who = fill(w.page.to, { by: formatShownName(meta, by), to });
  const { quote, words } = quoteAndWords(said);
  return html`<li>
    <a href="#${anchor('challenge', id)}">${id}</a>
    ${formatLabelledValue(who, '', { w })}${quote !== '' && html`<q dir="auto">${oneLine(quote, 90)}</q> `}<bdi
      >${oneLine(words, 90)}</bdi
    >
  </li>`;
}
