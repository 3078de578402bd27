// Offline panel: objections based on where the words of a finding stand.
import type { Document, Heading, Span } from './document.ts';
import type { Finding } from './finding.ts';
import { LANGUAGE_RULES, spansOf, uphold, withdraw } from './objection.ts';
import type { Objection } from './objection.ts';
import { RULES } from './reviewer.ts';
import { findWords, lineAt, lineText, within } from './place.ts';

/** "> [!NOTE]" and "> **Note**": a box of the author's own, written as a quotation. */
const CALLOUT =
  /^[>\s]*(?:\[!\w+\]|[^\p{L}]{0,12}(?:note|tip|important|warning|caution|hint|attention|info)\b)/iu;

const quotationOf = (finding: Finding, document: Document): Span | undefined => {
  const [place] = spansOf(finding, document);
  return (
    place &&
    document.quotations.find((quotation) => quotation.start <= place.start && place.start < quotation.end)
  );
};

const linksOf = (finding: Finding, document: Document): { url: string }[] => {
  const places = spansOf(finding, document);
  if (finding.subject === '' || !places.every((place) => within(place, document.links))) return [];
  return document.links.filter((link) => places.some((place) => within(place, [link])));
};

function twins(finding: Finding, document: Document): Heading[] {
  const heading = document.headings.find((one) => lineAt(document, one.start) === finding.line);
  return heading
    ? document.headings.filter((one) => one.text.toLowerCase() === heading.text.toLowerCase())
    : [];
}

const allApart = (headings: readonly Heading[]): boolean =>
  headings.length > 1 &&
  new Set(headings.map(({ parents }) => parents.join('\n').toLowerCase())).size === headings.length;

const labelUses = (finding: Finding, document: Document): number =>
  /^\[[^\]]+\]$/.test(finding.subject) ? document.text.split(finding.subject).length - 1 : 0;

const isQuoted = (finding: Finding, document: Document): boolean =>
  lineText(document, finding.line).includes(finding.quote);

/** Collisions with where the words stand. */
export const PLACE_OBJECTIONS: readonly Objection[] = [
  {
    reason: 'unfounded-quote',
    by: ['structure'],
    against: Object.keys(RULES),
    raise: (finding, { document }) =>
      isQuoted(finding, document)
        ? undefined
        : `Line ${finding.line} of the brief does not contain these words.`,
    answer: (finding, document) =>
      isQuoted(finding, document)
        ? uphold(`I looked again: the quoted words stand on line ${finding.line}.`)
        : withdraw('The quoted words do not stand there.'),
  },
  {
    reason: 'in-quotation',
    by: ['structure'],
    against: LANGUAGE_RULES,
    raise: (finding, { document }) =>
      quotationOf(finding, document) &&
      `Line ${finding.line} is inside a quotation; quoted words are not the author's to change.`,
    answer: (finding, document) => {
      const quotation = quotationOf(finding, document);
      if (!quotation) return uphold(`Line ${finding.line} is not inside a quotation.`);
      const callout = CALLOUT.test(document.text.slice(quotation.start, quotation.start + 200));
      return callout
        ? uphold("It is written as a quotation, but it is a callout in the author's own words.")
        : withdraw("The words are somebody else's; they stay as they are.");
    },
  },
  {
    reason: 'in-link-text',
    by: ['structure'],
    against: LANGUAGE_RULES,
    raise: (finding, { document }) =>
      linksOf(finding, document).length > 0
        ? 'These words are the text of a link; it may be the name of the page it leads to.'
        : undefined,
    answer: (finding, document) => {
      const links = linksOf(finding, document);
      if (links.length === 0) return uphold('These words are not in a link.');
      const foreign = links.some(({ url }) => /^(?:https?:)?\/\//.test(url));
      return foreign
        ? withdraw("The link leads to another site, and the name of that page is not the author's to change.")
        : uphold('The link leads to a page of the same author; both names can change.');
    },
  },
  {
    reason: 'different-parents',
    by: ['plain-language'],
    against: ['duplicate-heading'],
    raise: (finding, { document }) =>
      allApart(twins(finding, document))
        ? 'The headings of this name stand under different headings; the same word for the same kind of part is what a reader expects.'
        : undefined,
    answer: (finding, document) =>
      allApart(twins(finding, document))
        ? withdraw('Each stands under another heading, so the outline does tell them apart.')
        : uphold('At least two of them stand under the same heading.'),
  },
  {
    reason: 'repeated-label',
    by: ['precision'],
    against: ['undefined-reference'],
    raise: (finding, { document }) =>
      labelUses(finding, document) > 2
        ? `The brief writes it ${labelUses(finding, document)} times in the same way: it is a label, not a link that lost its address.`
        : undefined,
    answer: (finding, document) =>
      labelUses(finding, document) > 2
        ? withdraw("Used that often, it is a label of the author's.")
        : uphold('Used once or twice, it may as well be a link that lost its address.'),
  },
];

/** Phrases of a trade, and the wording that the trade itself has come to use instead, if any. */
const TRADE: readonly { phrase: string; instead?: string }[] = [
  { phrase: 'master branch', instead: 'main branch' },
  { phrase: 'master node', instead: 'primary node' },
  { phrase: 'master server', instead: 'primary server' },
  { phrase: 'slave node', instead: 'replica' },
  { phrase: 'man in the middle', instead: 'on-path attack' },
  { phrase: 'sanity check', instead: 'quick check' },
  { phrase: "master's thesis" },
  { phrase: 'master thesis' },
  { phrase: 'man page' },
  { phrase: 'man pages' },
  { phrase: 'primitive type' },
  { phrase: 'primitive types' },
  { phrase: 'primitive value' },
  { phrase: 'primitive values' },
  { phrase: 'hero image' },
  { phrase: 'hero section' },
  { phrase: 'ADD COLUMN' },
];

function tradePhrase(finding: Finding, document: Document): (typeof TRADE)[number] | undefined {
  const line = lineText(document, finding.line).replace(/[-–]/g, ' ');
  return TRADE.find(
    ({ phrase }) => findWords(phrase, finding.subject).length > 0 && findWords(line, phrase).length > 0,
  );
}

/** Collisions with a fixed expression of software people. */
export const TRADE_OBJECTION: Objection = {
  reason: 'technical-phrase',
  by: ['plain-language'],
  against: ['insensitive-word'],
  raise: (finding, { document }) => {
    const found = tradePhrase(finding, document);
    return (
      found && `“${found.phrase}” is a fixed expression of the trade; another word may not be understood.`
    );
  },
  answer: (finding, document) => {
    const found = tradePhrase(finding, document);
    if (!found) return uphold('I do not see that expression on this line.');
    return found.instead
      ? uphold(`The trade has a word for it by now: “${found.instead}”.`)
      : withdraw('In this expression the word has nothing to do with people.');
  },
};
