// Offline panel: recomputes products and rates.
import { shiftSpan } from './place.ts';
import {
  isWithinSlack,
  findAmounts,
  convertToUnit,
  findSecondsPerUnit,
  asWritten,
  UNITS,
} from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document } from './document.ts';
import { checkEquations, OTHER_UNITS } from './equations.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import type { Block } from './prose.ts';

/** Finds wrong results of calculations, prices for a quantity, and rates in another unit of time. */
export function checkProducts(document: Document): Located[] {
  const written = checkEquations(document);
  const found = document.blocks.flatMap((block) => {
    const amounts = findAmounts(block.text, document.language);
    if (amounts.length < 2) return [];
    return [findWrongProducts, findWrongPrices, findWrongRates, findWrongPersonTime, findWrongSizes].flatMap(
      (rule) => rule(document, block, amounts),
    );
  });
  return [
    ...written,
    ...found.filter(({ start, end }) => !written.some((one) => one.start < end && start < one.end)),
  ];
}

function locateWrongProduct(
  document: Document,
  block: Pick<Block, 'start' | 'text'>,
  from: Amount,
  to: Amount,
  value: number,
): Located {
  const { say } = document;
  const written = asWritten(block.text.slice(from.start, to.end));
  const advice = say.wrongProduct(written, say.number(value));
  return locate(document, shiftSpan(block, from.start, to.end), 'product', advice);
}

const TIMES = /^(?:\s[\p{L}-]+){0,2}\s*[×x*·]\s*$/u;
const IS =
  /^(?:\s[\p{L}-]+){0,2}\s*=\s*$|^\s*,?\s?(?:that is|that makes|i\.e\.|soit|makes|is|are|font|fait)\s*$/u;

/** Checks "52 requests × 170 is 8,840", with two or more factors. */
function findWrongProducts(document: Document, block: Block, amounts: Amount[]): Located[] {
  const { text } = block;
  const found: Located[] = [];
  for (let at = 0; at < amounts.length - 2; at += 1) {
    const factors = [amounts[at]!];
    if (/[-+−–]\s*$/.test(text.slice(0, factors[0]!.start))) continue;
    while (TIMES.test(sliceGap(text, factors.at(-1), amounts[at + factors.length])))
      factors.push(amounts[at + factors.length]!);
    const result = amounts[at + factors.length];
    if (factors.length < 2 || !result || !IS.test(sliceGap(text, factors.at(-1), result))) continue;
    const value = factors.reduce((so, factor) => so * factor.value, 1);
    const slack =
      result.slack +
      factors.reduce((so, one) => so + (one.slack < 0.5 ? (one.slack / one.value) * value : 0), 0);
    if (
      !isWithinSlack(result.value, value, slack) &&
      !factors.some(({ rough }) => rough) &&
      !result.rough &&
      isPlain(value, result)
    )
      found.push(locateWrongProduct(document, block, factors[0]!, result, value));
    at += factors.length;
  }
  return found;
}

/** Returns false if the result may be in another unit: off by a power of a thousand, or by 24, 60 or 100. */
const isPlain = (value: number, result: Amount): boolean =>
  !OTHER_UNITS.slice(1).some(
    (factor) =>
      isWithinSlack(result.value * factor, value, result.slack * factor) ||
      isWithinSlack(result.value, value * factor, result.slack),
  );

const sliceGap = (text: string, a: Amount | undefined, b: Amount | undefined): string =>
  a && b ? text.slice(a.end, b.start) : '-';

const PER = /^\s?(?:per|par|le|la|the|\/|a|each)\s?([\p{L}²³]{1,12})/u;
const RESULT = /(?:,\s?|\.\s)(?:that is|that makes|which is|which makes|soit|ce qui fait)\s$/i;

/** Checks "21 € per m². We would take 1,150 m², that is 24,150 € a month". */
function findWrongPrices(document: Document, block: Block, amounts: Amount[]): Located[] {
  const { text } = block;
  return amounts.flatMap((result, at) => {
    const quantity = amounts[at - 1];
    if (
      !quantity ||
      (!RESULT.test(text.slice(quantity.end, result.start)) &&
        !RESULT.test(text.slice(Math.max(0, result.start - 20), result.start)))
    )
      return [];
    const counted = /^\s?([\p{L}²³]{1,12})/u.exec(text.slice(quantity.end))?.[1] ?? quantity.written;
    const price = amounts
      .slice(0, at - 1)
      .findLast((one) => one.unit === result.unit && PER.exec(text.slice(one.end))?.[1] === counted);
    if (!price || result.unit === '' || price.rough || quantity.rough || result.rough || counted === '')
      return [];
    const value = price.value * quantity.value;
    const fits = [1, 12, 1 / 12, 52, 365].some((factor) =>
      isWithinSlack(
        result.value,
        value * factor,
        result.slack + price.slack * quantity.value * (price.slack < 0.5 ? factor : 0),
      ),
    );
    return fits ? [] : [locateWrongProduct(document, block, quantity, result, value)];
  });
}

