// Sums up the usage of launches, and renders it in archives with failed output and absences.
import { cleanForTerminal } from '../base/terminal.ts';
import { escapeComments, toOneLine } from '../base/text.ts';
import { renderTable } from '../council/document/markers.ts';
import { asCounted, sumUsage, sumTokens } from '../council/state/budget.ts';
import type { Spent } from '../council/state/budget.ts';
import { fill, formatFigure, formatMoney } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { renderParticipantName } from './archive.ts';
import type { Archive, ArchiveMeta } from './archive.ts';
import { renderCodeBlock } from './embed-markdown.ts';
import type { Budget, Limit, Absence, UsageRecord } from '../council/state/state.ts';
import { KNOWN_BEFORE, nameFailure } from '../base/words/reasons.ts';

/** Renders a council's usage by participant, and the state of its budget, as blocks of Markdown. */
export function renderCostSection({ meta }: Pick<Archive, 'meta'>, w: Words): string[] {
  const { usage, spent, budget } = meta;
  const words = w.archive;
  const figure = (value: number | null): string =>
    value === null ? words.unknown : formatFigure(value, w.common);
  const row = (label: string, sums: Spent): string[] => [
    label,
    String(sums.launches),
    ...[sums.inputTokens, sums.cachedTokens, sums.outputTokens, sums.costUsd].map(figure),
  ];
  const ids = [...new Set(usage.map(({ participant }) => participant))];
  const rows = ids.map((id) =>
    row(renderParticipantName(meta, id), sumUsage(usage.filter((u) => u.participant === id))),
  );
  const header = [
    ...[words.participant, words.launches, words.inputTokens, words.cachedTokens],
    ...[words.outputTokens, words.dollars],
  ];
  const limits = budget ? describeBudgetLimits(budget, meta, w) : [];
  return [
    spent ? renderTable(header, [...rows, row(words.total, spent)]) : words.noLaunches,
    ...(spent && spent.unknownTokens + spent.unknownCost > 0
      ? [fill(words.untold, { tokens: spent.unknownTokens, cost: spent.unknownCost })]
      : []),
    ...(limits.length > 0 ? [fill(words.budgetSet, { limits: limits.join('; ') })] : []),
    ...estimateCounted(usage, w),
    ...renderBudgetSpent(meta, w),
  ];
}

function describeBudgetLimits(budget: Budget, meta: ArchiveMeta, w: Words): string[] {
  const renderLimit = ({ usd, tokens }: Limit): string[] => [
    ...(usd === null ? [] : [formatMoney(usd, w.common)]),
    ...(tokens === null ? [] : [`${tokens} ${w.archive.tokens.toLowerCase()}`]),
  ];
  const own = Object.entries(budget.agents).map(
    ([id, limit]) => `${renderParticipantName(meta, id)} ${renderLimit(limit).join(', ')}`,
  );
  return [...renderLimit(budget), ...own];
}

/** Describes what the budget counted for launches with incomplete figures. */
function estimateCounted(usage: ArchiveMeta['usage'], w: Words): string[] {
  const estimated = usage.filter(({ estimate }) => estimate);
  if (estimated.length === 0) return [];
  const counted = sumUsage(estimated.map(asCounted));
  const figures = {
    launches: estimated.length,
    tokens: sumTokens(counted) ?? 0,
    cost: formatMoney(counted.costUsd ?? 0, w.common),
  };
  return [fill(w.archive.budgetEstimate, figures)];
}

/** Says that the council's budget was spent. */
function renderBudgetSpent({ transitions }: ArchiveMeta, w: Words): string[] {
  const first = transitions.find(({ reason }) => reason === 'budget');
  return first ? [fill(w.archive.budgetSpent, { tour: first.tour })] : [];
}

/** Renders the stderr of failed programs verbatim, except for terminal control codes, as blocks of Markdown. */
export function renderFailuresSection(
  { meta, absences }: Pick<Archive, 'meta' | 'absences'>,
  w: Words,
): string[] {
  return groupAbsences(absences).flatMap(({ participant, printed }) =>
    printed.flatMap((text) => [
      fill(w.archive.stderr, { participant: renderParticipantName(meta, participant) }),
      escapeComments(renderCodeBlock(cleanForTerminal(text), '')),
    ]),
  );
}

