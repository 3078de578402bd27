// Renders, on the seat page, what happened or would happen to a sent text: a refusal with its reason, what was read, what is missing.
import { fill } from '../../../core/base/words/words.ts';
import type { ReadBack } from '../../../core/council/view/read-back.ts';
import { html } from '../html.ts';
import { formatRank } from '../../../core/base/words/reasons.ts';
import type { Html } from '../html.ts';
import type { MarkdownText } from '../markdown/markdown-text.ts';
import { findProblemWords, formatPageFigure, formatRoundName } from '../page-formats.ts';
import type { RenderContext } from '../page-formats.ts';
import type { SeatDocument } from './document.ts';

export type FormOutcome =
  | { kind: 'preview'; text: MarkdownText; read: ReadBack | null; notes: readonly string[] }
  | {
      kind: 'sent';
      phase: string;
      tour: number;
      revision: number;
      again: boolean;
      read: ReadBack | null;
      /** The key of its draft in the browser. */
      key: string;
    }
  | { kind: 'refused'; code: string };

type PageWords = RenderContext['w'];

/** Returns null before anything was sent. */
export function renderSeatReport(
  outcome: FormOutcome | null,
  view: SeatDocument['view'],
  show: RenderContext,
): Html | null {
  const { w, text } = show;
  switch (outcome?.kind) {
    case undefined:
      return null;
    case 'refused':
      return html`<section
        id="report"
        class="report"
        role="alert"
        aria-labelledby="report-h"
        data-came="refused"
      >
        <h2 id="report-h" tabindex="-1">${w.seat.refused}</h2>
        <p class="bad" id="wrong-text">${explainSeatRefusal(outcome.code, w)}</p>
        <p>
          ${outcome.code !== 'empty_text' && w.seat.textStays}
          <a href="#text">${w.seat.answer}</a>
        </p>
      </section> `;
    case 'sent':
      return html`<section
        id="report"
        class="report"
        aria-labelledby="report-h"
        data-came="sent"
        data-key="${outcome.key}"
      >
        <h2 id="report-h" tabindex="-1">${w.seat.sent}</h2>
        <p>
          <strong>${formatRoundName(outcome.phase, outcome.tour, w)}</strong
          >${fill(w.common.labelled, { label: '', value: outcome.again ? w.seat.same2 : formatSentNote(outcome, w) })}
        </p>
        ${outcome.read && renderReadBack(outcome.read, outcome.tour === view.tour, show)}
      </section> `;
    case 'preview':
      return html`<section id="report" class="report" aria-labelledby="report-h" data-came="preview">
        <h2 id="report-h" tabindex="-1">${w.seat.preview}</h2>
        <p><strong>${w.seat.notSent}</strong></p>
        ${outcome.notes.map((note) => html`<p class="bad">${note}</p>`)}
        <div class="words preview">${text(outcome.text)}</div>
        ${outcome.read && renderReadBack(outcome.read, true, show)}
      </section> `;
  }
}

const formatSentNote = ({ revision }: FormOutcome & { kind: 'sent' }, { seat }: PageWords): string =>
  fill(seat.sentNote, { revision });

/** On this page some refusals have their own wording. */
function explainSeatRefusal(code: string, w: PageWords): string {
  const known: Record<string, string> = {
    phase_closed: w.seat.late,
    not_your_turn: w.seat.notAsked,
    different_text: w.seat.different,
    empty_text: w.seat.empty,
  };
  return known[code] ?? findProblemWords(code, w);
}

/** Renders the same facts as `council read`. Missing parts link to their fields if the form is still current. */
function renderReadBack(read: ReadBack, isOpen: boolean, show: RenderContext): Html {
  const { w } = show;
  const facts = listReadBackFacts(read, show);
  return html`<h3>${w.seat.read}</h3>
    ${
      facts.length === 0
        ? html`<p>${w.seat.readNothing}</p>`
        : html`<ul>
            ${facts.map((fact) => html`<li>${fact}</li>`)}
          </ul>`
    }
    ${
      read.missing.length > 0 &&
      html`<h3>${w.seat.missing}</h3>
        <ul>
          ${read.missing.map((what) => html`<li>${isOpen ? html`<a href="#${getFieldAnchor(what)}">${describeMissingPart(what, w)}</a>` : describeMissingPart(what, w)}</li>`)}
        </ul>`
    }`;
}

function listReadBackFacts(read: ReadBack, show: RenderContext): string[] {
  const { w } = show;
  const { vote, approve, rank, position, confidence, blocking, quotes, challenges, answers } = read;
  const formatLabelled = (label: string, value: string | number): string =>
    fill(w.common.labelled, { label, value });
  const byStatus = [...Map.groupBy(quotes, ({ status }) => status)];
  const targeted = challenges.filter(({ target }) => target !== null).length;
  return [
    ...(vote === null ? [] : [formatLabelled(w.seat.vote, vote)]),
    ...(position === null ? [] : [formatLabelled(w.seat.position, position)]),
    ...(rank.length > 0 ? [formatLabelled(w.seat.rank, formatRank(rank))] : []),
    ...(approve.length > 0 ? [formatLabelled(w.seat.approve, approve.join(', '))] : []),
    ...(vote !== null && approve.includes(vote) ? [fill(w.seat.readVoteTwice, { id: vote })] : []),
    ...(confidence === null ? [] : [formatLabelled(w.seat.confidence, formatPageFigure(confidence, show))]),
    ...blocking.map((issue) => formatLabelled(w.seat.blocking, issue)),
    ...(read.repeated ? [w.again.repeated] : []),
    ...byStatus.map(([status, all]) =>
      fill(w.seat.readQuotes, {
        status: status === 'own_case' ? w.seat.readOwnCase : w.ledger[status],
        count: all.length,
      }),
    ),
    ...quotes.flatMap(({ text, instead }) =>
      instead === undefined ? [] : [fill(w.seat.readInstead, { text, instead })],
    ),
    ...(targeted > 0 ? [fill(w.seat.readChallenges, { count: targeted })] : []),
    ...(challenges.length > targeted
      ? [fill(w.seat.readAtLarge, { count: challenges.length - targeted })]
      : []),
    ...Object.entries(answers).map(([id, status]) => formatLabelled(id, w.ledger[status])),
  ];
}

const FIELD_ANCHORS: Record<string, string> = {
  vote: 'vote',
  rank: 'rank',
  because: 'because',
  position: 'position',
  option: 'position',
};
const getFieldAnchor = (what: string): string => FIELD_ANCHORS[what] ?? 'text';

function describeMissingPart(what: string, { seat }: PageWords): string {
  const known: Record<string, string> = {
    position: seat.missingPosition,
    option: seat.missingOption,
    vote: seat.missingVote,
    rank: seat.missingRank,
    blocking: seat.missingBlocking,
    because: seat.missingBecause,
    quote: seat.missingQuote,
  };
  return known[what] ?? fill(seat.missingAnswer, { id: what });
}
