// A figure of the benchmark: what it is, what was measured of it, and whether it is good enough.

/** One figure of the benchmark: what is measured, against what, and how good it should be. */
export interface Figure {
  /** What `--only` takes. */
  name: string;
  what: string;
  against: string;
  /** The largest ratio that is good enough; null where only the surplus is stated. */
  goal: number | null;
  /** Milliseconds that the figure may take on top of the goal, or what it has as its unit. */
  allowanceMs?: number;
  /** MB that the figure may take at most. */
  mostMb?: number;
  /** A ratio to hope for. */
  stretch?: number;
  /** Why it misses its goal, in one sentence: told where it does. */
  why?: string;
  /** The goal is judged by wall time, although processor time is known: where waiting for the disk is what counts. */
  waits?: true;
  /** What is measured, where it is not time. */
  unit?: 'MB' | 'KB';
  /** Prepares a scratch folder and measures. `scratch` is empty, and deleted afterwards. */
  measure(scratch: string): Promise<Timings>;
}

/** Both sides of a figure, one pair a round: `baseline[i]` was measured right beside `figure[i]`. */
export interface Sides {
  figure: number[];
  baseline: number[];
}

/** Milliseconds of wall time, or what the figure has as its unit. */
export interface Timings extends Sides {
  /** Milliseconds of processor time, where it was measured as well: then the goal is judged by it, unless the figure waits. */
  cpu?: Sides;
  /** The most memory of the figure's process, in MB. */
  mb?: number[];
}

/** Medians of both sides, how their pairs relate, and between what that lies with 95 %. */
export interface Compared {
  figure: number;
  baseline: number;
  ratio: number;
  interval: [number, number];
}

/** A measured figure, as `--json` prints it and bench/figures.json keeps it; times are in milliseconds. */
export interface Result extends Pick<Figure, 'name' | 'what' | 'against' | 'goal'> {
  unit: 'ms' | 'MB' | 'KB';
  rounds: number;
  wall: Compared;
  /** What 99 of 100 rounds do not exceed. */
  p99: number;
  /** Null where it was not measured. */
  cpu: Compared | null;
  allowanceMs: number | null;
  stretch: number | null;
  mb: number | null;
  mostMb: number | null;
  why: string | null;
  met: boolean | null;
}

/** Medians, ratios and verdict. */
export function resultOf(figure: Figure, timings: Timings): Result {
  const { name, what, against, goal, allowanceMs = 0, stretch, mostMb = Infinity, why, unit, waits } = figure;
  const [wall, cpu] = [compared(timings), timings.cpu ? compared(timings.cpu) : null];
  const mb = timings.mb ? quantile(timings.mb, 0.5) : null;
  return {
    name,
    what,
    against,
    goal,
    unit: unit ?? 'ms',
    rounds: timings.figure.length,
    wall,
    p99: rounded(quantile(timings.figure, 0.99), 2),
    cpu,
    allowanceMs: allowanceMs === 0 ? null : allowanceMs,
    stretch: stretch ?? null,
    mb: mb === null ? null : Math.round(mb),
    mostMb: mostMb === Infinity ? null : mostMb,
    why: why ?? null,
    met:
      goal === null
        ? null
        : isMet(waits ? wall : (cpu ?? wall), { goal, allowanceMs }) && (mb ?? 0) <= mostMb,
  };
}

/** A ratio is judged as it is; an allowance is milliseconds on top of so many times the baseline. */
const isMet = (
  { figure, baseline, ratio }: Compared,
  { goal, allowanceMs }: { goal: number; allowanceMs: number },
): boolean => (allowanceMs === 0 ? ratio <= goal : figure <= goal * baseline + allowanceMs);

function compared({ figure, baseline }: Sides): Compared {
  const ratios = figure.map((value, round) => value / baseline[round]!);
  return {
    figure: rounded(quantile(figure, 0.5), 2),
    baseline: rounded(quantile(baseline, 0.5), 2),
    ratio: rounded(quantile(ratios, 0.5), 3),
    interval: intervalOf(ratios).map((value) => rounded(value, 3)) as [number, number],
  };
}

/** Between which of the values their median lies with 95 %: by their ranks, whatever their distribution; all of a few. */
export function intervalOf(values: number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const reach = (1.96 * Math.sqrt(sorted.length)) / 2;
  const low = Math.max(0, Math.floor(sorted.length / 2 - reach));
  return [sorted[low]!, sorted[sorted.length - 1 - low]!];
}

/** The value below which that share of the values lies, interpolated. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
