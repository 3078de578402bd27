// Offline panel: recomputes shares from the numbers next to them.
import { shiftSpan } from './place.ts';
import { findAmounts, asWritten } from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document } from './document.ts';
import { listPassages } from './tables.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import type { Severity } from './finding.ts';
import type { Block } from './prose.ts';

/** Finds shares that do not follow from the part and the whole given with them. */
export function checkShares(document: Document): Located[] {
  return listPassages(document).flatMap((block) => {
    const amounts = findAmounts(block.text, document.language);
    const found = new Map<number, Located>();
    for (const rule of [checkSharesOfWhole, checkGroups, checkChanges, checkBeyondAll, checkBareParts])
      for (const one of rule(document, block, amounts)) if (!found.has(one.start)) found.set(one.start, one);
    return [...found.values()];
  });
}

interface ShareClaim {
  part: Amount;
  whole: Amount;
  share: Amount;
}

/** Returns whether the share follows from part and whole, within their rounding. */
function isShareRight({ part, whole, share }: ShareClaim): boolean {
  const exact = (part.value / whole.value) * 100;
  const computeSlack = (amount: Amount): number =>
    (amount.slack < 0.5 || amount.value > 1000 ? amount.slack : 0) / amount.value;
  const slack = share.slack + exact * (computeSlack(part) + computeSlack(whole));
  return Math.abs(share.value - exact) <= slack * 1.02 + 0.05;
}

function createShareFinding(document: Document, block: Block, { part, whole, share }: ShareClaim): Located {
  const { say } = document;
  const words = (amount: Amount): string => block.text.slice(amount.start, amount.end).trim();
  const exact = `${say.number((part.value / whole.value) * 100, 1)} %`;
  const advice = say.wrongShare(words(part), words(whole), exact);
  return locate(document, shiftSpan(block, share.start, share.end), 'share', advice);
}

const isCount = (amount: Amount | undefined): amount is Amount =>
  amount !== undefined && amount.unit !== '%' && !amount.rough && amount.value > 0;
const isShare = (amount: Amount | undefined): amount is Amount => amount?.unit === '%' && !amount.rough;
const hasSameUnit = (a: Amount, b: Amount): boolean => a.unit === b.unit || a.unit === '' || b.unit === '';

/** Creates a claim from a part, a whole and a share if they are plausible. */
function createShareClaim(
  part: Amount | undefined,
  whole: Amount | undefined,
  share: Amount | undefined,
): ShareClaim | undefined {
  if (!isCount(part) || !isCount(whole) || !isShare(share)) return undefined;
  return part.value <= whole.value && hasSameUnit(part, whole) ? { part, whole, share } : undefined;
}

