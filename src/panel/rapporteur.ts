// Offline panel: writes the coordinator's synthesis, which fits on one screen.
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
import { REVIEWER_IDS } from './reviewer.ts';

/** Lines for the lists on a terminal of 80 columns; the rest of 30 lines is for the text around them. */
const ROOM = 13;
/** Of these, lines reserved for findings worth checking, if any. */
const FOR_WORTH = 4;
const WIDTH = 78;
/** Maximum number of findings passed on as data. */
const HANDED_ON = 100;

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
  const free = voices
    .filter(({ name, isFree }) => isFree && !isAbstention(name, view))
    .map(({ name }) => name);
  const why = cases.length === 0 ? findAbstention(view) : undefined;
  const lists = renderFindingLists(standing, words);
  const body = [
    `**${why === undefined ? words.headline(standing.length, first.length) : words.headline(0, 0)}.** ${why ?? words.headlineNote}`,
    ...lists.parts,
    [
      lists.left > 0 ? words.restInArchive(lists.left) : '',
      withdrawn > 0 ? words.headingWithdrawn(withdrawn) : '',
      contested > 0 ? words.headingContested(contested) : '',
      free.length > 0 ? words.freeWords(free.join(', ')) : '',
      why === undefined ? words.lookedAt(countDocumentParts(document)) : '',
      words.by(voices.map(({ name }) => name).join(', ')),
    ]
      .filter((part) => part !== '')
      .join(' '),
  ];
  return `---\nfindings: ${JSON.stringify(standing.slice(0, HANDED_ON).map(({ finding }) => asData(finding)))}\n---\n${body.join('\n\n')}\n`;
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

/** Renders both lists as far as they fit. First findings get most of the space, with quotes if they fit. */
function renderFindingLists(
  standing: readonly FindingCase[],
  words: Sentences,
): { parts: string[]; left: number } {
  const findings = standing.map(({ finding }) => finding);
  const first = findings.filter(({ severity }) => severity === 'first');
  const worth = findings.filter(({ severity }) => severity === 'worth');
  const room = ROOM - Math.min(FOR_WORTH, worth.length);
  const quoted = first.map(withQuote);
  const shown = takeFittingItems(
    countWrappedLines(quoted) <= room ? quoted : first.map(formatFindingLine),
    room,
  );
  const also = takeFittingItems(worth.map(formatFindingLine), ROOM - countWrappedLines(shown));
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
function takeFittingItems(items: readonly string[], room: number): string[] {
  let count = items.length;
  while (count > 0 && countWrappedLines(items.slice(0, count)) > room) count -= 1;
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
    ? withQuote(one)
    : cutToLength(`${formatLocation(one)}${nameSubject(one)}${one.advice}`, WIDTH);
function withQuote(one: Finding): string {
  const head = `${formatLocation(one)}${one.subject !== '' && one.quote.includes(one.subject) ? '' : nameSubject(one)}${one.advice}`;
  // A comment would be invisible, so only its words are shown.
  const quote = one.quote.replace(/<!--|-->/g, '').trim();
  return quote === '' ? head : `${head}\n  > ${cutToLength(quote, WIDTH - 4)}`;
}

/** Returns a finding as data for other programs: an entry in `council run --json`. */
const asData = (one: Finding) => ({
  first: one.severity === 'first',
  kind: one.rule,
  lines: [one.line, ...one.also],
  quote: one.quote,
  says: `${nameSubject(one)}${one.advice}`,
});

/** Returns why the document was not reviewed, or undefined if it was. */
function findAbstention(view: View): string | undefined {
  const { notADocument, notText, empty, otherLanguage } = readDocument(view.brief).say;
  return [notADocument, notText, empty, otherLanguage].find((reason) =>
    view.contributions.some(({ text }) => text.includes(reason)),
  );
}

const isAbstention = (name: string, view: View): boolean =>
  view.contributions.some(({ label, text }) => label === name && text.startsWith(`**${name}**`));

/** What became of a finding in the debate. */
interface FindingCase {
  finding: Finding;
  /** Its author. */
  label: string;
  outcome: 'stands' | 'contested' | 'withdrawn';
}

/** Collects the findings of COLLECT, and what challenges and answers made of them. */
function buildCases({ contributions }: View): FindingCase[] {
  const cases = parseStatedClaims(contributions).map((claim): FindingCase => ({
    ...claim,
    outcome: 'stands',
  }));
  for (const { label, phase, text } of contributions) {
    if (phase === 'CHALLENGE') {
      for (const { quoted } of parseQuotations(text)) {
        const head = parseHead(quoted);
        const found = cases.find(
          (one) =>
            one.label !== label &&
            (head ? isSameFinding(head, one.finding) : renderFindingHead(one.finding) === quoted),
        );
        if (found?.outcome === 'stands') found.outcome = 'contested';
      }
    } else if (phase === 'RESOLVE') {
      for (const { kind, finding } of parseExchanges(text)) {
        // Only its author can withdraw a finding.
        const found = cases.find((one) => one.label === label && isSameFinding(finding, one.finding));
        if (found && kind === 'Withdrawn') found.outcome = 'withdrawn';
      }
    }
  }
  return cases;
}

const PANEL = new RegExp(`^\\*\\*(${REVIEWER_IDS.join('|')})\\*\\*: `, 'm');

interface Voice {
  /** The reviewer's id as given in its contributions, or else the label. */
  name: string;
  /** Whether a contribution has no line in the panel's form. */
  isFree: boolean;
}

function collectVoices(view: View): Voice[] {
  const voices = new Map<string, Voice>();
  const ordered = PHASES.flatMap((phase) => view.contributions.filter((said) => said.phase === phase));
  for (const { label, text } of ordered) {
    const voice = voices.get(label) ?? { name: toOneLine(label, 80), isFree: false };
    voices.set(label, voice);
    const id = PANEL.exec(text.slice(0, 4000))?.[1];
    if (id) voice.name = id;
    else if (parseFindings(text).length === 0) voice.isFree = true;
  }
  return [...voices.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
