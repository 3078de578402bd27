// The data of a seat's page with all texts to be formatted; and what remains of it when the council is over.
import { cutForm } from '../../../core/archive/contribution-notes.ts';
import type { View } from '../../../core/council/view/view.ts';
import { renderMandatoryFacts } from '../../../core/council/view/prompt-ledger.ts';
import type { SeenClaim } from '../../../core/council/view/excerpt.ts';
import { formatAnchor, renderTime, formatShownName } from '../page-formats.ts';
import type { RenderContext } from '../page-formats.ts';
import type { MarkdownText } from '../markdown/markdown-text.ts';
import type { ArchiveMeta } from '../../../core/archive/archive.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { describeOutcome } from '../../../core/archive/decision-section.ts';
import type { PageWords } from '../words.ts';
import { normalisePosition } from '../../../core/council/state/ballot.ts';

export interface SeatContribution {
  /** Its id on the page. */
  id: string;
  /** Null for the participant's own. */
  label: string | null;
  phase: string;
  tour: number;
  advocate: boolean;
  claims: readonly SeenClaim[];
  /** Its form without delimiters; empty if there is none. */
  form: string;
  body: MarkdownText;
}

export interface SeatChallenge {
  id: string;
  by: string;
  quote: View['challenges'][number]['quote'];
  claim: { id: string; body: MarkdownText } | null;
  body: MarkdownText;
}

export interface SeatDocument {
  view: View;
  brief: MarkdownText;
  how: MarkdownText | null;
  facts: MarkdownText | null;
  /** Findings of others to be judged, in modes with their own rules. */
  findings: MarkdownText | null;
  others: SeatContribution[];
  own: SeatContribution[];
  challenges: SeatChallenge[];
  /** All Markdown texts of the page, once each. */
  texts: MarkdownText[];
}

/** Builds the document of a seat. Nothing is formatted yet; the view contains only what the participant may see. */
export function buildSeatDocument(view: View): SeatDocument {
  const texts: MarkdownText[] = [];
  const keep = (text: string, prefix: string, level: number): MarkdownText => {
    const kept = { text, prefix: `${prefix}-`, level, marks: [] };
    texts.push(kept);
    return kept;
  };
  const toSaid = (one: View['own'][number], label: string | null, at: number): SeatContribution => {
    const id = formatAnchor('said', one.tour, label === null ? 'own' : String(at));
    const { phase, tour, claims } = one;
    const { form, body } = cutForm(one.text);
    const advocate = one.advocate === true;
    return { id, label, phase, tour, claims, advocate, form: trimFormRules(form), body: keep(body, id, 3) };
  };
  return {
    view,
    brief: keep(view.brief, 'brief', 2),
    how: view.instructions === '' ? null : keep(view.instructions, 'how', 3),
    facts: view.facts && keep(renderMandatoryFacts(view.facts, view.lang, asQuote).join('\n\n'), 'facts', 2),
    findings: view.findings ? keep(view.findings, 'findings', 2) : null,
    others: view.contributions.map((one, at) => toSaid(one, one.label, at)),
    own: view.own.map((one, at) => toSaid(one, null, at)),
    challenges: view.challenges.map(({ id, by, quote, claim, text }) => ({
      id,
      by,
      quote,
      claim: claim && { id: claim.id, body: keep(claim.text, formatAnchor('claim', id), 4) },
      body: keep(text, formatAnchor('challenge', id), 4),
    })),
    texts,
  };
}

/** Removes the delimiters of a form, which would be rules in Markdown. */
const trimFormRules = (form: string): string => form.replace(/^---$/gm, '').trim();

/** Quotes a participant's words among council's. */
const asQuote = Object.assign(
  (text: string): string =>
    text
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  { marker: '' },
);

/** The value of `data-key` when nothing is asked any more. */
const OVER = 'over';

/** The content of the page, with the same ids as a seat's, so that an open page can be updated to it. */
export const renderOverMain = (
  meta: ArchiveMeta,
  show: Pick<RenderContext, 'w'>,
  archive: string | null,
): Html =>
  html`<header><h1 dir="auto">${toOneLine(meta.topic, 1000)}</h1></header>
    <div id="seen" data-live>${renderOverRegion(meta, show, archive)}</div>
    <div id="turn" data-key="${OVER}"></div>`;

/** `archive`: its address, for those who may read it. */
export const renderOverRegion = (
  meta: ArchiveMeta,
  { w }: Pick<RenderContext, 'w'>,
  archive: string | null,
): Html =>
  html`<section id="now" aria-labelledby="now-h" data-key="${OVER}">
    <h2 id="now-h">${w.seat.isOver}</h2>
    <p><strong>${describeEnding(meta, w)}</strong></p>
    <p class="beside">${describeEnd(meta, w)} · ${renderTime(meta.endedAt, w)}</p>
    ${archive !== null && html`<p><a class="to-form" href="${archive}">${w.seat.toArchive}</a></p>`}
  </section> `;

/** Maximum characters of a position. */
const LONGEST_POSITION = 300;

/** Describes the end in a word or two. "Without consensus" would contradict the decision next to it. */
export function describeEnd({ status, decision, result }: ArchiveMeta, w: PageWords): string {
  if (status === 'CONVERGED' || status === 'CANCELLED') return w.councilStatus[status];
  // Modes with their own rules describe their result, which may be that there is no verdict.
  // Where nothing was to be decided, nothing is undecided either.
  if (result !== undefined || (status === 'COMPLETED' && decision?.rule === 'none')) return w.archive.ended;
  if (!decision?.decided) return status === 'COMPLETED' ? w.originName.undecided : w.councilStatus[status];
  const decided = normalisePosition(decision.position ?? '');
  const isOpposed =
    decision.blockedBy.length > 0 ||
    Object.entries(decision.votes).some(
      ([position, count]) => count > 0 && normalisePosition(position) !== decided,
    );
  return isOpposed ? w.archive.decidedWithDissent : w.archive.decided;
}

export const describeEnding = (meta: ArchiveMeta, w: PageWords): string =>
  describeOutcome(meta, w, {
    name: (id) => formatShownName(meta, id),
    text: (words) => toOneLine(words, LONGEST_POSITION),
  });
