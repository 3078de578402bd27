// Renders the report of an eval as Markdown, and its two plots as self-contained SVG files. Pure.
import { renderTable } from '../core/council/document/markers.ts';
import { fill, formatMoney } from '../core/base/words/words.ts';
import type { Language } from '../core/base/words/words.ts';
import type { ArmFigures, Comparison, EvalReport, Surcharge } from './report.ts';
import { line, symbol, symbolCircle } from 'd3-shape';
import type { Interval } from './statistics.ts';
import { loadEvalWords } from './words.ts';
import type { EvalWords } from './words.ts';

function countAsked({ questions, repeat }: EvalReport, { eval: w }: EvalWords): string {
  const count = fill(questions === 1 ? w.oneQuestion : w.questions, { questions });
  return repeat === 1 ? count : fill(w.repeated, { questions: count, repeat });
}

/** A seat whose blind answer failed has nothing to reconsider, but takes part in the debate. */
function isAskedEquallyOften({ arms }: EvalReport): boolean {
  const count = (name: ArmFigures['arm']): number | undefined => arms.find(({ arm }) => arm === name)?.turns;
  return count('revise') === count('debate');
}

const formatCountPhrase = (count: number, one: string, many: string): string =>
  fill(count === 1 ? one : many, { count });

/** Returns the report's files by name. The same report gives the same bytes. */
export function renderReport(report: EvalReport, lang: Language): Record<string, string> {
  const words = loadEvalWords(lang);
  const w = words.eval;
  const { results, launches, missing, corrected, corrupted, comparisons } = report;
  const text = [
    `# ${fill(w.title, { asked: countAsked(report, words), seats: report.seats.join(', ') })}`,
    fill(w.taken, {
      results: formatCountPhrase(results, w.oneResult, w.results),
      launches: formatCountPhrase(launches, words.ending.oneLaunch, words.ending.launches),
      cost: describeCost(report, words),
    }),
    ...(missing > 0 ? [fill(w.missing, { missing, asked: missing + results })] : []),
    `## ${w.arms}`,
    renderTable(
      w.armHead.split(' | '),
      report.arms.map((arm) => renderArm(arm, words)),
    ),
    `![${w.sharePlot}](share.svg)`,
    isAskedEquallyOften(report) ? w.shared : w.sharedUnheard,
    fill(w.changed, { corrected, corrupted, results }),
    `## ${w.comparisons}`,
    renderTable(
      w.comparisonHead.split(' | '),
      comparisons.map((one) => renderComparison(one, words)),
    ),
    `![${w.differencePlot}](difference.svg)`,
    fill(w.method, { count: comparisons.length }),
    `## ${w.surcharges}`,
    renderTable(
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

function nameArm(arm: ArmFigures['arm'], { eval: w, evalArms }: EvalWords): string {
  return arm.startsWith('solo:')
    ? fill(w.solo, { seat: arm.slice('solo:'.length) })
    : evalArms[arm as keyof typeof evalArms];
}

const formatShare = (share: number, { common }: EvalWords): string =>
  fill(common.percent, { value: Math.round(100 * share) });
const formatNumber = (value: number, digits: number, { common }: EvalWords): string =>
  value.toFixed(digits).replace('.', common.decimal);
const formatUsd = (usd: number | null, words: EvalWords): string =>
  usd === null ? '–' : formatNumber(usd, usd < 1 ? 4 : 2, words);

function describeCost({ costUsd }: EvalReport, words: EvalWords): string {
  const { eval: w } = words;
  return costUsd === null ? w.costUnknown : formatMoney(costUsd, words.common);
}

function renderArm({ arm, right, wrong, undecided, ...one }: ArmFigures, words: EvalWords): string[] {
  const [from, to] = one.interval.map((share) => formatShare(share, words));
  return [
    nameArm(arm, words),
    ...[right, wrong, undecided].map(String),
    `${formatShare(one.share, words)} (${from} – ${to})`,
    formatNumber(one.turns, 1, words),
    formatUsd(one.costUsd, words),
  ];
}

function renderComparison(
  { arms, interval, verdict, needed, ...one }: Comparison,
  words: EvalWords,
): string[] {
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

function renderSurcharge({ arm, further, turns, interval, costUsd }: Surcharge, words: EvalWords): string[] {
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

interface PlotRow {
  name: string;
  value: number;
  interval: Interval | null;
}

const WIDTH = 720;
const ROW = 28;
const TOP = 44;
const LEFT = 320;
const RIGHT = WIDTH - 30;

/** `ticks` are the labelled values on the axis; the first and last are its ends. */
function drawIntervals(rows: readonly PlotRow[], title: string, ticks: readonly number[]): string {
  const bottom = TOP + rows.length * ROW;
  const [least, most] = [ticks[0]!, ticks.at(-1)!];
  const placeX = (value: number): number => LEFT + ((value - least) / (most - least)) * (RIGHT - LEFT);
  const grid = ticks.flatMap((tick) => {
    const x = placeX(tick);
    return [
      drawLine([x, TOP], [x, bottom], 'grid'),
      drawText(String(Math.round(100 * tick)), { x, y: bottom + 18, anchor: 'middle' }),
    ];
  });
  const marks = rows.flatMap(({ name, value, interval }, at) => {
    const y = TOP + (at + 0.5) * ROW;
    const [from, to] = (interval ?? [value, value]).map(placeX) as Interval;
    return [
      drawText(name, { x: LEFT - 14, y: y + 4, anchor: 'end' }),
      drawLine([from, y], [to, y], 'range'),
      `<path class="dot" transform="translate(${placeX(value).toFixed(1)},${y})" d="${symbol(symbolCircle, 60)()}"/>`,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 30}" role="img" aria-label="${escapeText(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#222}.grid{stroke:#ddd}.range{stroke:#3b6ea5;stroke-width:3}.dot{fill:#1f3f63}</style>
<rect width="100%" height="100%" fill="#fff"/>
${[drawText(title, { x: 16, y: 24, anchor: 'start' }), ...grid, ...marks].join('\n')}
</svg>
`;
}

const drawLine = (from: Interval, to: Interval, style: string): string =>
  `<path class="${style}" d="${line().digits(1)([from, to])}"/>`;

const drawText = (text: string, { x, y, anchor }: { x: number; y: number; anchor: string }): string =>
  `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}">${escapeText(text)}</text>`;

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