interface AbsenceGroup {
  participant: string;
  /** The most detailed reason: a skipped launch names only the failure. */
  reason: Absence['reason'];
  rounds: Pick<Absence, 'phase' | 'tour'>[];
  /** Distinct stderr outputs that the reason does not quote already. */
  printed: string[];
}

/** Groups one participant's absences of the same kind: the most detailed reason, and each output once. */
export function groupAbsences(absences: readonly Absence[]): AbsenceGroup[] {
  const groups = Map.groupBy(absences, ({ participant, reason }) => `${participant} ${nameFailure(reason)}`);
  return [...groups.values()].map((same) => {
    const { participant, reason } = same.reduce((fullest, one) =>
      rankReason(one.reason) > rankReason(fullest.reason) ? one : fullest,
    );
    const printed = same.map(({ stderr = '' }) => stderr.trim());
    return {
      participant,
      reason,
      rounds: same,
      printed: [...new Set(printed)].filter((text) => text !== '' && !reason.includes(toOneLine(text))),
    };
  });
}

const rankReason = (reason: string): number => (reason.endsWith(KNOWN_BEFORE) ? 0 : reason.length);

export const COST_KEYS = ['agent', 'model', 'council', 'month', 'day'] as const;
type CostKey = (typeof COST_KEYS)[number];

/** The launches of one council, under its display name. */
export interface CouncilUsage {
  council: string;
  usage: readonly UsageRecord[];
}

/** The shape of `council cost --json`. */
export interface CostReport {
  by: CostKey;
  /** The first day that counts (UTC), null for all. */
  since: string | null;
  /**
   * Sorted by cost, then tokens, then launches, largest first; months and days chronologically. `key` is null
   * for an unknown model. By model, each program has its own row; `program` is null if an older build did not
   * record it.
   */
  rows: ({ key: string | null; program?: string | null } & Spent)[];
  total: Spent;
}

/** Sums up the usage of launches. `since` is a day such as 2026-11-21; earlier launches do not count. */
export function buildCostReport(councils: CouncilUsage[], by: CostKey, since: string | null): CostReport {
  const launches = councils
    .flatMap(({ council, usage }) => usage.map((record) => ({ council, record })))
    .filter(({ record }) => since === null || record.at.slice(0, 10) >= since);
  const groups = Map.groupBy(launches, ({ council, record }) =>
    JSON.stringify([pickCostKey(by, council, record), by === 'model' ? record.program : null]),
  );
  const rows = [...groups.values()].map((group) => {
    const { council, record } = group[0]!;
    const program = by === 'model' && { program: record.program ?? null };
    return { key: pickCostKey(by, council, record), ...program, ...sumUsage(group.map((one) => one.record)) };
  });
  return {
    by,
    since,
    rows: rows.sort(by === 'day' || by === 'month' ? compareByTime : compareBySize),
    total: sumUsage(launches.map(({ record }) => record)),
  };
}

function pickCostKey(by: CostKey, council: string, { participant, model, at }: UsageRecord): string | null {
  switch (by) {
    case 'agent':
      return participant;
    case 'model':
      return model;
    case 'council':
      return council;
    case 'month':
      return at.slice(0, 7);
    case 'day':
      return at.slice(0, 10);
  }
}

type CostReportRow = CostReport['rows'][number];

const compareByTime = (a: CostReportRow, b: CostReportRow): number =>
  (a.key ?? '') < (b.key ?? '') ? -1 : 1;

const compareBySize = (a: CostReportRow, b: CostReportRow): number =>
  (b.costUsd ?? 0) - (a.costUsd ?? 0) ||
  countTokens(b) - countTokens(a) ||
  b.launches - a.launches ||
  (a.key ?? '').localeCompare(b.key ?? '') ||
  (a.program ?? '').localeCompare(b.program ?? '');

const countTokens = ({ inputTokens, outputTokens }: Spent): number =>
  (inputTokens ?? 0) + (outputTokens ?? 0);
