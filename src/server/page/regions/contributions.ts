// Renders all contributions by phase, with permanent links, links to the ledger, and their authors' changes.
import { listRounds } from '../../../core/archive/archive.ts';
import { renderFormLine } from '../../../core/archive/contribution-notes.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { formatTurnKey } from '../../../core/council/state/state.ts';
import { renderMarginThreads } from './ledger.ts';
import {
  formatAnchor,
  formatRoundQuery,
  formatShownName,
  formatPermanentLink,
  renderTime,
  formatRoundName,
  translatePhase,
} from '../page-formats.ts';
import type { PageDocument, SaidTexts, ContributionTexts } from '../document.ts';
import type { RoundPart } from '../parts.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RenderContext } from '../page-formats.ts';
import type { ClaimThread } from '../threads.ts';
import { diffWordsWithSpace } from 'diff';

/** From this number on, a browser lays out only what is visible. */
const MANY = 100;

/** Returns null while the first round is open. */
export function renderContributions(page: PageDocument, show: RenderContext): Html | null {
  const { archive, said, folded, part } = page;
  const { w } = show;
  const points = groupPoints(archive.meta.ledger);
  const threads = Map.groupBy(page.threads, ({ claim }) => claim?.text === null && formatTurnKey(claim));
  const byRound = Map.groupBy(said, (one) => one.said.tour);
  const rounds = listRounds(archive).filter(
    ([tour, phase]) => phase !== 'SYNTHESIZE' || byRound.has(tour) || folded.has(tour),
  );
  if (page.underway && rounds.length === 0) return null;
  return html`<section
    id="contributions"
    class="${said.length > MANY ? 'many' : ''}"
    ${part && html`data-cut`}
    aria-labelledby="contributions-h"
  >
    <h2 id="contributions-h">${w.page.contributions}</h2>
    ${rounds.map(([tour, phase]) => {
      const here = byRound.get(tour) ?? [];
      const title = formatRoundName(phase, tour, w);
      const count = folded.get(tour);
      if (count !== undefined)
        return html`<p id="round-${tour}">
          <a href="${formatRoundQuery(tour)}#round-${tour}"
            >${fill(w.page.folded, { phase: title, count })}</a
          >
        </p> `;
      return html`<section id="round-${tour}" aria-labelledby="round-${tour}-h">
        <h3 id="round-${tour}-h">${title}</h3>
        ${here.length === 0 && html`<p>${w.archive.noContributions}</p>`}${renderPartsNavigation(page, tour, show)}
        ${here.map((one) =>
          renderContribution(
            one,
            {
              points: points.get(formatTurnKey(one.said)) ?? [],
              threads: threads.get(formatTurnKey(one.said)) ?? [],
            },
            page,
            show,
          ),
        )}${renderNextPart(page, tour, show)}
      </section> `;
    })}
  </section> `;
}

/** Links to all parts of a round that does not fit on a page. */
function renderPartsNavigation({ part }: PageDocument, round: number, { w }: RenderContext): Html | null {
  const parts = part?.rounds.get(round) ?? [];
  if (!part || parts.length < 2) return null;
  return html`<nav aria-label="${w.page.partsOf}">
    <ul>
      ${parts.map((one) => html`<li>${part.here.has(one) ? html`<strong>${formatPlaces(one)}</strong>` : linkToPart(one, formatPlaces(one))}</li> `)}
    </ul>
  </nav>`;
}

function renderNextPart({ part }: PageDocument, round: number, { w }: RenderContext): Html | null {
  const parts = part?.rounds.get(round) ?? [];
  const next = parts[parts.findLastIndex((one) => part?.here.has(one)) + 1];
  if (!next) return null;
  return html`<p class="points">
    ${linkToPart(next, fill(w.page.nextPart, { places: formatPlaces(next) }))}
  </p>`;
}

const formatPlaces = ({ from, by }: RoundPart): string => `${from}–${from + by.length - 1}`;

function linkToPart({ tour, by: [first = ''] }: RoundPart, name: string): Html {
  const id = formatAnchor('said', tour, first);
  return html`<a href="?at=${id}#${id}">${name}</a>`;
}

