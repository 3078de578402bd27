// Renders a whole page as one HTML file with embedded styles, without scripts and external resources.
import { createHash } from 'node:crypto';
import { cleanForTerminal } from '../../core/base/terminal.ts';
import { toOneLine } from '../../core/base/text.ts';
import { fill } from '../../core/base/words/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import type { PageDocument } from './document.ts';
import { html, renderStyle, trustSanitizedHtml } from './html.ts';
import type { Html } from './html.ts';
import type { MarkdownText } from './markdown/markdown-text.ts';
import { renderContributions, renderSaidTexts } from './regions/contributions.ts';
import { renderLedger } from './regions/ledger.ts';
import {
  renderDecision,
  renderDissent,
  renderOutcomeHeading,
  renderUnanswered,
  renderPositions,
} from './regions/outcome.ts';
import { renderItems } from './regions/items.ts';
import { renderTimeline } from './regions/timeline.ts';
import type { RenderContext } from './page-formats.ts';
import { PAGE_STYLE } from './style.ts';
import { loadPageWords } from './words.ts';

/** The parts of a council's page, in a file or on a server. */
export interface PageParts {
  lang: Language;
  title: string;
  heading: Html;
  main: Html;
  footer: Html;
}

/**
 * Renders the parts of a page in the council's language. `format` returns the HTML of a text from
 * `convertMarkdownToHtml`; `hasClock`: the phase's deadline is shown elsewhere.
 */
export function renderParts(
  page: PageDocument,
  format: (text: MarkdownText) => string,
  hasClock = false,
): PageParts {
  const { lang, archive } = page;
  const show: RenderContext = {
    w: loadPageWords(lang),
    lang,
    text: (text) => trustSanitizedHtml(format(text)),
  };
  return {
    lang,
    title: toOneLine(archive.meta.topic),
    heading: renderOutcomeHeading(page, show),
    main: renderMain(page, show, hasClock),
    footer: renderFooter(page, show),
  };
}

/** Renders a page as a self-contained HTML file. `format` returns the HTML of a text. */
export function renderPage(page: PageDocument, format: (text: MarkdownText) => string): string {
  const { lang, title, heading, main, footer } = renderParts(page, format);
  const file = html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${createPolicy()}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta http-equiv="x-dns-prefetch-control" content="off" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${renderStyle(PAGE_STYLE)}
      </head>
      <body>
        ${heading}
        <main>${main}</main>
        ${footer}
      </body>
    </html> `;
  return cleanForTerminal(file.toString());
}

/** Allows only this style sheet, and nothing external. */
function createPolicy(): string {
  const hash = createHash('sha256').update(PAGE_STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
}

/** On a wide screen, positions are next to the texts, and challenges next to what they quote; otherwise below. */
function renderMain(page: PageDocument, show: RenderContext, hasClock: boolean): Html {
  const { w } = show;
  const first = [
    renderDecision(page, show, hasClock),
    renderDissent(page, show),
    renderUnanswered(page, show),
  ].filter((region) => region !== null);
  const positions = renderPositions(page, show);
  const synthesis = renderSynthesis(page, show);
  const brief = renderBrief(page, show);
  const contributions = renderContributions(page, show);
  const ledger = renderLedger(page, show);
  const timeline = renderTimeline(page, show);
  const contents: [id: string, name: string, region: Html | null][] = [
    ['positions', w.page.positions, positions],
    ['synthesis', w.archive.synthesis, synthesis],
    ['brief', w.archive.brief, brief],
    ['contributions', w.page.contributions, contributions],
    ['ledger', w.page.ledger, ledger],
    ['timeline', w.page.timeline, timeline],
  ];
  const there = contents.filter(([, , region]) => region !== null);
  return html`${first.length > 0 && html`<div class="first" id="first">${first}</div>`}
    ${
      there.length > 1 &&
      html`<nav id="contents" aria-label="${w.page.contents}">
        <ul>
          ${there.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}
        </ul>
      </nav>`
    }
    <div class="split" id="overview">
      ${positions && html`<div class="margin" id="side">${positions}</div>`}
      <div class="text" id="read">${synthesis}${brief}</div>
    </div>
    ${contributions}${ledger}${timeline}`;
}

function renderSynthesis({ own, synthesis }: PageDocument, show: RenderContext): Html | null {
  if (own.synthesis.length === 0) return null;
  const { w, text } = show;
  return html`<section id="synthesis" aria-labelledby="synthesis-h">
    <h2 id="synthesis-h">${w.archive.synthesis}</h2>
    ${own.synthesis.map(text)} ${renderItems(own, show)} ${own.afterItems.map(text)}
    ${synthesis && renderSaidTexts(synthesis, show)}
  </section> `;
}

const renderBrief = ({ brief }: PageDocument, { w, text }: RenderContext): Html =>
  html`<section id="brief" aria-labelledby="brief-h">
    <h2 id="brief-h">${w.archive.brief}</h2>
    <div class="words">${text(brief)}</div>
  </section> `;

function renderFooter({ underway, archive: { meta } }: PageDocument, { w }: RenderContext): Html {
  const source = underway ? w.page.sourceActive : fill(w.page.source, { path: meta.path });
  return html`<footer id="source">
    <p>${source}</p>
    ${meta.conversationId !== '' && html`<p>${fill(w.common.labelled, { label: w.state.conversationId, value: meta.conversationId })}</p>`}
  </footer> `;
}
