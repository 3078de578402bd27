// Renders the timeline: durations of phases, usage by agent, and absences.
import { sumUsage } from '../../../core/council/state/budget.ts';
import type { Transition, UsageRecord } from '../../../core/council/state/state.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageDocument } from '../document.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { formatUnbrokenTime } from '../elapsed-time.ts';
import {
  formatPageFigure,
  formatShownName,
  renderTable,
  renderTime,
  formatRoundName,
} from '../page-formats.ts';
import type { RenderContext } from '../page-formats.ts';

/** Returns null if nothing has ended yet. */
export function renderTimeline(page: PageDocument, show: RenderContext): Html | null {
  const { own } = page;
  const { w, text } = show;
  const { usage, transitions } = page.archive.meta;
  if (transitions.length + own.absences.length + own.cost.length + usage.length === 0) return null;
  const launches = page.seats === 'elsewhere' ? [] : usage.filter(isShown(page));
  return html`<section id="timeline" aria-labelledby="timeline-h">
    <h2 id="timeline-h">${w.page.timeline}</h2>
    ${page.folded.size > 0 && page.seats === null && html`<p>${w.page.foldedTimeline}</p>`}
    ${transitions.length > 0 && renderPhasesTable(page, show)}
    ${
      own.absences.length > 0 &&
      html`<h3>${w.archive.absences}</h3>
        ${own.absences.map(text)}`
    }
    ${(usage.length > 0 || own.cost.length > 0) && html`<h3>${w.archive.costLaunches}</h3>`}
    ${usage.length > 0 && renderAgentsTable(page, show)} ${own.cost.map(text)}
    ${
      launches.length > 0 &&
      html`<details>
        <summary>${fill(w.page.everyLaunch, { count: launches.length })}</summary>
        ${renderLaunchesTable(page, launches, show)}
      </details>`
    }
    ${
      own.measures.length > 0 &&
      html`<details class="measures">
        <summary>${w.archive.measures}</summary>
        ${own.measures.map(text)}
      </details>`
    }
    ${
      own.control.length > 0 &&
      html`<details>
        <summary>${w.control.title}</summary>
        ${own.control.map(text)}
      </details>`
    }
    ${
      own.kept.length > 0 &&
      html`<h3>${w.archive.notAccepted}</h3>
        ${own.kept.map(text)}`
    }
  </section> `;
}

/** Returns whether a round or participant is shown on this page. */
const isShown =
  ({ folded, seats }: PageDocument) =>
  ({ tour, participant }: { tour: number; participant?: string }): boolean =>
    seats !== null && seats !== 'elsewhere'
      ? participant === undefined || seats.ids.has(participant)
      : !folded.has(tour);

function renderPhasesTable(page: PageDocument, show: RenderContext): Html {
  const { w } = show;
  const { archive, underway } = page;
  const { meta, contributions } = archive;
  // An active council may hide launches: then nothing is said about them, rather than that there were none.
  const tells = !underway || meta.usage.length > 0;
  const findOpening = (at: number): string => meta.transitions[at - 1]?.at ?? meta.startedAt;
  const row = (transition: Transition): (string | Html)[] => {
    const { from, tour, at, reason } = transition;
    const place = meta.transitions.indexOf(transition);
    const spoke = contributions.filter((c) => c.tour === tour).length;
    const of = from === 'SYNTHESIZE' ? (meta.coordinator === null ? 0 : 1) : meta.participants.length;
    return [
      html`<a href="#${from === 'SYNTHESIZE' ? 'synthesis' : `round-${tour}`}"
        >${formatRoundName(from, tour, w)}</a
      >`,
      renderTime(findOpening(place), w),
      formatUnbrokenTime(Math.max(0, Date.parse(at) - Date.parse(findOpening(place))), w.common),
      fill(w.archive.ofTotal, { count: spoke, total: of }),
      ...(tells
        ? formatFigures(
            meta.usage.filter((one) => one.tour === tour),
            show,
          )
        : []),
      w.closeReason[reason],
    ];
  };
  const header = [
    w.ledger.phase,
    w.page.opened,
    w.page.lasted,
    w.page.spoke,
    ...(tells ? listFigureNames(w) : []),
    w.page.closedBecause,
  ];
  const rows = meta.transitions.filter(isShown(page)).map(row);
  return renderTable({ label: w.page.byPhase, header, rows, caption: true }, w);
}

function renderAgentsTable({ archive: { meta }, seats }: PageDocument, show: RenderContext): Html {
  const { w } = show;
  const row = (name: string, usage: UsageRecord[]): string[] => [
    name,
    formatUnbrokenTime(
      usage.reduce((sum, { ms }) => sum + ms, 0),
      w.common,
    ),
    ...formatFigures(usage, show),
  ];
  const isRow = (id: string): boolean => seats === null || (seats !== 'elsewhere' && seats.ids.has(id));
  const rows = [...Map.groupBy(meta.usage, ({ participant }) => participant)]
    .filter(([id]) => isRow(id))
    .map(([id, usage]) => row(formatShownName(meta, id), usage));
  const header = [w.archive.participant, w.page.time, ...listFigureNames(w)];
  const all = [...rows, row(w.archive.total, meta.usage)];
  return renderTable({ label: w.page.byAgent, header, rows: all, caption: true }, w);
}

const listFigureNames = ({
  archive: { launches, inputTokens, outputTokens, dollars },
}: RenderContext['w']): string[] => [launches, inputTokens, outputTokens, dollars];

function formatFigures(usage: UsageRecord[], show: RenderContext): string[] {
  if (usage.length === 0) return ['0', '', '', ''];
  const { launches, inputTokens, outputTokens, costUsd } = sumUsage(usage);
  return [launches, inputTokens, outputTokens, costUsd].map((value) => formatPageFigure(value, show));
}

function renderLaunchesTable(
  { archive: { meta } }: PageDocument,
  launches: readonly UsageRecord[],
  show: RenderContext,
): Html {
  const { w } = show;
  const header = [
    ...[w.archive.participant, w.ledger.phase, w.page.time, w.page.model],
    ...[w.archive.inputTokens, w.archive.outputTokens, w.archive.dollars, w.page.result],
  ];
  const row = (one: UsageRecord): string[] => [
    formatShownName(meta, one.participant),
    formatRoundName(one.phase, one.tour, w),
    formatUnbrokenTime(one.ms, w.common),
    one.model ?? w.archive.unknown,
    ...[one.inputTokens, one.outputTokens, one.costUsd].map((value) => formatPageFigure(value, show)),
    one.ok ? w.page.ok : one.cancelled ? w.page.interrupted : w.page.failed,
  ];
  return renderTable({ label: w.archive.launches, header, rows: launches.map(row) }, w);
}