function renderContribution(
  texts: ContributionTexts,
  { points, threads }: { points: readonly LedgerPoint[]; threads: readonly ClaimThread[] },
  page: PageDocument,
  show: RenderContext,
): Html {
  const { said, before } = texts;
  const { part } = page;
  const { meta } = page.archive;
  const id = formatAnchor('said', said.tour, said.by);
  const beside = renderMarginThreads(threads, page, show);
  const isIn = new Set(threads.map(({ claim }) => claim?.id));
  const others = points.filter((one) => !isIn.has(one.id));
  return html`<article class="said split" id="${id}" aria-labelledby="${id}-h">
    <div class="text">
      <h4 id="${id}-h"><a href="${formatPermanentLink(part, id)}">${formatShownName(meta, said.by)}</a></h4>
      <p class="beside">
        ${[renderTime(said.at, show.w), ...renderFormLine({ meta }, said, show.w, formatWholeLine).map((fact) => ` · ${fact}`)]}
      </p>
      ${renderSaidTexts(texts, show)} ${before && renderChanges(before, texts, show)}
      ${others.length > 0 && renderPointLinks(others, page)}
    </div>
    ${beside && html`<div class="margin">${beside}</div>`}
  </article> `;
}

/** Form values are not cut, as they are shown nowhere else. */
const formatWholeLine = (text: string): string => toOneLine(text, Infinity);

/** Renders a contribution, preceded by its form if that is not shown in words. */
export const renderSaidTexts = ({ parts }: SaidTexts, { w, text }: RenderContext): Html =>
  html`${parts.map(
    ({ form, body }) =>
      html`${
          form &&
          html`<details>
            <summary>${w.page.form}</summary>
            <pre dir="auto">${form}</pre>
          </details>`
        }
        <div class="words">${text(body)}</div>`,
  )}`;

interface LedgerPoint {
  kind: 'claim' | 'challenge';
  id: string;
}

/** Groups claims and challenges by contribution. */
function groupPoints({
  claims,
  challenges,
}: PageDocument['archive']['meta']['ledger']): Map<string, LedgerPoint[]> {
  const points = [
    ...claims.map((one) => ({ turn: formatTurnKey(one), kind: 'claim' as const, id: one.id })),
    ...challenges.map((one) => ({ turn: formatTurnKey(one), kind: 'challenge' as const, id: one.id })),
  ];
  return Map.groupBy(points, ({ turn }) => turn);
}

/** Links to their threads. A claim without challenges has its anchor here if the page does not list claims. */
function renderPointLinks(points: readonly LedgerPoint[], { part, unchallenged }: PageDocument): Html {
  const placeless = new Set(part ? unchallenged.map(({ id }) => id) : []);
  return html`<p class="beside points">
    ${points.map(
      ({ kind, id }) =>
        html` <a
          ${placeless.has(id) && html`id="${formatAnchor(kind, id)}"`}
          href="${formatPermanentLink(placeless.has(id) ? part : null, formatAnchor(kind, id))}"
          >${id}</a
        >`,
    )}
  </p>`;
}

/** Characters of a text: comparing longer ones is slow. */
const MAX_LENGTH = 20_000;
const TIMEOUT_MS = 50;
/** Texts with less in common are different texts, not versions of one. */
const LEAST_SHARED = 1 / 3;

/** Renders collapsed changes; null if the texts are the same, too long, or too different. */
export function renderChanges(before: SaidTexts, after: SaidTexts, { w }: RenderContext): Html | null {
  const [old, now] = [before, after].map(readWords) as [string, string];
  if (old === now || Math.max(old.length, now.length) > MAX_LENGTH) return null;
  const changes = diffWordsWithSpace(old, now, { timeout: TIMEOUT_MS });
  // Timeout.
  if (!changes) return null;
  const kept = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length),
    0,
  );
  if (kept < LEAST_SHARED * Math.max(old.length, now.length)) return null;
  const { phase, tour } = before.said;
  return html`<details class="changes">
    <summary>${fill(w.page.changedSince, { phase: translatePhase(phase, w), tour })}</summary>
    <p class="raw" dir="auto">
      ${changes.map(({ added, removed, value }) =>
        added ? html`<ins>${value}</ins>` : removed ? html`<del>${value}</del>` : value,
      )}
    </p>
  </details> `;
}

const readWords = ({ parts }: SaidTexts): string => parts.map(({ body }) => body.text.trim()).join('\n\n');
