// Offline panel: objections based on where the words of a finding stand.
import { argue } from './argue.ts';
import type { Document, Span } from './document.ts';
import type { Finding } from './finding.ts';
import { spansOf, uphold, withdraw } from './objection.ts';
import type { Objection } from './objection.ts';
import { RULES } from './reviewer.ts';
import { lineText } from './place.ts';

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
    against: ['claim', 'two-values', 'at-once'],
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
