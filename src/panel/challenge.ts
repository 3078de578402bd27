// Offline panel: a reviewer's contribution to CHALLENGE.
import type { Assessment, Reviewer } from './reviewer.ts';
import type { Document, Span, Heading } from './document.ts';
import { formatExchange, parseFindings, isSameFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import { findFindingSpans, renderSpeakerOpening, renderOrigin, getArguments } from './argue.ts';
import type { Objection } from './argue.ts';
import { RULES } from './reviewer.ts';
import type { EarlierContribution, View } from './view.ts';
import { getLineText, splitSentences, intersectStems, collectStems } from './place.ts';
import { findAmounts } from './amounts.ts';
import type { Sentence } from './place.ts';

/** Returns the headings above a line in the outline, the innermost last. */
function listHeadingsAbove(document: Document, line: number): Heading[] {
  const start = document.starts[line - 1] ?? 0;
  const above = document.headings.filter((heading) => heading.start <= start);
  const nearest = above.at(-1);
  if (!nearest) return [];
  return [...nearest.parents.flatMap((text) => above.findLast((one) => one.text === text) ?? []), nearest];
}

const OPTION = /alternative|option|variant|scenario|scénario|approach|before and after/i;

/** Returns the two options that contain the two places of a finding; undefined if both are in the same one. */
function findOptionPair(finding: Finding, document: Document): [string, string] | undefined {
  const [other] = finding.also;
  if (other === undefined) return undefined;
  const [one, two] = [listHeadingsAbove(document, finding.line), listHeadingsAbove(document, other)];
  const apart = one.findIndex((heading, at) => heading.start !== two[at]?.start);
  const [a, b] = [one[apart], two[apart]];
  const isChoice =
    one.slice(0, apart).some(({ text }) => OPTION.test(text)) ||
    (OPTION.test(a?.text ?? '') && OPTION.test(b?.text ?? ''));
  return a && b && isChoice ? [a.text, b.text] : undefined;
}

const COMPARES =
  /instead of|compared (?:to|with)|rather than|down from|up from|against|than before|au lieu de|contre|par rapport/i;

/** Returns a sentence with a figure for the same subject, directly before or after in the same paragraph. */
function findNearFigure(finding: Finding, document: Document): string | undefined {
  const [place] = findFindingSpans(finding, document);
  const block = document.blocks.find(
    ({ start, text }) => place && start <= place.start && place.start < start + text.length,
  );
  if (!place || !block) return undefined;
  const sentences = splitSentences(block);
  const at = sentences.findIndex(({ start, end }) => start <= place.start && place.start < end);
  const claim = sentences[at];
  const isAbout = (one: Sentence): boolean =>
    COMPARES.test(one.text) ||
    (claim !== undefined && intersectStems(collectStems(claim.text), collectStems(one.text)).length > 0);
  const beside = [sentences[at + 1], sentences[at - 1]].find(
    (one) => one && isAbout(one) && findAmounts(one.text, document.language).some(({ unit }) => unit !== ''),
  );
  return beside?.text.trim().slice(0, 80);
}

/** Matches "> [!NOTE]" and "> **Note**": a callout by the author, written as a quotation. */
const CALLOUT =
  /^[>\s]*(?:\[!\w+\]|[^\p{L}]{0,12}(?:note|tip|important|warning|caution|hint|attention|info)\b)/iu;

const findQuotation = (finding: Finding, document: Document): Span | undefined => {
  const [place] = findFindingSpans(finding, document);
  return (
    place &&
    document.quotations.find((quotation) => quotation.start <= place.start && place.start < quotation.end)
  );
};

const isCallout = (quotation: Span | undefined, { text }: Document): boolean =>
  quotation !== undefined && CALLOUT.test(text.slice(quotation.start, quotation.start + 200));

const labelUsage = (finding: Finding, document: Document): number =>
  /^\[[^\]]+\]$/.test(finding.subject) ? document.text.split(finding.subject).length - 1 : 0;

const isQuoted = (finding: Finding, document: Document): boolean =>
  getLineText(document, finding.line).includes(finding.quote);

