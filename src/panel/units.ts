// Offline panel: one quantity in two units that differ: "1,900 ms (1.09 s)".
import { agree, findAmounts, inUnit } from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document } from './document.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { says } from './says.ts';
import { listPassages } from './passages.ts';
import { formatNumber } from './figures.ts';

const OPENS = /^\s*\((?:=\s?|or |i\.e\. |soit )?$/;
const CLOSES = /^\s*\)/;

/** Before "1 TB = 1000 GB", where it is no part of a longer calculation. */
const ALONE =
  /(?:^|[.;:,(|–—]|(?<![\p{L}\p{N}])(?!(?:times|x|per|each|every|by|an?|at|two|three|four|five|six|ten|fois|par|chaque|deux|trois|quatre)\s)\p{L}+)[\s"“«]*$/iu;
const GOES_ON = /^\s*(?:[+×x*·÷/^−-]\s*\d|\d)|^\s?(?:per|par|a|\/)\s?\p{L}/u;

/** Conversions in brackets and with "= that do not convert. */
export function units(document: Document): Located[] {
  return listPassages(document).flatMap(({ text, start }) => {
    const amounts = findAmounts(text, document.language);
    return amounts.flatMap((one, at) => {
      const other = amounts[at + 1];
      if (!other || one.rough || other.rough || one.unit === other.unit) return [];
      const [middle, after] = [text.slice(one.end, other.start), text.slice(other.end)];
      const isBracket = OPENS.test(middle) && CLOSES.test(after);
      const isEqual =
        /^\s*=\s*$/.test(middle) && ALONE.test(text.slice(0, one.start)) && !GOES_ON.test(after);
      if (!isBracket && !isEqual) return [];
      const wrong = convertAmount(one, other);
      if (wrong === undefined) return [];
      const words = (value: number, unit: string): string =>
        `${formatNumber(value, document.language, 3)} ${unit}`;
      const advice = says(document.language).wrongUnit(
        text.slice(one.start, one.end),
        words(wrong, other.written),
      );
      return [
        locate(
          document,
          { start: start + one.start, end: start + other.end },
          { severity: 'first', rule: 'unit', advice },
        ),
      ];
    });
  });
}

/** What the first is in the unit of the other, where that is not what the other says. */
function convertAmount(one: Amount, other: Amount): number | undefined {
  const exact = inUnit(one, other.unit);
  if (exact === undefined) return undefined;
  const slack = other.slack + (inUnit({ ...one, value: one.slack < 0.5 ? one.slack : 0 }, other.unit) ?? 0);
  // Bytes are counted by the thousand and by 1,024.
  const isBytes = /B$/.test(one.unit) && /B$/.test(other.unit);
  const ways = isBytes
    ? Array.from({ length: 2 * STEPS + 1 }, (_, step) => (1024 / 1000) ** (step - STEPS)).filter(
        (way) => Math.abs(Math.log(way) / Math.log(1.024)) <= stepsBetween(exact / one.value) + 0.1,
      )
    : [1];
  return ways.some((way) => agree(other.value, exact * way, slack)) ? undefined : exact;
}

/** From bytes to terabytes. */
const STEPS = 4;
/** How many times a thousand lie between two units of bytes, one at least. */
const stepsBetween = (ratio: number): number =>
  Math.max(1, Math.round(Math.abs(Math.log10(Math.abs(ratio))) / 3));
