// Every contribution by phase, each with an address of its own, what it says about the ledger, and what its author changed in it.
import { listRounds } from '../../../core/archive/archive.ts';
import { formLine } from '../../../core/archive/contribution-notes.ts';
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { formatTurnKey } from '../../../core/council/state/state.ts';
import { marginThreads } from './ledger.ts';
import { anchor, roundPage, formatShownName, time } from '../show.ts';
import type { PageDocument, SaidTexts } from '../document.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Show } from '../show.ts';
import type { Thread } from '../threads.ts';
import { diffWordsWithSpace } from 'diff';

/** From so many on a browser lays out what is looked at, and nothing else. */
const MANY = 100;

/** Nothing while the first round is open. */
export function contributionsRegion(page: PageDocument, show: Show): Html | null {
  const { archive, said, folded } = page;
  const { w } = show;
  const points = groupPoints(archive.meta.ledger);
  const threads = Map.groupBy(page.threads, ({ claim }) => claim?.text === null && formatTurnKey(claim));
  const versions = pairVersions(said);
  const byTour = Map.groupBy(said, (one) => one.said.tour);
  const tours = listRounds(archive).filter(
    ([tour, phase]) => phase !== 'SYNTHESIZE' || byTour.has(tour) || folded.has(tour),
  );
  if (page.underway && tours.length === 0) return null;
  return html`<section
    id="contributions"
    class="${said.length > MANY ? 'many' : ''}"
    aria-labelledby="contributions-h"
  >
    <h2 id="contributions-h">${w.page.contributions}</h2>
    ${tours.map(([tour, phase]) => {
      const here = byTour.get(tour) ?? [];
      const title = fill(w.archive.transcriptPhase, { phase, tour });
      const count = folded.get(tour);
      if (count !== undefined)
        return html`<p id="round-${tour}">
          <a href="${roundPage(tour)}#round-${tour}">${fill(w.page.folded, { phase: title, count })}</a>
        </p> `;
      return html`<section id="round-${tour}" aria-labelledby="round-${tour}-h">
        <h3 id="round-${tour}-h">${title}</h3>
        ${here.length === 0 && html`<p>${w.archive.noContributions}</p>`}
        ${here.map((one) =>
          renderContribution(
            one,
            {
              points: points.get(formatTurnKey(one.said)) ?? [],
              threads: threads.get(formatTurnKey(one.said)) ?? [],
              before: versions.get(one),
            },
            page,
            show,
          ),
        )}
      </section> `;
    })}
  </section> `;
}

function renderContribution(
  texts: SaidTexts,
  {
    points,
    threads,
    before,
  }: { points: readonly Point[]; threads: readonly Thread[]; before: SaidTexts | undefined },
  page: PageDocument,
  show: Show,
): Html {
  const { said } = texts;
  const { meta } = page.archive;
  const id = anchor('said', said.tour, said.by);
  const beside = marginThreads(threads, meta, show);
  const isIn = new Set(threads.map(({ claim }) => claim?.id));
  const others = points.filter((one) => !isIn.has(one.id));
  return html`<article class="said split" id="${id}" aria-labelledby="${id}-h">
    <div class="text">
      <h4 id="${id}-h"><a href="#${id}">${formatShownName(meta, said.by)}</a></h4>
      <p class="beside">
        ${[time(said.at, show.w), ...formLine({ meta }, said, show.w, wholeLine).map((fact) => ` · ${fact}`)]}
      </p>
      ${saidTexts(texts, show)} ${before && renderChanges(before, texts, show)}
      ${others.length > 0 && renderPointLinks(others)}
    </div>
    ${beside && html`<div class="margin">${beside}</div>`}
  </article> `;
}

/** Nothing of a form is cut: it stands nowhere else. */
const wholeLine = (text: string): string => oneLine(text, Infinity);

/** A contribution, its form before it where it is not shown in words. */
export const saidTexts = ({ parts }: SaidTexts, { w, text }: Show): Html =>
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

interface Point {
  kind: 'claim' | 'challenge';
  id: string;
}

/** The claims and challenges that were read in each contribution. */
function groupPoints({
  claims,
  challenges,
}: PageDocument['archive']['meta']['ledger']): Map<string, Point[]> {
  const points = [
    ...claims.map((one) => ({ turn: formatTurnKey(one), kind: 'claim' as const, id: one.id })),
    ...challenges.map((one) => ({ turn: formatTurnKey(one), kind: 'challenge' as const, id: one.id })),
  ];
  return Map.groupBy(points, ({ turn }) => turn);
}

/** Links to their threads. */
const renderPointLinks = (points: readonly Point[]): Html =>
  html`<p class="beside points">
    ${points.map(({ kind, id }) => html` <a href="#${anchor(kind, id)}">${id}</a>`)}
  </p>`;

/** Characters of a text: comparing longer ones takes long. */
const MAX_LENGTH = 20_000;
const TIMEOUT_MS = 50;
/** Two texts that share less are two texts, and no change of one. */
const LEAST_SHARED = 1 / 3;

/** For each contribution the last one before it that its author wrote; challenges are no version of an answer. */
export function pairVersions(said: readonly SaidTexts[]): Map<SaidTexts, SaidTexts> {
  const answers = said.filter(({ said: { phase } }) => phase !== 'CHALLENGE');
  const pairs = new Map<SaidTexts, SaidTexts>();
  for (const own of Map.groupBy(answers, ({ said: { by } }) => by).values())
    for (const [at, one] of own.entries()) if (at > 0) pairs.set(one, own[at - 1]!);
  return pairs;
}

/** Folded; nothing where the texts are the same, too long, or have too little in common. */
export function renderChanges(before: SaidTexts, after: SaidTexts, { w }: Show): Html | null {
  const [old, now] = [before, after].map(readWords) as [string, string];
  if (old === now || Math.max(old.length, now.length) > MAX_LENGTH) return null;
  const changes = diffWordsWithSpace(old, now, { timeout: TIMEOUT_MS });
  // Out of time.
  if (!changes) return null;
  const kept = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length),
    0,
  );
  if (kept < LEAST_SHARED * Math.max(old.length, now.length)) return null;
  const { phase, tour } = before.said;
  return html`<details class="changes">
    <summary>${fill(w.page.changedSince, { phase, tour })}</summary>
    <p class="raw" dir="auto">
      ${changes.map(({ added, removed, value }) =>
        added ? html`<ins>${value}</ins>` : removed ? html`<del>${value}</del>` : value,
      )}
    </p>
  </details> `;
}

const readWords = ({ parts }: SaidTexts): string => parts.map(({ body }) => body.text.trim()).join('\n\n');
