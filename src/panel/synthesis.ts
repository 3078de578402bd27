// Offline panel: writes the synthesis as its coordinator, the rapporteur. It fits on one screen.
import { findAmounts } from './amounts.ts';
import { findDates } from './dates.ts';
import { readDocument } from './document.ts';
import type { Document } from './document.ts';
import {
  compareSeverity,
  describeLines,
  parseExchanges,
  parseFindings,
  parseQuotations,
  renderFindingHead,
  parseHead,
  isSameFinding,
} from './finding.ts';
import type { Finding } from './finding.ts';
import { getSentences } from './says.ts';
import type { Sentences } from './says.ts';
import { listTables } from './tables.ts';
import { PHASES } from './view.ts';
import type { View } from './view.ts';
import { toOneLine } from '../core/base/text.ts';
import { parseStatedClaims } from './challenge.ts';
import { renderSpeakerOpening } from './argue.ts';
import { REVIEWER_IDS } from './reviewer.ts';

/** Lines for the lists on a terminal of 80 columns; the rest of 30 lines is for the text around them. */
const LIST_LINES = 13;
/** Lines of these reserved for findings worth checking, if there are any. */
const LINES_FOR_WORTH_CHECKING = 4;
const WIDTH = 78;
/** Maximum number of findings passed on as data. */
const MAX_FINDINGS_AS_DATA = 100;

/** Writes the synthesis: what to look at first, what is worth checking, what was withdrawn. It has no verdict. */
export function synthesize(view: View): string {
  const document = readDocument(view.brief);
  const words = document.say;
  const voices = collectVoices(view);
  if (voices.length === 0) return `${words.nobody}\n`;
  const cases = buildCases(view);
  const standing = cases
    .filter(({ outcome }) => outcome !== 'withdrawn')
    .sort((a, b) => compareSeverity(a.finding, b.finding));
  const first = standing.filter(({ finding }) => finding.severity === 'first');
  const withdrawn = cases.length - standing.length;
  const contested = standing.filter(({ outcome }) => outcome === 'contested').length;
  const withUnparsedText = voices
    .filter(({ name, hasUnparsedText }) => hasUnparsedText && !opensAsReviewer(name, view))
    .map(({ name }) => name);
  const why = cases.length === 0 ? findAbstentionReason(view, words) : undefined;
  const lists = renderFindingLists(standing, words);
  const body = [
    `**${why === undefined ? words.headline(standing.length, first.length) : words.headline(0, 0)}.** ${why ?? words.headlineNote}`,
    ...lists.parts,
    [
      lists.left > 0 ? words.restInArchive(lists.left) : '',
      withdrawn > 0 ? words.headingWithdrawn(withdrawn) : '',
      contested > 0 ? words.headingContested(contested) : '',
      withUnparsedText.length > 0 ? words.freeWords(withUnparsedText.join(', ')) : '',
      why === undefined ? words.lookedAt(countDocumentParts(document)) : '',
      words.by(voices.map(({ name }) => name).join(', ')),
    ]
      .filter((part) => part !== '')
      .join(' '),
  ];
  return `---\nfindings: ${JSON.stringify(standing.slice(0, MAX_FINDINGS_AS_DATA).map(({ finding }) => toFindingData(finding)))}\n---\n${body.join('\n\n')}\n`;
}

/** Counts what was examined, to show that a document without findings was read. */
function countDocumentParts(document: Document) {
  const { blocks, links, language } = document;
  const tables = listTables(document);
  const cells = tables.flatMap(({ rows }) => rows.flat()).filter(({ amount }) => amount !== undefined);
  const texts = blocks.map(({ text }) => text);
  return {
    dates: texts.reduce((sum, text) => {
      const { days, impossible } = findDates(text, language);
      return sum + days.length + impossible.length;
    }, 0),
    numbers: texts.reduce((sum, text) => sum + findAmounts(text, language).length, cells.length),
    tables: tables.length,
    links: links.length,
  };
}

/** Renders both lists as far as they fit. Findings to look at first get most of the lines, with quotes if they fit. */
function renderFindingLists(
  standing: readonly FindingCase[],
  words: Sentences,
): { parts: string[]; left: number } {
  const findings = standing.map(({ finding }) => finding);
  const first = findings.filter(({ severity }) => severity === 'first');
  const worth = findings.filter(({ severity }) => severity === 'worth');
  const firstLines = LIST_LINES - Math.min(LINES_FOR_WORTH_CHECKING, worth.length);
  const quoted = first.map(formatWithQuote);
  const shown = takeFittingItems(
    countWrappedLines(quoted) <= firstLines ? quoted : first.map(formatFindingLine),
    firstLines,
  );
  const also = takeFittingItems(worth.map(formatFindingLine), LIST_LINES - countWrappedLines(shown));
  const part = (heading: string, items: string[]): string[] =>
    items.length === 0 ? [] : [`## ${heading}\n\n${items.join('\n')}`];
  return {
    parts: [...part(words.headingFirst, shown), ...part(words.headingWorth, also)],
    left: standing.length - shown.length - also.length,
  };
}