const A_TIME =
  /^(?:\s[\p{L}-]+){0,2}?\s?(?:an?|per|par|\/|each|chaque)\s?(seconds?|minutes?|hours?|days?|s|min|h|secondes?|heures?|jours?)(?![\p{L}])/u;

/** Checks "25 jobs a second. That is 1,500 jobs a minute and 90,000 an hour". */
function findWrongRates(document: Document, block: Block, amounts: Amount[]): Located[] {
  const { text } = block;
  const rates = amounts.flatMap((amount) => {
    const seconds = amount.unit === '' ? findSecondsEach(text, amount) : undefined;
    return seconds === undefined ? [] : [{ amount, seconds }];
  });
  return rates.flatMap(({ amount, seconds }, at) => {
    const before = rates[at - 1];
    if (!before || before.amount.rough || amount.rough || before.seconds === seconds) return [];
    if (!/(?:that is|that makes|soit|i\.e\.|=|\()\s*$/i.test(text.slice(before.amount.end, amount.start)))
      return [];
    const value = (before.amount.value / before.seconds) * seconds;
    const slack =
      amount.slack +
      (before.amount.slack < 0.5 ? (before.amount.slack / before.seconds) * seconds : 0) +
      value * 0.01;
    return isWithinSlack(amount.value, value, slack)
      ? []
      : [locateWrongProduct(document, block, before.amount, amount, value)];
  });
}

/** Returns the seconds in the time unit of a rate: "25 jobs a second", "90,000 an hour". */
function findSecondsEach(text: string, { end }: Amount): number | undefined {
  const word = A_TIME.exec(text.slice(end))?.[1];
  return word === undefined ? undefined : findSecondsPerUnit(UNITS[word] ?? word);
}

const FOR = /^(?:\s[\p{L}-]+){1,3}?\s(?:for|over|pendant|durant)\s$/u;
const MAKES = /^,?\s?(?:i\.e\.|that is|that makes|soit|=)\s*$/;
const EFFORT =
  /^[\s-]*(?:person|man|staff|developer)[\s-](?:day|week|month)s?|^\s?(?:jours|semaines|mois)[\s-](?:homme|personne)s?/iu;

/** Checks "2 developers for 3 months, i.e. 6 person-months". */
function findWrongPersonTime(document: Document, block: Block, amounts: Amount[]): Located[] {
  const { text } = block;
  return amounts.flatMap((result, at) => {
    const [people, time] = [amounts[at - 2], amounts[at - 1]];
    if (!people || !time || result.rough || people.rough || time.rough) return [];
    const written = text.slice(result.end - (result.unit === '' ? 0 : result.written.length));
    if (
      !EFFORT.test(written) ||
      !FOR.test(sliceGap(text, people, time)) ||
      !MAKES.test(sliceGap(text, time, result))
    )
      return [];
    const value = people.value * time.value;
    return isWithinSlack(result.value, value, 0.05)
      ? []
      : [locateWrongProduct(document, block, people, result, value)];
  });
}

const EACH = /\s(?:at|of|with|à|de)\s$/;
const SO = /^\s?(?:each|chacune?)?,?\s(?:i\.e\.|that is|so|soit|which makes|which is|=)\s$/;

/** Checks "10,000 messages per second at 2 KB each, i.e. 20 MB/s". */
function findWrongSizes(document: Document, block: Block, amounts: Amount[]): Located[] {
  const { text } = block;
  return amounts.flatMap((count, at) => {
    const [size, result] = [amounts[at + 1], amounts[at + 2]];
    if (!size || !result || count.unit !== '' || [count, size, result].some(({ rough }) => rough)) return [];
    if (!EACH.test(sliceGap(text, count, size)) || !SO.test(sliceGap(text, size, result))) return [];
    const [every, per] = [findSecondsEach(text, count), findSecondsEach(text, result)];
    const one = convertToUnit(size, result.unit);
    if (every === undefined || per === undefined || one === undefined) return [];
    const value = (count.value / every) * per * one;
    // Tolerates bytes counted in units of 1,024.
    return isWithinSlack(result.value, value, result.slack + value * 0.08)
      ? []
      : [locateWrongProduct(document, block, count, result, value)];
  });
}