/** All objections, in order: only the first that applies to a finding is raised. */
export const OBJECTIONS: readonly Objection[] = [
  {
    reason: 'unfounded-quote',
    by: 'structure',
    against: RULES,
    raise: (finding, document, say) =>
      isQuoted(finding, document) ? undefined : say.notQuoted(finding.line),
    concede: (say) => say.notThere,
    keep: (say, { line }) => say.lookedAgain(line),
  },
  {
    reason: 'in-quotation',
    by: 'structure',
    against: ['claim', 'two-values', 'at-once'],
    raise: (finding, document, say) => findQuotation(finding, document) && say.inQuotation(finding.line),
    isExempt: (finding, document) => isCallout(findQuotation(finding, document), document),
    concede: (say) => say.somebodyElse,
    keep: (say, { line }, isExempt) => (isExempt ? say.callout : say.noQuotation(line)),
  },
  {
    reason: 'repeated-label',
    by: 'precision',
    against: ['reference', 'placeholder'],
    raise: (finding, document, say) =>
      labelUsage(finding, document) > 2 ? say.label(labelUsage(finding, document)) : undefined,
    concede: (say) => say.isLabel,
    keep: (say) => say.maybeLink,
  },
  {
    reason: 'two-options',
    by: 'structure',
    against: ['two-values', 'at-once', 'off-and-used'],
    raise(finding, document, say) {
      const found = findOptionPair(finding, document);
      return found && say.twoOptions(...found);
    },
    concede: (say) => say.differentOptions,
    keep: (say) => say.sameOption,
  },
  {
    reason: 'figure-beside',
    by: 'consistency',
    against: ['claim'],
    raise(finding, document, say) {
      const found = findNearFigure(finding, document);
      return found && say.figureBeside(found);
    },
    concede: (say) => say.figureSettles,
    keep: (say) => say.noFigure,
  },
];

/** Returns the author's answer to an objection, after checking the document itself. */
export function answerObjection(
  objection: Objection,
  finding: Finding,
  document: Document,
): { isConceded: boolean; words: string } {
  const say = getArguments(document);
  const isExempt = objection.isExempt?.(finding, document) === true;
  const isConceded = !isExempt && objection.raise(finding, document, say) !== undefined;
  const words = isConceded ? objection.concede(say) : objection.keep(say, finding, isExempt);
  return { isConceded, words };
}

/** Maximum number of challenges in one contribution; the rest is only counted. */
const RAISED = 12;
/** Maximum number of findings read per participant. */
const READ = 100;

interface OwnedFinding {
  label: string;
  finding: Finding;
}
interface Challenge extends OwnedFinding {
  reason: string;
  argument: string;
}

/** Parses the findings that others stated in COLLECT, with their labels. */
export function parseStatedClaims(contributions: readonly EarlierContribution[]): OwnedFinding[] {
  return contributions
    .filter(({ phase }) => phase === 'COLLECT')
    .flatMap(({ label, text }) =>
      parseFindings(text)
        .slice(0, READ)
        .map((finding) => ({ label, finding })),
    );
}

/** Writes a reviewer's contribution to CHALLENGE: its objections to the findings of others. */
export function challenge(
  reviewer: Reviewer,
  document: Document,
  assessment: Assessment,
  view: View,
): string {
  const words = document.say;
  const claims = parseStatedClaims(view.contributions).filter(
    ({ finding }) => !assessment.all.some((own) => isSameFinding(own, finding)),
  );
  const raised = claims.flatMap((claim) => raise(claim, reviewer, document));
  const others = new Set(claims.map(({ label }) => label)).size;
  const read = words.read(claims.length, others);
  const parts = [
    `${renderSpeakerOpening(reviewer.id)} ${raised.length === 0 ? `${read}; ${words.noneCollides}` : `${read} ${words.challenged(raised.length)}`}`,
    ...raised
      .slice(0, RAISED)
      .map(({ label, finding, reason, argument }) =>
        formatExchange({ kind: 'Challenge', reason, finding, words: argument }, label),
      ),
    raised.length > RAISED ? words.more(raised.length - RAISED) : '',
    renderOrigin(document.language),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Returns this reviewer's first objection to another's finding, if any. */
function raise(claim: OwnedFinding, reviewer: Reviewer, document: Document): Challenge[] {
  for (const objection of OBJECTIONS) {
    if (objection.by !== reviewer.id || !objection.against.includes(claim.finding.rule)) continue;
    const argument = objection.raise(claim.finding, document, getArguments(document));
    if (argument) return [{ ...claim, reason: objection.reason, argument }];
  }
  return [];
}
