// What a page shows, as data: the facts as its reader may see them, and every text that is to be formatted.
import { findArchiveLetters } from '../../core/archive/outcome.ts';
import { cutForm, isShown } from '../../core/archive/contribution-notes.ts';
import { quotedPlaces } from '../../core/council/ledger/quoted-places.ts';
import type { QuotedPlace } from '../../core/council/ledger/quoted-places.ts';
import { movePlace, replaceLetters } from '../../core/council/naming/reveal-names.ts';
import type { FindLetters } from '../../core/council/naming/reveal-names.ts';
import { splitParts } from '../../core/council/ledger/text/contribution-parts.ts';
import type { SummaryItem } from '../../core/council/state/mode-reading.ts';
import type { Contribution } from '../../core/council/state/state.ts';
import { formatTurnKey } from '../../core/council/state/state.ts';
import type { Language } from '../../core/base/words/words.ts';
import { anchor } from './show.ts';
import { buildLanes } from './lanes/lanes.ts';
import type { Lanes } from './lanes/lanes.ts';
import { toPageMark, shiftMarks, buildThreads } from './threads.ts';
import type { Mark, MarkdownText } from './markdown/markdown-text.ts';
import type { Seen } from './seen.ts';
import type { Threads } from './threads.ts';
import { controlSection, decisionSection } from '../../core/archive/decision-section.ts';
import { costSection } from '../../core/archive/cost.ts';
import { outcomeSection } from '../../core/archive/outcome-record.ts';
import { hasVotes } from '../../core/archive/positions.ts';
import { measuresTable } from '../../core/archive/measures.ts';
import { computeDigest } from '../../core/archive/digest.ts';
import { synthesisFacts } from '../../core/archive/page.ts';
import { absencesList, blockingList, dissentList, keptList } from '../../core/archive/sections.ts';
import { fill, loadPageWords } from '../../core/base/words/words.ts';

/** One contribution in its parts, each with the form that is not shown in words. */
export interface SaidTexts {
  said: Contribution;
  parts: { form: string | null; body: MarkdownText }[];
}

export interface PageDocument extends Pick<Seen, 'archive' | 'ledger' | 'underway' | 'altered'>, Threads {
  lang: Language;
  lanes: Lanes | null;
  brief: MarkdownText;
  /** The coordinator's own words; null where there are none. */
  synthesis: SaidTexts | null;
  own: OwnTexts;
  said: SaidTexts[];
  /** How much was said in each round that does not stand here: its place leads to a page where it does. */
  folded: ReadonlyMap<number, number>;
  /** Every text of it that is Markdown, once. */
  texts: MarkdownText[];
}

/** The words that are marked as quoted, in pieces. */
export function* listQuotedWords({ quotable }: Seen): Generator<undefined, QuotedPlace[]> {
  return quotable ? yield* quotedPlaces(quotable) : [];
}

/** The document of a page, with the words that `listQuotedWords` finds. Nothing is formatted yet. */
export function pageDocument(seen: Seen, quoted = atOnce(listQuotedWords(seen))): PageDocument {
  const { archive, ledger, underway, altered, rounds } = seen;
  const { meta, contributions, synthesis } = archive;
  const texts: MarkdownText[] = [];
  // While the council goes on, the letters are all that may be seen.
  const find = underway ? () => [] : findArchiveLetters(archive);
  const keep = (text: MarkdownText): MarkdownText => {
    const shown = revealText(text, find);
    texts.push(shown);
    return shown;
  };
  const own = ownTexts(seen, keep);
  const marks = Map.groupBy(quoted, formatTurnKey);
  const listMarks = (one: { by: string; tour: number }): Mark[] =>
    (marks.get(formatTurnKey(one)) ?? []).map(toPageMark);
  const gatherSaidTexts = (said: Contribution, level: number): SaidTexts => ({
    said,
    parts: cutContributionParts(said, level, listMarks(said)).map(({ form, body }) => ({
      form,
      body: keep(body),
    })),
  });
  const isShown = ({ tour }: Contribution): boolean => rounds === null || rounds.has(tour);
  const written = contributions.findLast((c) => c.phase === 'SYNTHESIZE' && c.by === synthesis.by);
  const here = contributions.filter((c) => c !== written && isShown(c));
  const turnsHere = new Set(here.map(formatTurnKey));
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
    said: here.map((said) => gatherSaidTexts(said, 4)),
    folded: countByRound(contributions.filter((c) => c !== written && !isShown(c))),
    ...buildThreads(seen, {
      isHere: (claim) => turnsHere.has(formatTurnKey(claim)),
      listMarks,
      keep,
      reveal: (text) => replaceLetters(text, find),
    }),
    texts,
  };
}

