// Computes the layout of the picture: lanes from top to bottom, columns from left to right, a slot per participant.
import type { Lane, Lanes, LaneRow, Stop, LaneRound } from './lanes.ts';

/** In units of the picture, which are pixels at its original size. */
const WIDTH = 900;
const ROW = 20;
const LABEL = 24;
const GAP = 12;
const PADDING = 6;
const LEAST_STEP = 110;
/** Maximum width of a character. */
const LETTER = 7.6;
const LONGEST_NAME = 22;

export interface PlacedLane extends Lane {
  top: number;
  height: number;
}

/** A stop of a row; the last one is the end. */
export interface PlacedStop {
  x: number;
  y: number;
  lane: PlacedLane;
  stop: Stop;
}

export interface PlacedRow {
  row: LaneRow;
  points: PlacedStop[];
}

export interface Layout {
  width: number;
  height: number;
  /** The left and right edges of the bands. */
  left: number;
  right: number;
  columns: { column: LaneColumn; x: number }[];
  end: number;
  lanes: PlacedLane[];
  rows: PlacedRow[];
  joins: { numbers: string[]; x: number; top: number; bottom: number }[];
}

/** Estimates the maximum width of a text: East Asian characters are twice as wide. */
export const measureTextWidth = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (sign.codePointAt(0)! > 0x10ff ? 2 : 1), 0) * LETTER;

export const measureSmallText = (text: string): number => measureTextWidth(text) * 0.9;

/** Shortens a name to fit into the picture. */
export const shortenName = (name: string): string => {
  const signs = [...name];
  return signs.length > LONGEST_NAME ? `${signs.slice(0, LONGEST_NAME - 1).join('')}…` : name;
};

/** Computes the layout below `top`. `describeEnd` returns the text after a name at its end. */
export function layOutLanes(lanes: Lanes, top: number, describeEnd: (row: LaneRow) => string): Layout {
  const columns = foldRounds(lanes);
  const names = lanes.rows.map(({ name }) => measureTextWidth(shortenName(name)));
  const left = Math.max(60, ...names) + 24;
  const ends = lanes.rows.map((row, at) => names[at]! + measureTextWidth(describeEnd(row)));
  const margin = Math.max(60, ...ends) + 24;
  const step = Math.max(LEAST_STEP, (WIDTH - left - margin - 24) / columns.length);
  const computeX = (at: number): number => Math.round(left + 12 + at * step);
  const end = computeX(columns.length);
  const ways = lanes.rows.map((row) => selectColumnStops(row, columns).map(({ number }) => number));
  const slots = assignSlots(ways);
  const placed = placeLanes(lanes.lanes, { ways, slots }, top);
  const byNumber = new Map(placed.map((lane) => [lane.number, lane]));
  const rows = lanes.rows.map((row, index): PlacedRow => ({
    row,
    points: selectColumnStops(row, columns).map((stop, at): PlacedStop => {
      const lane = byNumber.get(stop.number) ?? placed.at(-1)!;
      return { x: computeX(at), y: lane.top + PADDING + (slots[at]![index]! + 0.5) * ROW, lane, stop };
    }),
  }));
  const bottom = placed.at(-1)!;
  return {
    width: Math.round(end + 12 + margin),
    height: bottom.top + bottom.height,
    left,
    right: end + 12,
    columns: columns.map((column, at) => ({ column, x: computeX(at) })),
    end,
    lanes: placed,
    rows,
    joins: layOutJoins(lanes.joins, byNumber, Math.round(end - step / 2)),
  };
}

/** Returns a row's stop in each column, and its final position. */
function selectColumnStops({ stops, end }: LaneRow, columns: readonly LaneColumn[]): Stop[] {
  return [...columns.map(({ at }) => stops[at.at(-1)!]!), { number: end, kind: 'stated' }];
}

/** Assigns slots within lanes by column: a participant who stays keeps it, others take the first free one. */
function assignSlots(ways: readonly string[][]): number[][] {
  const slots: number[][] = [];
  for (let at = 0; at < (ways[0]?.length ?? 0); at++) {
    const before = slots[at - 1];
    const taken = new Set<string>();
    const now: number[] = [];
    const take = (index: number, slot: number): void => {
      now[index] = slot;
      taken.add(`${ways[index]![at]} ${slot}`);
    };
    const coming: number[] = [];
    ways.forEach((way, index) => {
      if (before && way[at] === way[at - 1]) take(index, before[index]!);
      else coming.push(index);
    });
    for (const index of coming.sort((a, b) => countStay(ways[b]!, at) - countStay(ways[a]!, at) || a - b)) {
      let slot = 0;
      while (taken.has(`${ways[index]![at]} ${slot}`)) slot++;
      take(index, slot);
    }
    slots.push(now);
  }
  return slots;
}

/** Returns for how many columns a position is kept: those that stay longest go on top, so that fewer lines cross. */
function countStay(way: readonly string[], from: number): number {
  const left = way.findIndex((number, at) => at > from && number !== way[from]);
  return (left === -1 ? way.length : left) - from;
}

function placeLanes(
  lanes: readonly Lane[],
  { ways, slots }: { ways: readonly string[][]; slots: readonly number[][] },
  top: number,
): PlacedLane[] {
  let next = top;
  return lanes.map((lane) => {
    const places = slots.flatMap((now, at) => now.filter((_, index) => ways[index]![at] === lane.number));
    const height = (Math.max(0, ...places) + 1) * ROW + 2 * PADDING;
    const placed = { ...lane, top: next + LABEL, height };
    next += LABEL + height + GAP;
    return placed;
  });
}

function layOutJoins(
  joins: readonly string[][],
  lanes: ReadonlyMap<string, PlacedLane>,
  x: number,
): Layout['joins'] {
  return joins.flatMap((numbers, at) => {
    const placed = numbers.flatMap((number) => lanes.get(number) ?? []);
    if (placed.length < 2) return [];
    const top = Math.min(...placed.map((lane) => lane.top + lane.height / 2));
    const bottom = Math.max(...placed.map((lane) => lane.top + lane.height / 2));
    return [{ numbers, x: x + at * 14, top, bottom }];
  });
}

/** A column of the picture: one round, or several without moves. */
export interface LaneColumn {
  /** The indexes of its rounds among all rounds. */
  at: number[];
  rounds: LaneRound[];
}

/** Folds rounds without moves into columns, but never the first and last round. */
export function foldRounds({ rounds, rows }: Lanes): LaneColumn[] {
  const isQuiet = (at: number): boolean =>
    at > 0 &&
    at < rounds.length - 1 &&
    rows.every(({ stops }) => stops[at]!.number === stops[at - 1]!.number);
  const columns: LaneColumn[] = [];
  let wasQuiet = false;
  rounds.forEach((round, at) => {
    const last = columns.at(-1);
    if (last && wasQuiet && isQuiet(at)) {
      last.at.push(at);
      last.rounds.push(round);
    } else columns.push({ at: [at], rounds: [round] });
    wasQuiet = isQuiet(at);
  });
  return columns;
}
