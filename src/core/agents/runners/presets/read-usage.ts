// Reads tokens and costs from a program's output, apart from its answer: an unreadable answer costs, too.
import { sumKnown, toUnknownRecord } from '../../../base/text.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Usage } from '../turn-types.ts';
import { getValueByPath, listMembers } from './find-documents.ts';
import { FIGURES } from './output-formats.ts';
import type { Event, OutputShape, UsageRule } from './preset.ts';

/** Returns the usage in all documents, else in words on stderr; null if there is none. */
export function readUsage(
  events: readonly Event[],
  documents: readonly object[],
  { counts }: OutputShape,
  stderr: string,
): Usage | null {
  const told = events.flatMap(({ rule, document }) => {
    const figures = (rule.usage ?? [])
      .map((one) => readUsageByRule(one, document))
      .filter((one) => one !== null);
    const usage = figures.find(({ inputTokens }) => inputTokens !== null) ?? figures[0];
    return usage ? [{ rule, usage, document }] : [];
  });
  // A report that is printed twice was paid once.
  const isAgain = ({ rule, document }: Event, at: number): boolean =>
    rule.text !== undefined && told.findIndex((one) => isDeepStrictEqual(one.document, document)) < at;
  const ends = told.filter((one, at) => one.rule.figures === undefined && !isAgain(one, at));
  const sums = told.filter(({ rule }) => rule.figures === 'of all before').slice(-1);
  const [counted = told] = [ends, sums].filter((some) => some.length > 0);
  if (counted.length > 0) return addUsages(counted.map(({ usage }) => usage));
  return (
    (counts && readUsageFromText(counts, stderr)) ??
    documents.map(readUsageByName).findLast((one) => one !== null) ??
    null
  );
}

/** Takes the largest figure of each name anywhere in the document: it includes those of its parts. */
function readUsageByName(document: object): Usage | null {
  const findHighestCount = (name: RegExp): number | null => {
    const found = listMembers(document).flatMap(([key, value]) =>
      name.test(key) ? (toCount(value) ?? []) : [],
    );
    return found.length === 0 ? null : Math.max(...found);
  };
  return dropEmptyUsage({
    model: null,
    inputTokens: findHighestCount(FIGURES.input),
    cachedTokens: findHighestCount(FIGURES.cached) ?? undefined,
    outputTokens: findHighestCount(FIGURES.output),
    costUsd: findHighestCount(FIGURES.cost),
  });
}

function readUsageByRule(
  { models, input, cached = [], output, cost, model = [] }: UsageRule,
  document: object,
): Usage | null {
  const entries = Object.entries(
    models === undefined ? { '': document } : toUnknownRecord(getValueByPath(document, models)),
  );
  const readCount = (entry: unknown, paths: readonly string[]): number | null =>
    sumKnown(paths.map((path) => toCount(getValueByPath(entry, path))));
  const all = (paths: readonly string[]): number | null =>
    sumKnown(entries.map(([, entry]) => readCount(entry, paths)));
  const [mostUsed] = entries.toSorted(
    ([, a], [, b]) => (readCount(b, output) ?? 0) - (readCount(a, output) ?? 0),
  );
  const named = model
    .map((path) => getValueByPath(document, path))
    .filter((part) => typeof part === 'string');
  return dropEmptyUsage({
    model: mostUsed?.[0] || named.join('/') || null,
    inputTokens: all(input),
    cachedTokens: all(cached) ?? undefined,
    outputTokens: all(output),
    costUsd: cost === undefined ? null : readCount(document, [cost]),
  });
}

/** Returns null if no figure was reported. */
const dropEmptyUsage = (usage: Usage): Usage | null =>
  usage.inputTokens === null && usage.outputTokens === null && usage.costUsd === null ? null : usage;

const addUsages = (usages: readonly Usage[]): Usage => ({
  model: usages.findLast(({ model }) => model !== null)?.model ?? null,
  inputTokens: sumKnown(usages.map(({ inputTokens }) => inputTokens)),
  cachedTokens: sumKnown(usages.map(({ cachedTokens = null }) => cachedTokens)) ?? undefined,
  outputTokens: sumKnown(usages.map(({ outputTokens }) => outputTokens)),
  costUsd: sumKnown(usages.map(({ costUsd }) => costUsd)),
});

function readUsageFromText(
  { input, output }: NonNullable<OutputShape['counts']>,
  stderr: string,
): Usage | null {
  const [inputTokens = null, outputTokens = null] = [input, output].map((pattern) =>
    toCount(Number((pattern.exec(stderr)?.[1] ?? 'none').replaceAll(',', ''))),
  );
  return dropEmptyUsage({ model: null, inputTokens, outputTokens, costUsd: null });
}

/** Returns a figure; null for anything but a finite number from 0 on. */
export const toCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