/** A text with names in place of letters, its marks where their words are now. */
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

/** Runs work that is cut into pieces to its end at once, and returns its result. */
export function atOnce<T>(pieces: Iterator<undefined, T>): T {
  let next = pieces.next();
  while (!next.done) next = pieces.next();
  return next.value;
}

function countByRound(contributions: readonly Contribution[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { tour } of contributions) counts.set(tour, (counts.get(tour) ?? 0) + 1);
  return counts;
}

/** The parts of a contribution, each cut from its form; marks count from the beginning of a part's words. */
function cutContributionParts(said: Contribution, level: number, marks: readonly Mark[]): SaidTexts['parts'] {
  let from = 0;
  return splitParts(said).map((part, at) => {
    const { form, body } = cutForm(part);
    const start = from + form.length;
    from += part.length;
    return {
      // What is a remark in a form stands nowhere else.
      form: form.trim() === '' || (isShown(form) && !/(?:^|\s)#/m.test(form)) ? null : form.trim(),
      body: {
        text: body,
        prefix: `${anchor('said', said.tour, said.by)}-${at === 0 ? '' : `${at + 1}-`}`,
        level,
        marks: shiftMarks(marks, start, body.length),
      },
    };
  });
}

interface OwnTexts {
  /** The outcome in one sentence, then how it came about; empty while the council goes on. */
  decision: MarkdownText[];
  /** Empty where nothing is to be said of it. */
  dissent: MarkdownText[];
  blocking: MarkdownText[];
  /** Who wrote the synthesis, or the computed one itself. */
  synthesis: MarkdownText[];
  /** The items of the summary, and the text after them. */
  items: { text: MarkdownText; facets: SummaryItem['facets'] }[];
  afterItems: MarkdownText[];
  absences: MarkdownText[];
  /** What launches did not tell, and the budget. */
  cost: MarkdownText[];
  measures: MarkdownText[];
  /** What programs said when they reconsidered alone. */
  control: MarkdownText[];
  /** Texts that were kept and not accepted. */
  kept: MarkdownText[];
}

function ownTexts(
  { archive, underway, summary }: Seen,
  keep: (text: MarkdownText) => MarkdownText,
): OwnTexts {
  const { meta, synthesis } = archive;
  const pieces = summary?.pieces;
  const w = loadPageWords(meta.lang);
  const all = (...texts: string[]): MarkdownText[] =>
    texts.filter((text) => text !== '').map((text) => keep({ text, prefix: 'own-', level: 2, marks: [] }));
  const keepIfEnded = (...texts: string[]): MarkdownText[] => (underway ? [] : all(...texts));
  const kept = keptList(archive, w);
  return {
    decision:
      underway && !meta.decision
        ? []
        : all(...decisionSection(archive, w), ...outcomeSection(archive.outcomes ?? [], w)),
    dissent: keepIfEnded(dissentList(archive, w) || (hasVotes(archive) ? w.archive.noDissent : '')),
    blocking: all(blockingList(archive, w)),
    synthesis: keepIfEnded(
      ...(synthesis.by === null ? [pieces?.before ?? synthesis.text] : []),
      ...(synthesis.silent ? [computeDigest(archive)] : []),
      ...(synthesis.by === null ? [] : synthesisFacts(meta, synthesis, w)),
    ),
    items: (pieces?.items ?? []).map(({ text, facets }) => ({ text: all(text)[0]!, facets })),
    afterItems: keepIfEnded(pieces?.after ?? ''),
    absences: all(absencesList(archive, w)),
    // The table stands on the page in another form.
    // Of a council that goes on it is not known here that no program was launched.
    cost: underway && !meta.spent ? [] : all(...costSection(archive, w).slice(meta.spent ? 1 : 0)),
    measures: keepIfEnded(measuresTable(meta.metrics, w)),
    control: keepIfEnded(...controlSection(meta, w).slice(1)),
    kept: keepIfEnded(...(kept === '' ? [] : [w.archive.notAcceptedNote, kept])),
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
