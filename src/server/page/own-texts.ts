// What council itself writes on a page, as the Markdown that stands in the archive's file.
import { costSection } from '../../core/archive/cost-section.ts';
import { decisionSection } from '../../core/archive/decision-section.ts';
import { hasVotes } from '../../core/archive/positions.ts';
import { measuresTable } from '../../core/archive/measures.ts';
import { computeDigest } from '../../core/archive/digest.ts';
import { synthesisFacts } from '../../core/archive/page.ts';
import { absencesList, blockingList, dissentList, keptList } from '../../core/archive/sections.ts';
import { fill, loadPageWords } from '../../core/base/words/words.ts';
import type { Seen } from './seen.ts';
import type { MarkdownText } from './markdown/markdown-text.ts';

export interface OwnTexts {
  /** The outcome in one sentence, then how it came about; empty while the council goes on. */
  decision: MarkdownText[];
  /** Empty where nothing is to be said of it. */
  dissent: MarkdownText[];
  blocking: MarkdownText[];
  /** Who wrote the synthesis, or the computed one itself. */
  synthesis: MarkdownText[];
  absences: MarkdownText[];
  /** What launches did not tell, and the budget. */
  cost: MarkdownText[];
  measures: MarkdownText[];
  /** Texts that were kept and not accepted. */
  kept: MarkdownText[];
}

export function ownTexts({ archive, underway }: Seen, keep: (text: MarkdownText) => MarkdownText): OwnTexts {
  const { meta, synthesis } = archive;
  const w = loadPageWords(meta.lang);
  const all = (...texts: string[]): MarkdownText[] =>
    texts.filter((text) => text !== '').map((text) => keep({ text, prefix: 'own-', level: 2, marks: [] }));
  const ended = (...texts: string[]): MarkdownText[] => (underway ? [] : all(...texts));
  const kept = keptList(archive, w);
  return {
    decision: underway && !meta.decision ? [] : all(...decisionSection(archive, w)),
    dissent: ended(dissentList(archive, w) || (hasVotes(archive) ? w.archive.noDissent : '')),
    blocking: all(blockingList(archive, w)),
    synthesis: ended(
      ...(synthesis.by === null ? [synthesis.text] : []),
      ...(synthesis.silent ? [computeDigest(archive)] : []),
      ...(synthesis.by === null ? [] : synthesisFacts(meta, synthesis, w)),
    ),
    absences: all(absencesList(archive, w)),
    // The table stands on the page in another form.
    // Of a council that goes on it is not known here that no program was launched.
    cost: underway && !meta.spent ? [] : all(...costSection(archive, w).slice(meta.spent ? 1 : 0)),
    measures: ended(measuresTable(meta.metrics, w)),
    kept: ended(...(kept === '' ? [] : [w.archive.notAcceptedNote, kept])),
  };
}

/** The sentence about the phase that is open. */
export function underwayWords(
  { underway, archive }: Pick<Seen, 'underway' | 'archive'>,
  shown: (iso: string) => string,
): string {
  if (!underway) return '';
  const { phase, tour, until, hides } = underway;
  const { page } = loadPageWords(archive.meta.lang);
  return fill(hides ? page.underway : page.underwayOpen, { phase, tour, until: shown(until) });
}
