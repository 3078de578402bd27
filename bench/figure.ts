/** One figure of the benchmark: what is measured, against what, and how good it should be. */
export interface Figure {
  /** What `--only` takes. */
  name: string;
  what: string;
  against: string;
  /** The largest ratio that is good enough; null where only the surplus is stated. */
  goal: number | null;
  /** Milliseconds that the figure may take on top of the goal. */
  allowanceMs?: number;
  /** MB that the figure may take at most. */
  mostMb?: number;
  /** A ratio to hope for. */
  stretch?: number;
  /** Prepares a scratch folder and measures. `scratch` is empty, and deleted afterwards. */
  measure(scratch: string): Promise<Timings>;
}

/** Milliseconds, one pair a round: `baseline[i]` was measured right beside `figure[i]`. */
export interface Timings {
  figure: number[];
  baseline: number[];
  /** Milliseconds of processor time, where it was measured as well: then the goal is judged by it. */
  cpu?: { figure: number[]; baseline: number[] };
  /** The most memory of the figure's process, in MB. */
  mb?: number[];
}

/** A measured figure, as `--json` prints it; times are medians in milliseconds. */
export interface Result {
  name: string;
  what: string;
  against: string;
  rounds: number;
  ms: number;
  /** What 99 of 100 rounds do not exceed. */
  p99Ms: number;
  baselineMs: number;
  surplusMs: number;
  ratio: number;
  /** The middle half of the ratios of the single rounds. */
  ratioQuartiles: [number, number];
  goal: number | null;
  allowanceMs: number | null;
  stretch: number | null;
  /** Medians of the processor time in milliseconds, with their ratio; null where it was not measured. */
  cpu: { ms: number; baselineMs: number; ratio: number } | null;
  mb: number | null;
  mostMb: number | null;
  met: boolean | null;
}

/** Medians, ratio and verdict. */
export function resultOf(
  { name, what, against, goal, allowanceMs = 0, stretch, mostMb = Infinity }: Figure,
  { figure, baseline, cpu, mb }: Timings,
): Result {
  const [ms, baselineMs] = [quantile(figure, 0.5), quantile(baseline, 0.5)];
  const ratios = figure.map((value, round) => value / baseline[round]!);
  const ratio = rounded(ms / baselineMs, 3);
  const [judged, measure] = cpu ? [quantile(cpu.figure, 0.5), quantile(cpu.baseline, 0.5)] : [ms, baselineMs];
  const most = mb ? quantile(mb, 0.5) : 0;
  return {
    name,
    what,
    against,
    rounds: figure.length,
    ms: rounded(ms, 2),
    p99Ms: rounded(quantile(figure, 0.99), 2),
    baselineMs: rounded(baselineMs, 2),
    surplusMs: rounded(ms - baselineMs, 2),
    ratio,
    ratioQuartiles: [rounded(quantile(ratios, 0.25), 3), rounded(quantile(ratios, 0.75), 3)],
    goal,
    allowanceMs: allowanceMs === 0 ? null : allowanceMs,
    stretch: stretch ?? null,
    cpu: cpu
      ? { ms: rounded(judged, 2), baselineMs: rounded(measure, 2), ratio: rounded(judged / measure, 3) }
      : null,
    mb: mb ? Math.round(most) : null,
    mostMb: mostMb === Infinity ? null : mostMb,
    met: goal === null ? null : judged <= goal * measure + allowanceMs && most <= mostMb,
  };
}

/** The value below which that share of the values lies, interpolated. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
