// Exports an archive as JSON, Markdown or an architecture decision record.
import { escapeComments } from '../base/text.ts';
import { toSafeLine } from '../council/document/state-page.ts';
import { buildLedgerDocument } from '../council/ledger/ledger-document.ts';
import type { LedgerDocument } from '../council/ledger/ledger-document.ts';
import type { Metrics } from '../council/vote/metrics.ts';
import type { Absence } from '../council/state/state.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { replaceLetters } from '../council/naming/reveal-names.ts';
import { isDecided } from './archive.ts';
import type { Archive, ArchiveMeta, LateFact, Synthesis } from './archive.ts';
import { renderOptionsList, renderOutcomeLines } from './decision-section.ts';
import { renderUnansweredList } from './ledger-section.ts';
import { findArchiveLetters } from './positions.ts';
import { embedMarkdown } from './embed-markdown.ts';
import type { Outcome } from './outcome-record.ts';
import { cutForm, isShown } from './contribution-notes.ts';
import { pageParts, renderSynthesisFacts } from './page.ts';
import type { TextsOnPage } from './page.ts';
import {
  renderBlockingList,
  describeCouncilEnd,
  renderDissentList,
  renderPositionsTable,
} from './sections.ts';
import type { PhaseName } from '../council/state/allowed-values.ts';

/** The JSON export, with every text verbatim. */
export interface ArchiveExport {
  meta: Omit<ArchiveMeta, 'ledger' | 'metrics' | 'ballot'>;
  brief: string;
  synthesis: Synthesis;
  contributions: {
    participant: string;
    phase: PhaseName;
    tour: number;
    at: string;
    sha256: string;
    /** Byte lengths of its parts, if its author was asked again. */
    parts?: number[];
    text: string;
  }[];
  absences: Absence[];
  late: LateFact[];
  /** Recorded outcomes, oldest first: the last one counts. */
  outcomes: Outcome[];
  ledger: LedgerDocument;
  metrics: Metrics;
  /** The numbered positions with their final supporters; null without a ballot. */
  ballot: Metrics['ballot'];
}

export type ExportFormat = 'json' | 'md' | 'adr';

/** Exports an archive: `json` as an object, `md` as a page without markers, `adr` as a decision record. */
export function exportArchive(archive: Archive, format: 'json'): ArchiveExport;
export function exportArchive(archive: Archive, format: 'md' | 'adr'): string;
export function exportArchive(archive: Archive, format: ExportFormat): string | ArchiveExport;
export function exportArchive(archive: Archive, format: ExportFormat): string | ArchiveExport {
  const w = loadWords(archive.meta.lang);
  if (format === 'json') return asJson(archive);
  if (format === 'md') return `${archivePage(archive).join('\n\n')}\n`;
  const find = findArchiveLetters(archive);
  const record = asDecisionRecord(archive, w).map((part) => replaceLetters(part, find));
  return `${record.join('\n\n')}\n`;
}

function asJson({
  meta: all,
  brief,
  synthesis,
  contributions,
  absences,
  late,
  outcomes = [],
}: Archive): ArchiveExport {
  const { ledger, metrics: measures, ballot: _ballot, ...meta } = all;
  return {
    meta,
    brief,
    synthesis,
    contributions: contributions.map(({ by, phase, tour, at, sha256, parts, text }) => ({
      participant: by,
      phase,
      tour,
      at,
      sha256,
      ...(parts && { parts }),
      text,
    })),
    absences,
    late,
    outcomes,
    ledger: buildLedgerDocument({ ledger, contributions }),
    metrics: measures,
    ballot: measures.ballot,
  };
}

/** Returns the Markdown export in parts, one per heading and text; open Markdown in one does not affect the next. */
export function archivePage(archive: Archive): string[] {
  const find = findArchiveLetters(archive);
  return pageParts(archive, READABLE).map((part) => {
    // A contribution stands in a quote, in which its own quotes alone stay as they are.
    const lines = part.split('\n');
    if (lines.some((line) => !line.startsWith('>'))) return replaceLetters(part, find);
    const said = lines.map((line) => line.replace(/^> ?/, '')).join('\n');
    const shown = replaceLetters(said, find).split('\n');
    return shown.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
  });
}

/** For reading, with names instead of labels; no text can break out of its place. */
const READABLE: TextsOnPage = {
  brief: (text) => embedMarkdown(text, 2),
  // Generated Markdown for this place: its headings fit, and people's text in it is escaped.
  digest: (text) => text,
  letters: () => '',
  contribution: ({ text }, levels) => {
    const { form, body } = cutForm(text);
    return embedMarkdown(isShown(form) ? body : text, levels);
  },
};

function asDecisionRecord(archive: Archive, w: Words): string[] {
  const { meta } = archive;
  const decided = isDecided(meta) ? w.archive.adrAccepted : w.archive.adrProposed;
  const open = [renderBlockingList(archive, w), renderDissentList(archive, w)].filter((part) => part !== '');
  const silent = renderUnansweredList(archive, w);
  return [
    `# ${toSafeLine(meta.topic)}`,
    renderLabelledList(
      [
        [w.archive.adrStatus, `${decided} (${describeCouncilEnd(archive, w)})`],
        [w.archive.adrDate, meta.endedAt.slice(0, 10)],
      ],
      w,
    ),
    `## ${w.archive.adrContext}`,
    embedMarkdown(archive.brief, 2),
    `## ${w.archive.adrDecision}`,
    ...(meta.decision ? [renderOutcomeLines(archive, w)] : isDecided(meta) ? [] : [w.archive.noDecision]),
    ...renderSynthesis(archive, w),
    `## ${w.archive.adrOptions}`,
    ...renderOptionsList(archive, w),
    renderPositionsTable(archive, w),
    `## ${w.archive.adrDissent}`,
    ...(open.length > 0 ? open : [w.archive.noDissent]),
    ...(silent === '' ? [] : [`## ${w.archive.unansweredChallenges}`, silent]),
    `## ${w.archive.adrSource}`,
    `- ${escapeComments(meta.path)}\n${renderLabelledList([[w.state.conversationId, meta.conversationId]], w)}`,
  ];
}

const renderLabelledList = (rows: [string, string][], w: Words): string =>
  rows.map(([label, value]) => `- ${fill(w.common.labelled, { label, value })}`).join('\n');

function renderSynthesis({ meta, synthesis: written }: Archive, w: Words): string[] {
  // The digest is generated Markdown for this place: its headings fit, and people's text in it is escaped.
  if (written.by === null) return [written.text];
  return [
    `### ${w.archive.synthesis}`,
    ...renderSynthesisFacts(meta, written, w),
    embedMarkdown(written.text, 3),
  ];
}
