// The data of a page: the facts that its reader may see, and all texts to be formatted.
import { findArchiveLetters, hasVotes } from '../../core/archive/positions.ts';
import { cutForm, isShown } from '../../core/archive/contribution-notes.ts';
import { locateVerifiedQuotes } from '../../core/council/ledger/judge-quotes.ts';
import type { QuotedPlace } from '../../core/council/ledger/judge-quotes.ts';
import { movePlace, replaceLetters } from '../../core/council/naming/reveal-names.ts';
import type { FindLetters } from '../../core/council/naming/reveal-names.ts';
import { splitParts } from '../../core/council/ledger/text/spoken-words.ts';
import type { Contribution } from '../../core/council/state/state.ts';
import { formatTurnKey } from '../../core/council/state/state.ts';
import type { Language } from '../../core/base/words/words.ts';
import { formatAnchor, formatPermanentLink, translatePhase } from './page-formats.ts';
import { buildLanes } from './lanes/lanes.ts';
import type { Lanes } from './lanes/lanes.ts';
import { shiftMarks, buildThreads } from './threads.ts';
import type { QuoteMark, MarkdownText } from './markdown/markdown-text.ts';
import { A_PAGE, findFirstSeat } from './parts.ts';

import { findWrittenSynthesis } from './seen-council.ts';
import type { SeenCouncil } from './seen-council.ts';
import type { Threads } from './threads.ts';
import { fill } from '../../core/base/words/words.ts';
import { loadPageWords } from './words.ts';
import { renderControlSection, renderDecisionSection } from '../../core/archive/decision-section.ts';
import { renderCostSection } from '../../core/archive/cost.ts';
import { renderOutcomeSection } from '../../core/archive/outcome-record.ts';
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
import type { PageWords } from './words.ts';

/** A contribution in parts, each with the form fields that are not shown in words. */
export interface SaidTexts {
  said: Contribution;
  parts: { form: string | null; body: MarkdownText }[];
}

/** A contribution with its author's previous version, on any page. */
export interface ContributionTexts extends SaidTexts {
  before: SaidTexts | null;
}

/** The participants in the tables of a large council, counted from 1. */
export interface ShownSeats {
  from: number;
  ids: ReadonlySet<string>;
}

export interface PageDocument
  extends Pick<SeenCouncil, 'archive' | 'ledger' | 'underway' | 'altered' | 'part'>, Threads {
  lang: Language;
  lanes: Lanes | null;
  brief: MarkdownText;
  /** The coordinator's own text, or null. */
  synthesis: SaidTexts | null;
  own: OwnTexts;
  said: ContributionTexts[];
  /** By round, the number of contributions that are not on this page; links to the page where the round starts. */
  folded: ReadonlyMap<number, number>;
  /** The rows of tables: null for all, `elsewhere` if they are on separate pages without contributions. */
  seats: ShownSeats | 'elsewhere' | null;
  /** All Markdown texts of the page, once each. */
  texts: MarkdownText[];
}

/** Finds the words to be marked as quoted, in steps. */
export function* listQuotedWords({ quotable }: SeenCouncil): Generator<undefined, QuotedPlace[]> {
  return quotable ? yield* locateVerifiedQuotes(quotable) : [];
}

