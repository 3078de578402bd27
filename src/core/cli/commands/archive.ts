// Commands `list`, `show`, `export`, `ledger` and `cost`.
import {
  listArchivedCouncils,
  show,
  exportCouncil,
  describeTurnout,
  recordOutcome,
} from '../../app/archives.ts';
import type { ListedArchive, ArchivePage } from '../../app/archives.ts';
import type {
  ExportInput,
  ListInput,
  OutcomeInput,
  ShowInput,
  EitherInput,
  CostInput,
} from '../../app/input/archive.ts';
import { describeSeat } from '../../app/coordinator.ts';
import { readLanguage } from '../../app/language.ts';
import { CouncilError } from '../../base/errors.ts';
import { fill, formatNames, loadWords } from '../../base/words/words.ts';
import type { Language, Words } from '../../base/words/words.ts';
import { toOneLine } from '../../base/text.ts';
import { formatLocalTime } from '../../base/local-time.ts';
import { pageOptions, toProseOutcome, toTextOutcome, withLocalTimes } from '../print.ts';
import { performHereOrAtServer } from '../spec.ts';
import type { Command } from '../spec.ts';
import { readLedger, reportCost } from '../../app/ledger.ts';
import { renderMarkdown, showPage } from '../render-markdown.ts';
import type { CostReport, Spent } from '../../app/ledger.ts';

export const performList: Command<ListInput> = async (cli) => {
  const result = await performHereOrAtServer(
    cli,
    () => listArchivedCouncils(cli),
    (_, { page }) => page as { unreadable: number; open: string[] },
  );
  const w = loadWords(await readLanguage(cli));
  const text = result.document.archives.map((one) => renderArchiveRow(one, w)).join('\n');
  const { open, unreadable } = result;
  const none =
    unreadable > 0
      ? w.standing.unreadable
      : open.length === 0
        ? w.standing.noArchive
        : fill(w.standing.noArchiveOpen, { names: formatNames(open, w) });
  return toProseOutcome(result, text || none);
};

const renderArchiveRow = (
  { id, topic, outcome, mode, status, endedAt, turnedOut }: ListedArchive,
  w: Words,
): string =>
  [
    toOneLine(id),
    `  ${toOneLine(topic)}`,
    `  ${toOneLine(outcome, 400)}  [${toOneLine(mode)}, ${status}, ${formatLocalTime(endedAt, Date.now(), w)}]`,
    ...(turnedOut ? [`  ${toOneLine(describeTurnout(turnedOut, w), 400)}`] : []),
  ].join('\n');

export const performOutcome: Command<OutcomeInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => recordOutcome(cli, input),
    () => ({}),
  );
  const { archive, outcome: recorded, replaced, changed } = result.document;
  const say = (one: typeof recorded): string => toOneLine(describeTurnout(one, loadWords('en')), 400);
  const lines = [
    changed ? `Recorded beside ${archive}: ${say(recorded)}` : `Recorded already: ${say(recorded)}`,
    ...(replaced ? [`It replaces, and that record is kept: ${say(replaced)}`] : []),
  ];
  return toTextOutcome(result, lines.join('\n'));
};

export const performShow: Command<ShowInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => show(cli, input),
    (_, { page }) => ({ page: () => page as ArchivePage }),
  );
  const page = result.page();
  // A pipe gets the times as they are in the file.
  const toLocalTimes = (part: string): string => withLocalTimes(part, page.times, page.lang, Date.now());
  const parts = cli.live ? page.parts.map(toLocalTimes) : page.parts;
  return toTextOutcome(result, await showPage({ ...page, parts }, pageOptions(cli)));
};

/** Formats that only a browser displays. */
const DRAWN: readonly string[] = ['html', 'svg'];

export const performExport: Command<ExportInput> = async (cli, input) => {
  if (cli.live && DRAWN.includes(input.format ?? '') && input.output === undefined)
    throw new CouncilError(
      'usage',
      `A terminal does not show ${input.format}: give a file to write it into.`,
      {
        hint: `Add --output council.${input.format}, or pass it on with: | cat`,
      },
    );
  const result = await exportCouncil(cli, input);
  return toTextOutcome(result, result.text);
};

export const performLedger: Command<EitherInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => readLedger(cli, input),
    (_, { page }) => ({ table: () => String(page) }),
  );
  const text = await renderMarkdown(result.table(), pageOptions(cli));
  return toTextOutcome(result, text || 'The ledger is empty: claims are read when COLLECT closes.');
};

export const performCost: Command<CostInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => reportCost(cli, input),
    () => ({}),
  );
  return toTextOutcome(result, renderCostTable(result.document, await readLanguage(cli)));
};

function renderCostTable({ by, rows, total }: CostReport, lang: Language): string {
  const { archive: w } = loadWords(lang);
  if (rows.length === 0) return w.noLaunches;
  const formatCostRow = (label: string, spent: Spent): string[] => [
    label,
    String(spent.launches),
    ...[spent.inputTokens, spent.cachedTokens, spent.outputTokens].map((count) =>
      count === null ? w.unknown : String(count),
    ),
    spent.costUsd === null ? w.unknown : spent.costUsd.toFixed(4),
  ];
  const nameKey = (key: string): string =>
    by === 'agent' ? describeSeat({ coordinator: key, lang }, key) : key;
  const nameRow = ({ key, program }: CostReport['rows'][number]): string =>
    toOneLine(`${key === null ? w.unknown : nameKey(key)}${program ? ` (${program})` : ''}`, 60);
  const lines = [
    [by, w.launches, w.inputTokens, w.cachedTokens, w.outputTokens, w.dollars],
    ...rows.map((row) => formatCostRow(nameRow(row), row)),
    formatCostRow(w.total, total),
  ];
  const measureWidth = (column: number): number =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0));
  const widths = lines[0]!.map((_, column) => measureWidth(column));
  const table = lines.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [...table, ...describeCaches(total, w)].join('\n');
}

function describeCaches(
  { unknownCost, unknownTokens, prompt, cachedTokens, inputTokens }: Spent,
  w: Words['archive'],
): string[] {
  const share = (part: number, whole: number) => ({ share: Math.round((100 * part) / whole) });
  return [
    ...(prompt.bytes > 0 ? [fill(w.cacheable, share(prompt.cacheable, prompt.bytes))] : []),
    ...(cachedTokens !== null && inputTokens ? [fill(w.cached, share(cachedTokens, inputTokens))] : []),
    ...(unknownTokens + unknownCost > 0
      ? [fill(w.untold, { tokens: unknownTokens, cost: unknownCost })]
      : []),
  ];
}
