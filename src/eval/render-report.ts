// Renders the report of an eval as Markdown with two plots. Pure.
import { table } from '../core/council/document/escape-markdown.ts';
import { fill, loadWords } from '../core/base/words/words.ts';
import type { Language, Words } from '../core/base/words/words.ts';
import { drawIntervals } from './draw-plots.ts';
import type { ArmFigures, Comparison, EvalReport, Surcharge } from './report.ts';

/** The files of a report, by name. The same report gives the same bytes. */
export function renderReport(report: EvalReport, lang: Language): Record<string, string> {
  const words = loadWords(lang);
  const w = words.eval;
  const { questions, repeat, results, launches, missing, corrected, corrupted, comparisons } = report;
  const text = [
    `# ${fill(w.title, { questions, repeat, seats: report.seats.join(', ') })}`,
    fill(w.taken, { results, launches, cost: describeCost(report, words) }),
    ...(missing > 0 ? [fill(w.missing, { missing, asked: missing + results })] : []),
    `## ${w.arms}`,
    table(
      w.armHead.split(' | '),
      report.arms.map((arm) => renderArm(arm, words)),
    ),
    `![${w.sharePlot}](share.svg)`,
    w.shared,
    fill(w.changed, { corrected, corrupted, results }),
    `## ${w.comparisons}`,
    table(
      w.comparisonHead.split(' | '),
      comparisons.map((one) => renderComparison(one, words)),
    ),
    `![${w.differencePlot}](difference.svg)`,
    fill(w.method, { count: comparisons.length }),
    `## ${w.surcharges}`,
    table(
      w.surchargeHead.split(' | '),
      report.surcharges.map((one) => renderSurcharge(one, words)),
    ),
  ].join('\n\n');
  const shares = report.arms.map(({ arm, share, interval }) => ({
    name: nameArm(arm, words),
    value: share,
    interval,
  }));
  const differences = comparisons.map(({ arms, difference, interval }) => ({
    name: arms.map((arm) => words.evalArms[arm]).join(' / '),
    value: difference,
    interval,
  }));
  return {
    'report.md': `${text}\n`,
    'share.svg': drawIntervals(shares, w.sharePlot, [0, 0.25, 0.5, 0.75, 1]),
    'difference.svg': drawIntervals(differences, w.differencePlot, [-1, -0.5, 0, 0.5, 1]),
  };
}

function nameArm(arm: ArmFigures['arm'], { eval: w, evalArms }: Words): string {
  return arm.startsWith('solo:')
    ? fill(w.solo, { seat: arm.slice('solo:'.length) })
    : evalArms[arm as keyof typeof evalArms];
}

const formatShare = (share: number, { common }: Words): string =>
  fill(common.percent, { value: Math.round(100 * share) });
const formatNumber = (value: number, digits: number, { common }: Words): string =>
  value.toFixed(digits).replace('.', common.decimal);
const formatUsd = (usd: number | null, words: Words): string =>
  usd === null ? '–' : formatNumber(usd, usd < 1 ? 4 : 2, words);

function describeCost({ costUsd }: EvalReport, words: Words): string {
  const { eval: w } = words;
  return costUsd === null ? w.costUnknown : fill(w.costUsd, { usd: formatUsd(costUsd, words) });
}

function renderArm({ arm, right, wrong, undecided, ...one }: ArmFigures, words: Words): string[] {
  const [from, to] = one.interval.map((share) => formatShare(share, words));
  return [
    nameArm(arm, words),
    ...[right, wrong, undecided].map(String),
    `${formatShare(one.share, words)} (${from} – ${to})`,
    formatNumber(one.turns, 1, words),
    formatUsd(one.costUsd, words),
  ];
}

function renderComparison({ arms, interval, verdict, needed, ...one }: Comparison, words: Words): string[] {
  const { eval: w, evalArms, evalVerdicts } = words;
  const points = (share: number): string => formatNumber(100 * share, 1, words);
  const found = evalVerdicts[verdict];
  return [
    arms.map((arm) => evalArms[arm]).join(' / '),
    String(one.onlyFirst),
    String(one.onlySecond),
    `${points(one.difference)}${interval ? ` (${interval.map(points).join(' – ')})` : ''}`,
    formatNumber(one.corrected, 4, words),
    needed === null ? found : fill(w.needed, { verdict: found, needed }),
  ];
}

function renderSurcharge({ arm, further, turns, interval, costUsd }: Surcharge, words: Words): string[] {
  const { eval: w, evalArms } = words;
  const limit = (value: number | null): string =>
    value === null ? w.unbounded : formatNumber(value, 1, words);
  const between = interval ? ` (${interval.map(limit).join(' – ')})` : '';
  return [
    evalArms[arm],
    formatNumber(further, 1, words),
    turns === null ? '–' : `${limit(turns)}${between}`,
    formatUsd(costUsd, words),
  ];
}
