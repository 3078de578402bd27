// Offline panel: objections based on what else stands on the page.
import { amountsIn } from './amounts.ts';
import type { Document, Heading } from './document.ts';
import type { Finding } from './finding.ts';
import { spansOf, uphold, withdraw } from './objection.ts';
import type { Objection } from './objection.ts';
import { sentencesIn, shared, stemsOf } from './sentences.ts';
import type { Sentence } from './sentences.ts';
import { argue } from './argue.ts';

/** The headings under which a line stands, the nearest last. */
function under(document: Document, line: number): Heading[] {
  const start = document.starts[line - 1] ?? 0;
  const above = document.headings.filter((heading) => heading.start <= start);
  const nearest = above.at(-1);
  if (!nearest) return [];
  return [...nearest.parents.flatMap((text) => above.findLast((one) => one.text === text) ?? []), nearest];
}

const OPTION = /alternative|option|variant|scenario|scénario|approach|before and after/i;

/** The two options under which the two places of a finding stand; undefined where they stand under one. */
function optionsOf(finding: Finding, document: Document): [string, string] | undefined {
  const [other] = finding.also;
  if (other === undefined) return undefined;
  const [one, two] = [under(document, finding.line), under(document, other)];
  const apart = one.findIndex((heading, at) => heading.start !== two[at]?.start);
  const [a, b] = [one[apart], two[apart]];
  const isChoice =
    one.slice(0, apart).some(({ text }) => OPTION.test(text)) ||
    (OPTION.test(a?.text ?? '') && OPTION.test(b?.text ?? ''));
  return a && b && isChoice ? [a.text, b.text] : undefined;
}

const COMPARES =
  /instead of|compared (?:to|with)|rather than|down from|up from|against|than before|au lieu de|contre|par rapport/i;

/** A figure for the same thing in the sentence before or after, in the same paragraph. */
function figureBeside(finding: Finding, document: Document): string | undefined {
  const [place] = spansOf(finding, document);
  const block = document.blocks.find(
    ({ start, text }) => place && start <= place.start && place.start < start + text.length,
  );
  if (!place || !block) return undefined;
  const sentences = sentencesIn(block);
  const at = sentences.findIndex(({ start, end }) => start <= place.start && place.start < end);
  const claim = sentences[at];
  const isAbout = (one: Sentence): boolean =>
    COMPARES.test(one.text) ||
    (claim !== undefined && shared(stemsOf(claim.text), stemsOf(one.text)).length > 0);
  const beside = [sentences[at + 1], sentences[at - 1]].find(
    (one) => one && isAbout(one) && amountsIn(one.text, document.language).some(({ unit }) => unit !== ''),
  );
  return beside?.text.trim().slice(0, 80);
}

/** Collisions with what else the page says. */
export const FACT_OBJECTIONS: readonly Objection[] = [
  {
    reason: 'two-options',
    by: ['structure'],
    against: ['two-values', 'at-once', 'off-and-used'],
    raise: (finding, { document }) => {
      const found = optionsOf(finding, document);
      return found && argue(document).twoOptions(...found);
    },
    answer: (finding, document) =>
      optionsOf(finding, document)
        ? withdraw(argue(document).differentOptions)
        : uphold(argue(document).sameOption),
  },
  {
    reason: 'figure-beside',
    by: ['consistency'],
    against: ['claim'],
    raise: (finding, { document }) => {
      const found = figureBeside(finding, document);
      return found && argue(document).figureBeside(found);
    },
    answer: (finding, document) =>
      figureBeside(finding, document)
        ? withdraw(argue(document).figureSettles)
        : uphold(argue(document).noFigure),
  },
];
