// Offline panel: objections based on where the words of a finding stand.
import { argue } from './argue.ts';
import type { Document, Span } from './document.ts';
import type { Finding } from './finding.ts';
import { LANGUAGE_RULES, spansOf, uphold, withdraw } from './objection.ts';
import type { Objection } from './objection.ts';
import { RULES } from './reviewer.ts';
import { findWords, lineText, within } from './place.ts';

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
      isQuoted(finding, document) ? undefined : argue(document).notQuoted(finding.line),
    answer: (finding, document) =>
      isQuoted(finding, document)
        ? uphold(argue(document).lookedAgain(finding.line))
        : withdraw(argue(document).notThere),
  },
  {
    reason: 'in-quotation',
    by: ['structure'],
    against: [...LANGUAGE_RULES, 'claim', 'two-values', 'at-once'],
    raise: (finding, { document }) =>
      quotationOf(finding, document) && argue(document).inQuotation(finding.line),
    answer: (finding, document) => {
      const quotation = quotationOf(finding, document);
      if (!quotation) return uphold(argue(document).noQuotation(finding.line));
      const callout = CALLOUT.test(document.text.slice(quotation.start, quotation.start + 200));
      return callout ? uphold(argue(document).callout) : withdraw(argue(document).somebodyElse);
    },
  },
  {
    reason: 'in-link-text',
    by: ['structure'],
    against: [...LANGUAGE_RULES, 'claim'],
    raise: (finding, { document }) =>
      linksOf(finding, document).length > 0 ? argue(document).linkText : undefined,
    answer: (finding, document) => {
      const links = linksOf(finding, document);
      if (links.length === 0) return uphold(argue(document).notInLink);
      const foreign = links.some(({ url }) => /^(?:https?:)?\/\//.test(url));
      return foreign ? withdraw(argue(document).otherSite) : uphold(argue(document).ownPage);
    },
  },
  {
    reason: 'repeated-label',
    by: ['precision'],
    against: ['reference', 'placeholder'],
    raise: (finding, { document }) =>
      labelUses(finding, document) > 2 ? argue(document).label(labelUses(finding, document)) : undefined,
    answer: (finding, document) =>
      labelUses(finding, document) > 2
        ? withdraw(argue(document).isLabel)
        : uphold(argue(document).maybeLink),
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
