// Translates recorded reasons, which are English, and puts rankings into words. Pure.
import { makeOnFirstUse } from '../memoize.ts';
import { fill, formatMoney, loadWords } from './words.ts';
import type { Words } from './words.ts';

type ReasonWords = Pick<Words, 'reasons' | 'reasonParts' | 'common'>;
type Key = keyof Words['reasons'];

/** What stands for a placeholder: a figure is one, and what was found in a file is all the rest of its sentence. */
const VALUES: Readonly<Record<string, string>> = {
  bytes: String.raw`\d+`,
  pid: String.raw`\d+`,
  status: String.raw`\d{3}`,
  provider: String.raw`\S+`,
  found: '.+',
};

/**
 * A recorded reason: the failure, perhaps more in brackets, then the program's words after a colon or full stop, then the remedy
 * after a semicolon.
 */
const buildReasonPattern = (sentence: string, end: string): RegExp => {
  const escaped = sentence.replace(/[.()]/g, '\\$&');
  const pattern = escaped.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${VALUES[name] ?? '.+?'})`);
  return new RegExp(`^${pattern}(?=(?<mark>${end}))`);
};

/** The longest sentences first: where two match, the longer one says more. */
const sortPatterns = <K extends string>(
  sentences: Record<K, string>,
  end: string,
): { key: K; pattern: RegExp }[] =>
  (Object.entries(sentences) as [K, string][])
    .toSorted(([, a], [, b]) => countOwn(b) - countOwn(a))
    .map(([key, sentence]) => ({ key, pattern: buildReasonPattern(sentence, end) }));

const SENTENCES = makeOnFirstUse(() => sortPatterns(loadWords('en').reasons, String.raw`: |; |\. | \(|\.?$`));
const PARTS = makeOnFirstUse(() => sortPatterns(loadWords('en').reasonParts, String.raw`\.?$`));

const countOwn = (sentence: string): number => sentence.replace(/\{\w+\}/g, '').length;

/** Ends the reason of a launch that was spared, because it would have failed like the one before. */
export const KNOWN_BEFORE = ' (known from an earlier launch)';

/** The failure alone: neither what mends it nor what the program said. */
export const nameFailure = (reason: string): string =>
  reason.replace(KNOWN_BEFORE, '').replace(/(?:; |\. It said: ).*/s, '');

/** Behind their colon stand words of another program. */
const QUOTING = new Set<Key>([
  'exit',
  'signal',
  'nothing',
  'complaint',
  'said',
  'answered',
  'brokeOff',
  'unreachable',
]);

/** Words of other programs stay as they are. */
export function translateReason(reason: string, words: ReasonWords): string {
  if (words.reasons === loadWords('en').reasons) return reason;
  for (const { key, pattern } of SENTENCES()) {
    const found = pattern.exec(reason);
    if (!found) continue;
    const { mark = '', ...values } = found.groups ?? {};
    const said = fill(words.reasons[key], translateValues(values, words));
    const rest = reason.slice(found[0].length);
    return `${said}${mark === ': ' && QUOTING.has(key) ? MARKS[mark] + rest.slice(2) : translateRest(rest, words)}`;
  }
  return reason;
}

/** What stands behind a sentence: brackets, then a mark with another sentence. */
function translateRest(rest: string, words: ReasonWords): string {
  const [brackets = '', within = ''] = /^ \(([^()]*)\)(?=: |; |\. | \(|\.?$)/.exec(rest) ?? [];
  if (brackets !== '') {
    const parts = within.split(', ').map((part) => translatePart(part, words));
    return ` (${parts.join(', ')})${translateRest(rest.slice(brackets.length), words)}`;
  }
  const [mark] = /^(?:: |; |\. )/.exec(rest) ?? [];
  return mark === undefined ? rest : `${MARKS[mark] ?? mark}${translateReason(rest.slice(2), words)}`;
}

const translateValues = (values: Record<string, string>, words: ReasonWords): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, translatePart(value, words)]));

/** What a sentence speaks of, or what stands in brackets. */
function translatePart(part: string, words: ReasonWords): string {
  for (const { key, pattern } of PARTS()) {
    const { mark, ...values } = pattern.exec(part)?.groups ?? {};
    if (mark !== undefined) return `${fill(words.reasonParts[key], translateValues(values, words))}${mark}`;
  }
  const [, usd] = /^\$(\d[\d.]*)$/.exec(part) ?? [];
  return usd === undefined ? translateReason(part, words) : formatMoney(Number(usd), words.common);
}

/** French sets a space before a colon and a semicolon. */
const MARKS: Readonly<Record<string, string>> = { ': ': ' : ', '; ': ' ; ' };

/** The reason for an absence in words, without the prefix `failed: `. */
export const translateAbsence = (reason: string, words: ReasonWords): string =>
  translateReason(reason.replace(/^failed: /, ''), words);

/** A phase as it is shown: where answers are ranked, RESOLVE is the one for that. */
export const namePhase = (phase: string, { ranks }: { ranks?: string | null | undefined }): string =>
  ranks && phase === 'RESOLVE' ? 'RANK' : phase;

/** "P2 > P1 = P3". */
export const formatRank = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => group.join(' = ')).join(' > ');
