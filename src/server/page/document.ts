// What a page shows, as data: the facts as its reader may see them, and every text that is to be formatted.
import { findArchiveLetters } from '../../core/archive/positions.ts';
import { cutForm, isShown } from '../../core/archive/contribution-notes.ts';
import { quotedPlaces } from '../../core/council/ledger/quoted-places.ts';
import type { QuotedPlace } from '../../core/council/ledger/quoted-places.ts';
import { movePlace, replaceLetters } from '../../core/council/naming/reveal-names.ts';
import type { FindLetters } from '../../core/council/naming/reveal-names.ts';
import { splitParts } from '../../core/council/ledger/text/contribution-parts.ts';
import type { Contribution } from '../../core/council/state/state.ts';
import { formatTurnKey } from '../../core/council/state/state.ts';
import type { Language } from '../../core/base/words/words.ts';
import { anchor, permanentLink } from './show.ts';
import { buildLanes } from './lanes/lanes.ts';
import type { Lanes } from './lanes/lanes.ts';
import { ownTexts } from './own-texts.ts';
import type { OwnTexts } from './own-texts.ts';
import { shiftMarks, buildThreads } from './threads.ts';
import type { Mark, MarkdownText } from './markdown/markdown-text.ts';
import { A_PAGE } from './parts.ts';
import { findFirstSeat } from './regions/seat-pages.ts';
import { findWrittenSynthesis } from './seen.ts';
import type { Seen } from './seen.ts';
import type { Threads } from './threads.ts';
import { fill, loadPageWords } from '../../core/base/words/words.ts';

/** One contribution in its parts, each with the form that is not shown in words. */
export interface SaidTexts {
  said: Contribution;
  parts: { form: string | null; body: MarkdownText }[];
}

/** A contribution with the words that its author wrote before it, on whichever page they stand. */
export interface Saying extends SaidTexts {
  before: SaidTexts | null;
}

/** The participants whose rows the tables of a large council have, each from 1. */
export interface SeatsHere {
  from: number;
  ids: ReadonlySet<string>;
}

export interface PageDocument
  extends Pick<Seen, 'archive' | 'ledger' | 'underway' | 'altered' | 'part'>, Threads {
  lang: Language;
  lanes: Lanes | null;
  brief: MarkdownText;
  /** The coordinator's own words; null where there are none. */
  synthesis: SaidTexts | null;
  own: OwnTexts;
  said: Saying[];
  /** How much was said in each round of which nothing stands here: its place leads to the page where it begins. */
  folded: ReadonlyMap<number, number>;
  /** Whose rows the tables have: null for everybody's, `elsewhere` where they have pages of their own, without what was said. */
  seats: SeatsHere | 'elsewhere' | null;
  /** Every text of it that is Markdown, once. */
  texts: MarkdownText[];
}

/** The words that are marked as quoted, in pieces. */
export function* listQuotedWords({ quotable }: Seen): Generator<undefined, QuotedPlace[]> {
  return quotable ? yield* quotedPlaces(quotable) : [];
}

/** The document of a page, with the words that `listQuotedWords` finds. Nothing is formatted yet. */
export function pageDocument(seen: Seen, quoted = atOnce(listQuotedWords(seen))): PageDocument {
  const { archive, ledger, underway, altered, part } = seen;
  const { meta, contributions } = archive;
  const texts: MarkdownText[] = [];
  // While the council goes on, the letters are all that may be seen.
  const find = underway ? () => [] : findArchiveLetters(archive);
  const reveal = (text: MarkdownText): MarkdownText => revealText(text, find);
  const keep = (text: MarkdownText): MarkdownText => {
    const shown = reveal(text);
    texts.push(shown);
    return shown;
  };
  const own = ownTexts(seen, keep);
  const marks = Map.groupBy(quoted, formatTurnKey);
  const challenges = new Map(meta.ledger.challenges.map((one) => [one.id, one]));
  const listMarks = (one: { by: string; tour: number }): Mark[] =>
    (marks.get(formatTurnKey(one)) ?? []).map(({ challenge, start, end }) => {
      const raised = challenges.get(challenge);
      const isThere = !part || (raised !== undefined && part.isHere(raised));
      return {
        challenge,
        start,
        end,
        href: permanentLink(isThere ? null : part, anchor('challenge', challenge)),
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

/** For each contribution the last one before it that its author wrote; challenges are no version of an answer. */
export function pairVersions<T extends Pick<Contribution, 'by' | 'phase'>>(all: readonly T[]): Map<T, T> {
  const answers = all.filter(({ phase }) => phase !== 'CHALLENGE');
  const pairs = new Map<T, T>();
  for (const own of Map.groupBy(answers, ({ by }) => by).values())
    for (const [at, one] of own.entries()) if (at > 0) pairs.set(one, own[at - 1]!);
  return pairs;
}

/** Rows for everybody where there is room for them. */
function chooseSeats({ part, archive: { meta } }: Pick<Seen, 'part' | 'archive'>): PageDocument['seats'] {
  const ids = meta.participants.map(({ id }) => id);
  if (part === null || ids.length <= A_PAGE) return null;
  if (part.seats === null) return 'elsewhere';
  const from = findFirstSeat(part.seats, ids.length);
  return { from, ids: new Set(ids.slice(from - 1, from - 1 + A_PAGE)) };
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
