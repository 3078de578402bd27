// Says a recorded reason, which council has written in English, in the language of a council. Pure.
import { onFirstUse } from '../remember.ts';
import { fill, wordsFor } from './words.ts';
import type { Words } from './words.ts';

/** What a program said stands behind a colon or a full stop, what mends it behind a semicolon. */
const patternFor = (sentence: string): RegExp =>
  new RegExp(
    `^${sentence.replace(/[.()]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)')}(?=(?<mark>: |; |\\. |$))`,
  );

/** Those with the most words of their own first: of two that fit it says more. */
const SENTENCES = onFirstUse(() =>
  Object.entries(wordsFor('en').reasons)
    .toSorted(([, a], [, b]) => countOwn(b) - countOwn(a))
    .map(([key, sentence]) => ({ key: key as keyof Words['reasons'], pattern: patternFor(sentence) })),
);

const countOwn = (sentence: string): number => sentence.replace(/\{\w+\}/g, '').length;

/** What council has not written itself stays as it is. */
export function translateReason(reason: string, { reasons }: Pick<Words, 'reasons'>): string {
  if (reasons === wordsFor('en').reasons) return reason;
  for (const { key, pattern } of SENTENCES()) {
    const found = pattern.exec(reason);
    if (!found) continue;
    const { mark = '', ...values } = found.groups ?? {};
    const rest = translateReason(reason.slice(found[0].length + mark.length), { reasons });
    return `${fill(reasons[key], values)}${MARKS[mark] ?? mark}${rest}`;
  }
  return reason;
}

/** French sets a space before a colon and a semicolon. */
const MARKS: Readonly<Record<string, string>> = { ': ': ' : ', '; ': ' ; ' };
