// Offline panel: the coordinator's synthesis, short enough for one look.
import { findAmounts } from './amounts.ts';
import { findDates } from './dates.ts';
import { readDocument } from './document.ts';
import type { Document } from './document.ts';
import {
  bySeverity,
  describeLines,
  parseExchanges,
  parseQuotations,
  renderFindingHead,
  parseHead,
  sameFinding,
} from './finding.ts';
import type { Finding, Exchange } from './finding.ts';
import { says } from './says.ts';
import { listTables } from './tables.ts';
import { PHASES } from './view.ts';
import type { View, Phase } from './view.ts';
import { oneLine } from '../core/base/text.ts';
import { parseStatedClaims } from './challenge.ts';
import { REVIEWER_IDS } from './reviewer.ts';

/** Lines of a terminal of 80 columns that the lists may take; the rest of the 30 is for what stands around them. */
const ROOM = 13;
/** Of these, for what is worth checking, where there is any. */
const FOR_WORTH = 4;
const WIDTH = 78;
/** Findings that are handed on as data. */
const HANDED_ON = 100;

/** The coordinator's synthesis: what to look at first, what is worth checking, what was withdrawn. No verdict. */
export function synthesize(view: View): string {
  const document = readDocument(view.brief);
  const words = says(document.language);
  const voices = collectVoices(view);
  if (voices.length === 0) return `${words.nobody}\n`;
  const cases = buildCases(view);
  const standing = cases
    .filter(({ outcome }) => outcome !== 'withdrawn')
    .sort((a, b) => bySeverity(a.finding, b.finding));
  const first = standing.filter(({ finding }) => finding.severity === 'first');
  const withdrawn = cases.length - standing.length;
  const contested = standing.filter(({ outcome }) => outcome === 'contested').length;
  const free = voices
    .filter((voice) => voice.free.length > 0 && !isAbstention(voice.name, view))
    .map(({ name }) => name);
  const why = cases.length === 0 ? abstention(view) : undefined;
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

/** What there was to look at: a document without findings was read all the same. */
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

/** The two lists, as far as there is room. What comes first gets most of it, and its quotes where they fit. */
function renderFindingLists(
  standing: readonly Case[],
  words: ReturnType<typeof says>,
): { parts: string[]; left: number } {
  const findings = standing.map(({ finding }) => finding);
  const first = findings.filter(({ severity }) => severity === 'first');
  const worth = findings.filter(({ severity }) => severity === 'worth');
  const room = ROOM - Math.min(FOR_WORTH, worth.length);
  const quoted = first.map(withQuote);
  const shown = takeFittingItems(countWrappedLines(quoted) <= room ? quoted : first.map(inOneLine), room);
  const also = takeFittingItems(worth.map(inOneLine), ROOM - countWrappedLines(shown));
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

/** As many of the items, from the first on, as fit into so many lines. */
function takeFittingItems(items: readonly string[], room: number): string[] {
  let count = items.length;
  while (count > 0 && countWrappedLines(items.slice(0, count)) > room) count -= 1;
  return items.slice(0, count);
}

/** The words concerned, unless the sentence says them itself. */
const nameSubject = ({ subject, advice, language }: Finding): string =>
  subject === '' || advice.includes(subject) ? '' : says(language).about(subject);
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** Findings whose sentence says nothing without the words that it is about. */
const NEEDS_QUOTE = new Set([
  'reference',
  'empty-section',
  'placeholder',
  'none-considered',
  'twice-defined',
]);

const at = (one: Finding): string => `- ${describeLines(one)}${says(one.language).colon}`;
const inOneLine = (one: Finding): string =>
  one.subject === '' && NEEDS_QUOTE.has(one.rule)
    ? withQuote(one)
    : cut(`${at(one)}${nameSubject(one)}${one.advice}`, WIDTH);
function withQuote(one: Finding): string {
  const head = `${at(one)}${one.subject !== '' && one.quote.includes(one.subject) ? '' : nameSubject(one)}${one.advice}`;
  // A comment would not be seen: its words are.
  const quote = one.quote.replace(/<!--|-->/g, '').trim();
  return quote === '' ? head : `${head}\n  > ${cut(quote, WIDTH - 4)}`;
}

/** A finding as other programs read it: what `council run --json` lists. */
const asData = (one: Finding) => ({
  first: one.severity === 'first',
  kind: one.rule,
  lines: [one.line, ...one.also],
  quote: one.quote,
  says: `${nameSubject(one)}${one.advice}`,
});

/** Why the document was not reviewed, where it was not. */
function abstention(view: View): string | undefined {
  const { language } = readDocument(view.brief);
  const { notADocument, notText, empty, otherLanguage } = says(language);
  return [notADocument, notText, empty, otherLanguage].find((reason) =>
    view.contributions.some(({ text }) => text.includes(reason)),
  );
}

const isAbstention = (name: string, view: View): boolean =>
  view.contributions.some(({ label, text }) => label === name && text.startsWith(`**${name}**`));

/** One finding with everything that was said about it. */
interface Case {
  finding: Finding;
  /** The name of the voice that raised it. */
  owner: string;
  label: string;
  challenges: { by: string; reason: string; words: string }[];
  /** The owner's answers. */
  answers: Exchange[];
  outcome: 'stands' | 'contested' | 'withdrawn';
}

interface Voice {
  label: string;
  /** The reviewer's id, as its contributions give it; else the label. */
  name: string;
  /** Contributions without a single line in the panel's form. */
  free: { phase: Phase; opening: string; characters: number }[];
}

/** The findings of COLLECT with their challenges and answers. */
function buildCases(view: View): Case[] {
  const names = new Map(collectVoices(view).map(({ label, name }) => [label, name]));
  const cases = parseStatedClaims(view.contributions).map(({ label, finding }): Case => ({
    finding,
    label,
    owner: names.get(label) ?? label,
    challenges: [],
    answers: [],
    outcome: 'stands',
  }));
  for (const { label, phase, text } of view.contributions) {
    if (phase === 'CHALLENGE') {
      for (const { quoted, reason = 'free-words', words } of parseQuotations(text)) {
        const head = parseHead(quoted);
        const found = cases.find(
          (one) =>
            one.label !== label &&
            (head ? sameFinding(head, one.finding) : renderFindingHead(one.finding) === quoted),
        );
        found?.challenges.push({ by: label, reason, words });
      }
    } else if (phase === 'RESOLVE') {
      // Only its author can withdraw a finding.
      for (const answer of parseExchanges(text)) {
        if (answer.kind !== 'Challenge')
          cases
            .find((one) => one.label === label && sameFinding(answer.finding, one.finding))
            ?.answers.push(answer);
      }
    }
  }
  for (const one of cases) {
    if (one.answers.some(({ kind }) => kind === 'Withdrawn')) one.outcome = 'withdrawn';
    else if (one.challenges.length > 0) one.outcome = 'contested';
  }
  return cases;
}

const PANEL = new RegExp(`^\\*\\*(${REVIEWER_IDS.join('|')})\\*\\*: `, 'm');

/** Who spoke, and what they said in free words. */
function collectVoices(view: View): Voice[] {
  const voices = new Map<string, Voice>();
  const ordered = PHASES.flatMap((phase) => view.contributions.filter((said) => said.phase === phase));
  for (const { label, phase, text } of ordered) {
    const voice = voices.get(label) ?? { label, name: oneLine(label, 80), free: [] };
    voices.set(label, voice);
    const id = PANEL.exec(text.slice(0, 4000))?.[1];
    if (id) voice.name = id;
    else if (parseStatedClaims([{ label, phase: 'COLLECT', text }]).length === 0)
      voice.free.push({ phase, opening: excerptOpening(text), characters: text.length });
  }
  return [...voices.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const excerptOpening = (text: string): string =>
  oneLine(
    text
      .slice(0, 5000)
      .replace(/^---\r?\n[^]*?\n---\r?\n/, '')
      .slice(0, 400),
    160,
  );