/** Ways to state a share of a part and a whole: the order of the three amounts, and the text around them. */
const CLAIMS: readonly { part: 0 | 1; whole: 0 | 1; before?: RegExp; between: readonly [RegExp, RegExp] }[] =
  [
    // "12 of our 240 customers (5 %)".
    {
      ...{ part: 0, whole: 1 },
      between: [
        /^(?:\s[\p{L}-]+){0,2}?\s(?:of|out of|sur)(?: the| our| its| these| all| les| nos| ses)?\s$/u,
        /^(?:\s[\p{L}'’-]+){0,3}?(?:\s\(|,? (?:which is|that is|i\.e\.|soit|is|=) |, )$/u,
      ],
    },
    // "Of 92 people, 61 answered (66 %)".
    {
      ...{ part: 1, whole: 0 },
      before: /(?:^|[.;:]\s)(?:of|out of|sur)(?: the| our| les| nos)?\s$/iu,
      between: [/^(?:\s[\p{L}'’-]+){1,4},\s(?:[\p{L}'’-]+\s){0,5}$/u, /^(?:\s[\p{L}'’-]+){0,4}\s\($/u],
    },
    // "2.4 million requests a day. Of these, 1.9 million are product pages, which is 79 %".
    {
      ...{ part: 1, whole: 0 },
      between: [
        /(?:[.,;] (?:of these|of those|of them|of which|dont)),?\s$/i,
        /^(?:\s[\p{L}'’-]+){0,5}?,? (?:which is|that is|i\.e\.|soit|or) $|^(?:\s[\p{L}'’-]+){0,4} \($/u,
      ],
    },
  ];

/** Finds wrong shares given together with their part and whole. */
function checkSharesOfWhole(document: Document, block: Block, amounts: Amount[]): Located[] {
  const { text } = block;
  return CLAIMS.flatMap(({ part, whole, before, between }) =>
    amounts.flatMap((first, at) => {
      const three = amounts.slice(at, at + 3);
      const claim = createShareClaim(three[part], three[whole], three[2]);
      if (!claim || isShareRight(claim) || before?.test(text.slice(0, first.start)) === false) return [];
      const isSaid = between.every((gap, next) =>
        gap.test(text.slice(three[next]?.end, three[next + 1]?.start)),
      );
      return isSaid ? [createShareFinding(document, block, claim)] : [];
    }),
  );
}

const FROM = /(?:from|de)\s$/i;
const TO = /^\s(?:to|à)\s$/i;
const BY = /^(?:\s(?:a|per|par)\s[\p{L}]+)?(?:\s\([+−-]?|,\s(?:a|an|i\.e\.|soit|minus|plus)\s)$/iu;
const CHANGE =
  /^\)|^\s(?:reduction|decrease|increase|drop|rise|saving|less|more|de (?:réduction|baisse|hausse|moins|plus))/i;

/** Matches "from 100 to 150 users, an increase of 50 %". */
const RISE =
  /^(?:\s[\p{L}-]+){0,3}(?:,\s|\s[(–—-]\s?|\s\()(?:(?:i\.e\.|that is|soit)\s)?(?:(?:an?|une?)\s)?(?:\p{L}+\s)?(?:increase|decrease|reduction|rise|drop|fall|growth|cut|saving|hausse|baisse|augmentation|réduction|diminution|croissance|gain|économie)\s(?:of|by|de)\s$/iu;
const POINTS = /^\s?(?:percentage )?points?\b/i;

/** Checks "from 250 ms to 100 ms, a 60 % reduction". */
function checkChanges(document: Document, block: Block, amounts: Amount[]): Located[] {
  const { text } = block;
  return amounts.flatMap((from, at) => {
    const [to, share] = [amounts[at + 1], amounts[at + 2]];
    if (!from.value || !to || from.rough || to.rough || !isShare(share) || from.unit !== to.unit) return [];
    if (!FROM.test(text.slice(0, from.start)) || !TO.test(text.slice(from.end, to.start))) return [];
    const [middle, after] = [text.slice(to.end, share.start), text.slice(share.end)];
    const isChange = (BY.test(middle) && CHANGE.test(after)) || (RISE.test(middle) && !POINTS.test(after));
    if (!isChange) return [];
    const exact = (Math.abs(to.value - from.value) / from.value) * 100;
    // A share that falls from 8 % to 4 % falls by 50 %, or by 4 points.
    const ways = from.unit === '%' ? [exact, Math.abs(to.value - from.value)] : [exact];
    if (ways.some((way) => Math.abs(Math.abs(share.value) - way) <= share.slack + 1)) return [];
    const written = asWritten(text.slice(from.start, share.end));
    const advice = document.say.wrongChange(written, `${document.say.number(exact, 1)} %`);
    return [locate(document, shiftSpan(block, from.start, share.end), 'share', advice)];
  });
}

const PAIR = /^(?:\s[\p{L}'’-]+){0,5}?\s\($/u;

/**
 * Checks "34 want to move (56 %), 19 want to stay (31 %), and 8 do not mind (23 %)": finds the only share that
 * does not fit the common whole.
 */
function checkGroups(document: Document, block: Block, amounts: Amount[]): Located[] {
  const pairs = amounts.flatMap((part, at) => {
    const share = amounts[at + 1];
    return isCount(part) && isShare(share) && PAIR.test(block.text.slice(part.end, share.start))
      ? [{ part, share }]
      : [];
  });
  if (pairs.length < 3) return [];
  const wholes = amounts.filter(isCount);
  const fitting = wholes.map((whole) => ({
    whole,
    wrong: pairs.filter((pair) => pair.part !== whole && !isShareRight({ ...pair, whole })),
    right: pairs.filter((pair) => pair.part !== whole && isShareRight({ ...pair, whole })),
  }));
  const best = fitting.sort((a, b) => b.right.length - a.right.length)[0];
  // A share may refer to another whole in the text.
  const others = wholes.filter((whole) => !pairs.some(({ part }) => part === whole));
  const odd = best?.wrong.filter((pair) => !others.some((whole) => isShareRight({ ...pair, whole }))) ?? [];
  if (!best || best.right.length < 2 || odd.length !== 1) return [];
  return odd.map((pair) => createShareFinding(document, block, { ...pair, whole: best.whole }));
}

const PARTS =
  /^(?:\s[\p{L}'’-]+){0,3}?\s(?:of (?:its|the|their|our|his|her)|du|de (?:son|sa|ses|leur|notre|la))\s/u;
const NEXT = /^(?:\s[\p{L}'’-]+){1,6}(?:,| and|, and| et)\s$/u;

/** Checks "40 % of its time on mail, 35 % on reports and 35 % on thumbnails". */
function checkBeyondAll(document: Document, block: Block, amounts: Amount[]): Located[] {
  return amounts.flatMap((first, at) => {
    if (!isShare(first) || !PARTS.test(block.text.slice(first.end))) return [];
    return checkOverHundred(document, block, listShares(block, amounts.slice(at), NEXT), 'first');
  });
}

/** Lists the leading shares that are separated by `joint`. */
function listShares({ text }: Block, amounts: readonly Amount[], joint: RegExp): Amount[] {
  const end = amounts.findIndex(
    (one, at) => !isShare(one) || (at > 0 && !joint.test(text.slice(amounts[at - 1]?.end, one.start))),
  );
  return amounts.slice(0, end === -1 ? undefined : end);
}

/** Finds shares of one whole that add up to more than 100 %. */
function checkOverHundred(
  document: Document,
  block: Block,
  parts: readonly Amount[],
  severity: Severity,
): Located[] {
  const [first, last] = [parts[0], parts.at(-1)];
  const sum = parts.reduce((so, { value }) => so + value, 0);
  if (!first || !last || parts.length < 3 || sum <= 100 + parts.length * 0.5 || sum > 150) return [];
  const percent = (value: number): string => `${document.say.number(value)} %`;
  const written = parts.map(({ value }) => percent(value)).join(' + ');
  const advice = document.say.overHundred(written, percent(sum));
  return [locate(document, shiftSpan(block, first.start, last.end), 'share', advice, { severity })];
}

const ONE_WHOLE =
  /(?:traffic|load|budget|time|revenue|split|mix|spending|costs?|storage|calls|requests|users|trafic|charge|temps|répartition|dépenses|coûts?|appels|requêtes)(?:\s(?:is|are|est|sont)|\s?:)\s*$/iu;
const THING =
  /^\s(?:for |on |pour )?(?!of\b|d[eu]s?\b|more|less|plus|moins|faster|slower|cheaper|lower|higher|smaller|bigger|better|larger|fewer|cpu|memory|ram|disk|disque|mémoire)[\p{L}'’-]+(?:\s(?!of\b|d[eu]s?\b)[\p{L}'’-]+)?(?:,(?: and| et)?| and| et| &)\s$/iu;
const LAST =
  /^\s(?!of\b|d[eu]s?\b|more|less|plus|moins|\p{L}+er\b)(?:for |on |pour )?[\p{L}'’-]+(?:\s[\p{L}'’-]+)?\s?(?:[.;)]|$)/iu;

/** Checks "50 % web, 30 % mail and 30 % invoices": certain if the whole is named, else for a reader to judge. */
function checkBareParts(document: Document, block: Block, amounts: Amount[]): Located[] {
  const { text } = block;
  return amounts.flatMap((first, at) => {
    if (!isShare(first) || (at > 0 && THING.test(text.slice(amounts[at - 1]?.end, first.start)))) return [];
    const parts = listShares(block, amounts.slice(at), THING);
    if (!LAST.test(text.slice(parts.at(-1)?.end))) return [];
    return checkOverHundred(
      document,
      block,
      parts,
      ONE_WHOLE.test(text.slice(0, first.start)) ? 'first' : 'worth',
    );
  });
}
