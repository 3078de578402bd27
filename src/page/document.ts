// What a page shows, as data: the facts as its reader may see them, and every text that is to be formatted.
import { cutForm, isShown } from '../archive/form.ts';
import { partsOf } from '../council/ledger/text/parts.ts';
import type { QuotedPlace } from '../council/ledger/quoted-places.ts';
import type { Challenge, Claim, Contribution } from '../council/state/state.ts';
import { turnOf } from '../council/state/turn.ts';
import type { Language } from '../base/words/words.ts';
import { anchor } from './anchors.ts';
import { lanesOf } from './lanes/lanes.ts';
import type { Lanes } from './lanes/lanes.ts';
import type { Mark, MarkdownText } from './markdown/markdown-text.ts';
import { ownTexts } from './own-texts.ts';
import type { OwnTexts } from './own-texts.ts';
import type { Seen } from './seen.ts';

/** One contribution in its parts, each with the form that is not shown in words. */
export interface SaidTexts {
  said: Contribution;
  parts: { form: string | null; body: MarkdownText }[];
}

export interface Thread {
  claim: { id: string; by: string; text: MarkdownText } | null;
  challenges: Raised[];
}

/** A challenge with its words and those of its answer. */
export interface Raised extends Pick<
  Challenge,
  'id' | 'by' | 'against' | 'quote' | 'status' | 'unexplained'
> {
  text: MarkdownText;
  answer: MarkdownText | null;
}

export interface PageDocument extends Pick<Seen, 'archive' | 'ledger' | 'underway' | 'altered'> {
  lang: Language;
  lanes: Lanes | null;
  brief: MarkdownText;
  /** The coordinator's own words; null where nobody wrote any. */
  synthesis: SaidTexts | null;
  own: OwnTexts;
  said: SaidTexts[];
  threads: Thread[];
  unchallenged: { id: string; by: string; tour: number; text: string }[];
  /** Every text of it that is Markdown, once. */
  texts: MarkdownText[];
}

/** The document of a page. Nothing is formatted yet. */
export function pageDocument(seen: Seen): PageDocument {
  const { archive, ledger, quoted, underway, altered } = seen;
  const { meta, contributions, synthesis } = archive;
  const texts: MarkdownText[] = [];
  const keep = <Text extends MarkdownText>(text: Text): Text => {
    texts.push(text);
    return text;
  };
  const own = ownTexts(seen, keep);
  const marks = Map.groupBy(quoted, turnOf);
  const marksIn = (one: { by: string; tour: number }): Mark[] => (marks.get(turnOf(one)) ?? []).map(markOf);
  const saidIn = (said: Contribution, level: number): SaidTexts => ({
    said,
    parts: partsIn(said, level, marksIn(said)).map(({ form, body }) => ({ form, body: keep(body) })),
  });
  const written = contributions.findLast((c) => c.phase === 'SYNTHESIZE' && c.by === synthesis.by);
  return {
    archive,
    ledger,
    underway,
    altered,
    lang: meta.lang,
    lanes: lanesOf(archive),
    brief: keep({ text: archive.brief, prefix: 'brief-', level: 2, marks: [] }),
    synthesis: written ? saidIn(written, 2) : null,
    own,
    said: contributions.filter((c) => c !== written).map((said) => saidIn(said, 4)),
    ...threadsOf(seen, marksIn, keep),
    texts,
  };
}

const markOf = ({ challenge, start, end }: QuotedPlace): Mark => ({
  challenge,
  start,
  end,
  href: `#${anchor('challenge', challenge)}`,
});

/** The parts of a contribution, each cut from its form; marks count from the beginning of a part's words. */
function partsIn(said: Contribution, level: number, marks: readonly Mark[]): SaidTexts['parts'] {
  let from = 0;
  return partsOf(said).map((part, at) => {
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
        marks: shifted(marks, start, body.length),
      },
    };
  });
}

/** The marks in a stretch of a text, counted from its beginning. */
const shifted = (marks: readonly Mark[], start: number, length: number): Mark[] =>
  marks
    .filter((mark) => mark.start < start + length && start < mark.end)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start - start), end: mark.end - start }));

/** The claims that were challenged with what was said about them, and those that were not. */
function threadsOf(
  { archive: { meta }, ledger }: Seen,
  marksIn: (claim: Claim) => readonly Mark[],
  keep: (text: MarkdownText) => MarkdownText,
): Pick<PageDocument, 'threads' | 'unchallenged'> {
  const raised = meta.ledger.challenges.map((challenge, at): Challenge & Raised => {
    const { text, answer = null } = ledger.challenges[at]!;
    const written = (kind: string, words: string): MarkdownText =>
      keep({ text: words, prefix: `${anchor(kind, challenge.id)}-`, level: 3, marks: [] });
    return {
      ...challenge,
      text: written('challenge', text),
      answer: answer === null ? null : written('answer', answer),
    } as Challenge & Raised;
  });
  const byTarget = Map.groupBy(raised, ({ target }) => target);
  const known = new Set(meta.ledger.claims.map(({ id }) => id));
  const isUsed = (claim: Claim): boolean => byTarget.has(claim.id);
  const texts = new Map(ledger.claims.map(({ id, text }) => [id, text]));
  const aimless = raised.filter(({ target }) => target === null || !known.has(target));
  const threads = meta.ledger.claims.filter(isUsed).map((claim): Thread => ({
    claim: {
      id: claim.id,
      by: claim.by,
      text: keep(claimText(claim, texts.get(claim.id) ?? '', marksIn(claim))),
    },
    challenges: byTarget.get(claim.id) ?? [],
  }));
  return {
    threads: aimless.length > 0 ? [...threads, { claim: null, challenges: aimless }] : threads,
    unchallenged: meta.ledger.claims
      .filter((claim) => !isUsed(claim))
      .map(({ id, by, tour }) => ({ id, by, tour, text: texts.get(id) ?? '' })),
  };
}

const claimText = ({ id, start }: Claim, text: string, marks: readonly Mark[]): MarkdownText => ({
  text,
  prefix: `${anchor('claim', id)}-`,
  level: 3,
  marks: shifted(marks, start, text.length),
});