const countWrappedLines = (items: readonly string[]): number =>
  items
    .join('\n')
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil(line.length / WIDTH), 0);

/** Returns as many leading items as fit into the given number of lines. */
function takeFittingItems(items: readonly string[], lines: number): string[] {
  let count = items.length;
  while (count > 0 && countWrappedLines(items.slice(0, count)) > lines) count -= 1;
  return items.slice(0, count);
}

/** Names the words concerned, unless the advice contains them. */
const nameSubject = ({ subject, advice, language }: Finding): string =>
  subject === '' || advice.includes(subject) ? '' : getSentences(language).about(subject);

const cutToLength = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** Rules whose findings cannot be understood without the quoted words. */
const NEEDS_QUOTE = new Set([
  'reference',
  'empty-section',
  'placeholder',
  'none-considered',
  'twice-defined',
]);

const formatLocation = (one: Finding): string => `- ${describeLines(one)}${getSentences(one.language).colon}`;

const formatFindingLine = (one: Finding): string =>
  one.subject === '' && NEEDS_QUOTE.has(one.rule)
    ? formatWithQuote(one)
    : cutToLength(`${formatLocation(one)}${nameSubject(one)}${one.advice}`, WIDTH);

function formatWithQuote(one: Finding): string {
  const head = `${formatLocation(one)}${one.subject !== '' && one.quote.includes(one.subject) ? '' : nameSubject(one)}${one.advice}`;
  // A comment would be invisible, so only its words are shown.
  const quote = one.quote.replace(/<!--|-->/g, '').trim();
  return quote === '' ? head : `${head}\n  > ${cutToLength(quote, WIDTH - 4)}`;
}

/** Returns a finding as data for other programs: an entry in `council run --json`. */
const toFindingData = (one: Finding) => ({
  first: one.severity === 'first',
  kind: one.rule,
  lines: [one.line, ...one.also],
  quote: one.quote,
  says: `${nameSubject(one)}${one.advice}`,
});

/** Returns why the document was not reviewed, or undefined if it was. */
function findAbstentionReason(view: View, words: Sentences): string | undefined {
  const { notADocument, notText, empty, otherLanguage } = words;
  return [notADocument, notText, empty, otherLanguage].find((reason) =>
    view.contributions.some(({ text }) => text.includes(reason)),
  );
}

/** True if it speaks in the panel's form under its own name, so that its other words are not free ones. */
const opensAsReviewer = (name: string, view: View): boolean =>
  view.contributions.some(({ label, text }) => label === name && text.startsWith(renderSpeakerOpening(name)));

/** What became of a finding in the debate. */
interface FindingCase {
  finding: Finding;
  author: string;
  outcome: 'stands' | 'contested' | 'withdrawn';
}

/** Collects the findings of COLLECT, and what challenges and answers made of them. */
function buildCases({ contributions }: View): FindingCase[] {
  const cases = parseStatedClaims(contributions).map(({ label, finding }): FindingCase => ({
    finding,
    author: label,
    outcome: 'stands',
  }));
  for (const { label, phase, text } of contributions) {
    if (phase === 'CHALLENGE') {
      for (const { quoted } of parseQuotations(text)) {
        const head = parseHead(quoted);
        const found = cases.find(
          (one) =>
            one.author !== label &&
            (head ? isSameFinding(head, one.finding) : renderFindingHead(one.finding) === quoted),
        );
        if (found?.outcome === 'stands') found.outcome = 'contested';
      }
    } else if (phase === 'RESOLVE') {
      for (const { kind, finding } of parseExchanges(text)) {
        // Only its author can withdraw a finding.
        const found = cases.find((one) => one.author === label && isSameFinding(finding, one.finding));
        if (found && kind === 'Withdrawn') found.outcome = 'withdrawn';
      }
    }
  }
  return cases;
}

const SPEAKER_OPENING = new RegExp(`^\\*\\*(${REVIEWER_IDS.join('|')})\\*\\*: `, 'm');

interface Voice {
  /** The reviewer's id as given in its contributions, or else the label. */
  name: string;
  /** True if a contribution has no line in the panel's form. */
  hasUnparsedText: boolean;
}

function collectVoices(view: View): Voice[] {
  const voices = new Map<string, Voice>();
  const ordered = PHASES.flatMap((phase) => view.contributions.filter((said) => said.phase === phase));
  for (const { label, text } of ordered) {
    const voice = voices.get(label) ?? { name: toOneLine(label, 80), hasUnparsedText: false };
    voices.set(label, voice);
    const id = SPEAKER_OPENING.exec(text.slice(0, 4000))?.[1];
    if (id) voice.name = id;
    else if (parseFindings(text).length === 0) voice.hasUnparsedText = true;
  }
  return [...voices.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
