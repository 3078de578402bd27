// Offline panel: one quantity in two units that differ: "1,900 ms (1.09 s)".
import { agree, amountsIn, inUnit } from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document } from './document.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { says } from './says.ts';
import { sentencesOf } from './sentences.ts';
import { shown } from './shown.ts';

const OPENS = /^\s*\((?:=\s?|or |i\.e\. |soit )?$/;
const CLOSES = /^\s*\)/;

/** Conversions in brackets that do not convert. */
export function units(document: Document): Located[] {
  return sentencesOf(document).flatMap(({ text, start }) => {
    const amounts = amountsIn(text, document.language);
    return amounts.flatMap((one, at) => {
      const other = amounts[at + 1];
      if (!other || one.rough || other.rough || one.unit === other.unit) return [];
      if (!OPENS.test(text.slice(one.end, other.start)) || !CLOSES.test(text.slice(other.end))) return [];
      const wrong = converted(one, other);
      if (wrong === undefined) return [];
      const words = (value: number, unit: string): string => `${shown(value, document.language, 3)} ${unit}`;
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
function converted(one: Amount, other: Amount): number | undefined {
  const exact = inUnit(one, other.unit);
  if (exact === undefined) return undefined;
  const slack = other.slack + (inUnit({ ...one, value: one.slack < 0.5 ? one.slack : 0 }, other.unit) ?? 0);
  // Bytes are counted by the thousand and by 1,024.
  const isBytes = /B$/.test(one.unit) && /B$/.test(other.unit);
  const ways = isBytes ? [1, 1024 / 1000, (1024 / 1000) ** 2, 1000 / 1024, (1000 / 1024) ** 2] : [1];
  return ways.some((way) => agree(other.value, exact * way, slack)) ? undefined : exact;
}