/** Builds a page's document with the quoted words found by `listQuotedWords`. Nothing is formatted yet. */
export function pageDocument(seen: SeenCouncil, quoted = runToEnd(listQuotedWords(seen))): PageDocument {
  const { archive, ledger, underway, altered, part } = seen;
  const { meta, contributions } = archive;
  const texts: MarkdownText[] = [];
  // While the council is active, only the letters may be shown.
  const find = underway ? () => [] : findArchiveLetters(archive);
  const reveal = (text: MarkdownText): MarkdownText => revealText(text, find);
  const keep = (text: MarkdownText): MarkdownText => {
    const shown = reveal(text);
    texts.push(shown);
    return shown;
  };
  const own = buildOwnTexts(seen, keep);
  const marks = Map.groupBy(quoted, formatTurnKey);
  const challenges = new Map(meta.ledger.challenges.map((one) => [one.id, one]));
  const listMarks = (one: { by: string; tour: number }): QuoteMark[] =>
    (marks.get(formatTurnKey(one)) ?? []).map(({ challenge, start, end }) => {
      const raised = challenges.get(challenge);
      const isThere = !part || (raised !== undefined && part.isHere(raised));
      return {
        challenge,
        start,
        end,
        href: formatPermanentLink(isThere ? null : part, formatAnchor('challenge', challenge)),
      };
    });
  const gatherSaidTexts = (said: Contribution, level: number, put = keep): SaidTexts => ({
    said,
    parts: cutContributionParts(said, level, listMarks(said)).map(({ form, body }) => ({
      form,
      body: put(body),
    })),
  });
  const written = findWrittenSynthesis(archive);
  const seats = chooseSeats(seen);
  const all = contributions.filter((c) => c !== written);
  const here = part ? all.filter(part.isHere) : all;
  const turnsHere = new Set(here.map(formatTurnKey));
  const versions = pairVersions(all);
  return {
    archive,
    ledger,
    underway,
    altered,
    lang: meta.lang,
    lanes: buildLanes(archive, !underway),
    brief: keep({ text: archive.brief, prefix: 'brief-', level: 2, marks: [] }),
    synthesis: written ? gatherSaidTexts(written, 2) : null,
    own,
    said: here.map((said) => {
      const before = versions.get(said);
      return { ...gatherSaidTexts(said, 4), before: before ? gatherSaidTexts(before, 4, reveal) : null };
    }),
    part,
    folded: countByRound(
      part ? all.filter((c) => !part.rounds.get(c.tour)?.some((one) => part.here.has(one))) : [],
    ),
    seats,
    ...buildThreads(seen, {
      isHere: (claim) => turnsHere.has(formatTurnKey(claim)),
      listMarks,
      keep,
      reveal: (text) => replaceLetters(text, find),
    }),
    texts,
  };
}

/** Maps each contribution to its author's previous one; challenges are not versions of an answer. */
export function pairVersions<T extends Pick<Contribution, 'by' | 'phase'>>(all: readonly T[]): Map<T, T> {
  const answers = all.filter(({ phase }) => phase !== 'CHALLENGE');
  const pairs = new Map<T, T>();
  for (const own of Map.groupBy(answers, ({ by }) => by).values())
    for (const [at, one] of own.entries()) if (at > 0) pairs.set(one, own[at - 1]!);
  return pairs;
}

/** Returns null, for all rows, if there is room for them. */
function chooseSeats({
  part,
  archive: { meta },
}: Pick<SeenCouncil, 'part' | 'archive'>): PageDocument['seats'] {
  const ids = meta.participants.map(({ id }) => id);
  if (part === null || ids.length <= A_PAGE) return null;
  if (part.seats === null) return 'elsewhere';
  const from = findFirstSeat(part.seats, ids.length);
  return { from, ids: new Set(ids.slice(from - 1, from - 1 + A_PAGE)) };
}

/** Replaces letters by names, and moves the marks accordingly. */
function revealText(text: MarkdownText, find: FindLetters): MarkdownText {
  const found = find(text.text);
  return {
    ...text,
    text: replaceLetters(text.text, find),
    marks: text.marks.map((mark) => ({
      ...mark,
      start: movePlace(mark.start, found),
      end: movePlace(mark.end, found),
    })),
  };
}

/** Runs stepwise work to its end at once, and returns its result. */
export function runToEnd<T>(pieces: Iterator<undefined, T>): T {
  let next = pieces.next();
  while (!next.done) next = pieces.next();
  return next.value;
}

function countByRound(contributions: readonly Contribution[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { tour } of contributions) counts.set(tour, (counts.get(tour) ?? 0) + 1);
  return counts;
}

/** Splits a contribution into parts without their forms; marks count from the start of a part's text. */
function cutContributionParts(
  said: Contribution,
  level: number,
  marks: readonly QuoteMark[],
): SaidTexts['parts'] {
  let from = 0;
  return splitParts(said).map((part, at) => {
    const { form, body } = cutForm(part);
    const start = from + form.length;
    from += part.length;
    return {
      // A comment in a form is shown nowhere else.
      form: form.trim() === '' || (isShown(form) && !/(?:^|\s)#/m.test(form)) ? null : form.trim(),
      body: {
        text: body,
        prefix: `${formatAnchor('said', said.tour, said.by)}-${at === 0 ? '' : `${at + 1}-`}`,
        level,
        marks: shiftMarks(marks, start, body.length),
      },
    };
  });
}

/** Returns the sentence about the open phase. */
export function describeUnderway(
  { underway, archive }: Pick<SeenCouncil, 'underway' | 'archive'>,
  shown: (iso: string) => string,
): string {
  if (!underway) return '';
  const { phase, tour, until, hides } = underway;
  const w = loadPageWords(archive.meta.lang);
  const sentence = hides ? w.page.underway : w.page.underwayOpen;
  return fill(sentence, { phase: translatePhase(phase, w), tour, until: shown(until) });
}

interface OwnTexts {
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

function buildOwnTexts(
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
