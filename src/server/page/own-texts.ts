// Council's own texts on a page, as Markdown: outcome, dissent, synthesis, absences, cost and measures.
import { renderControlSection, renderDecisionSection } from '../../core/archive/decision-section.ts';
import { renderCostSection } from '../../core/archive/cost.ts';
import { renderOutcomeSection } from '../../core/archive/outcome-record.ts';
import { hasVotes } from '../../core/archive/positions.ts';
import { renderMeasuresTable } from '../../core/archive/metrics-table.ts';
import { computeDigest } from '../../core/archive/computed-synthesis.ts';
import { renderSynthesisFacts } from '../../core/archive/page.ts';
import {
  renderAbsencesList,
  renderBlockingList,
  renderDissentList,
  renderKeptList,
} from '../../core/archive/sections.ts';
import type { CodeLine, SummaryItem } from '../../core/council/state/mode-reading.ts';
import { fill } from '../../core/base/words/words.ts';
import type { PageWords } from './words.ts';
import type { MarkdownText } from './markdown/markdown-text.ts';
import type { SeenCouncil } from './seen-council.ts';
import { loadPageWords } from './words.ts';

export interface OwnTexts {
  /** The outcome in one sentence, then its origin; empty while the council is active. */
  decision: MarkdownText[];
  /** Empty if there is nothing to say. */
  dissent: MarkdownText[];
  blocking: MarkdownText[];
  /** The author of the written synthesis, or the computed synthesis. */
  synthesis: MarkdownText[];
  /** The items of the summary, and the text after them. */
  items: {
    text: MarkdownText;
    code: { lines: readonly CodeLine[]; said: MarkdownText } | null;
    facets: SummaryItem['facets'];
  }[];
  afterItems: MarkdownText[];
  absences: MarkdownText[];
  /** Notes on missing figures, and the budget. */
  cost: MarkdownText[];
  measures: MarkdownText[];
  /** Answers of programs that reconsidered alone. */
  control: MarkdownText[];
  /** Texts that were kept but not accepted. */
  kept: MarkdownText[];
}

export function buildOwnTexts(
  { archive, underway, summary, part }: SeenCouncil,
  keep: (text: MarkdownText) => MarkdownText,
): OwnTexts {
  const { meta, synthesis } = archive;
  const pieces = summary?.pieces;
  const w = loadPageWords(meta.lang);
  const keepAll = (...texts: string[]): MarkdownText[] =>
    texts
      .filter((text) => text !== '')
      .map((text) => (part ? shortenLists(text, w) : text))
      .map((text) => keep({ text, prefix: 'own-', level: 2, marks: [] }));
  const keepIfEnded = (...texts: string[]): MarkdownText[] => (underway ? [] : keepAll(...texts));
  const kept = renderKeptList(archive, w);
  return {
    decision:
      underway && !meta.decision
        ? []
        : keepAll(...renderDecisionSection(archive, w), ...renderOutcomeSection(archive.outcomes ?? [], w)),
    dissent: keepIfEnded(renderDissentList(archive, w) || (hasVotes(archive) ? w.archive.noDissent : '')),
    blocking: keepAll(renderBlockingList(archive, w)),
    synthesis: keepIfEnded(
      ...(synthesis.by === null ? [pieces?.before ?? synthesis.text] : []),
      ...(synthesis.silent ? [computeDigest(archive)] : []),
      ...(synthesis.by === null ? [] : renderSynthesisFacts(meta, synthesis, w)),
    ),
    items: (pieces?.items ?? []).map(({ text, code, facets }) => ({
      text: keepAll(text)[0]!,
      code: code ? { lines: code.lines, said: keepAll(code.said)[0]! } : null,
      facets,
    })),
    afterItems: keepIfEnded(pieces?.after ?? ''),
    absences: keepAll(renderAbsencesList(archive, w)),
    // The table is shown in another form. Whether any program was launched is unknown for an active council.
    cost: underway && !meta.spent ? [] : keepAll(...renderCostSection(archive, w).slice(meta.spent ? 1 : 0)),
    measures: keepIfEnded(renderMeasuresTable(meta.metrics, w, meta.rules)),
    control: keepIfEnded(...renderControlSection(meta, w).slice(1)),
    kept: keepIfEnded(...(kept === '' ? [] : [w.archive.notAcceptedNote, kept])),
  };
}

/** Maximum number of list items on a page that shows only a part. */
const LISTED = 20;

/** Shortens council's own lists on a page that shows only a part. */
function shortenLists(text: string, w: PageWords): string {
  const lines: string[] = [];
  let items = 0;
  const end = (): void => {
    if (items > LISTED) lines.push(`- ${fill(w.page.more, { count: items - LISTED })}`);
    items = 0;
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('- ')) items++;
    else if (!line.startsWith(' ')) end();
    if (items <= LISTED) lines.push(line);
  }
  end();
  return lines.join('\n');
}
