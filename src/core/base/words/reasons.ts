// Translates a recorded reason, which is English, into the language of a council. Pure.
import { onFirstUse } from '../memoize.ts';
import { fill, loadWords } from './words.ts';
import type { Words } from './words.ts';

/** A recorded reason: the failure, then the program's words after a colon or full stop, then the remedy after a semicolon. */
const buildReasonPattern = (sentence: string): RegExp =>
  new RegExp(
    `^${sentence.replace(/[.()]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)')}(?=(?<mark>: |; |\\. |$))`,
  );

/** The longest sentences first: where two match, the longer one says more. */
const SENTENCES = onFirstUse(() =>
  Object.entries(loadWords('en').reasons)
    .toSorted(([, a], [, b]) => countOwn(b) - countOwn(a))
    .map(([key, sentence]) => ({
      key: key as keyof Words['reasons'],
      pattern: buildReasonPattern(sentence),
    })),
);

const countOwn = (sentence: string): number => sentence.replace(/\{\w+\}/g, '').length;

/** Ends the reason of a launch that was spared, because it would have failed like the one before. */
export const KNOWN_BEFORE = ' (known from an earlier launch)';

/** The failure alone: neither what mends it nor what the program said. */
export const nameFailure = (reason: string): string =>
  reason.replace(KNOWN_BEFORE, '').replace(/(?:; |\. It said: ).*/s, '');

/** Words of other programs stay as they are. */
export function translateReason(reason: string, { reasons }: Pick<Words, 'reasons'>): string {
  if (reasons === loadWords('en').reasons) return reason;
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
