// Computes how participants did in archived councils: against recorded outcomes, and in the debate.
import type { Origin } from '../council/state/allowed-values.ts';
import { joinEquivalentPositions } from '../council/vote/joined-positions.ts';
import type { Vote } from '../council/vote/votes.ts';
import { measureControl } from '../council/vote/ballot-figures.ts';
import type { ControlFigures } from '../council/vote/ballot-figures.ts';
import { sumUsage } from '../council/state/budget.ts';
import type { Archive, ArchiveMeta } from './archive.ts';
import { readArchivedVotes } from './positions.ts';
import type { Outcome } from './outcome-record.ts';

/** With fewer outcomes, stated confidence has no weight, and no calibration is shown. */
export const ENOUGH_OUTCOMES = 10;
const BINS = 5;

/** A participant's final position, judged by the outcome. */
export interface JudgedPosition {
  by: string;
  right: boolean;
  /** As stated, 0 to 1; undefined if not stated. */
  confidence?: number;
}

export interface CalibrationBin {
  /** Range of stated confidences: `from` inclusive, `below` exclusive; the last bin includes 1. */
  from: number;
  below: number;
  count: number;
  /** Mean stated confidence, and the share that was right. */
  stated: number;
  right: number;
}

export interface TrackRecord {
  id: string;
  /** Number of archived councils it took part in. */
  councils: number;
  /** Its last positions in councils with a recorded outcome: how many there were, and how many were right. */
  outcomes: { judged: number; right: number };
  /** Mean squared difference between stated confidence and outcome, 0 (best) to 1; null without any. */
  brier: number | null;
  /** Number of outcomes with a stated confidence. */
  stated: number;
  /** Null for fewer than ten judged confidences. */
  calibration: CalibrationBin[] | null;
  quotes: { verified: number; total: number };
  challenges: { conceded: number; total: number };
  moves: { explained: number; unexplained: number };
  /** Its controls in all councils: how often it moved alone, and whether that explains its moves in debates. */
  control: ControlFigures;
  /** Average US$ in the councils whose launches reported their cost; null if none did. */
  costPerCouncil: number | null;
}

/** How decisions with the same origin turned out. */
export interface OriginRecord {
  how: Origin;
  right: number;
  wrong: number;
  undecided: number;
}

function listRightNumbers(outcome: Outcome, votes: Vote[], ballot: ArchiveMeta['ballot']): string[] {
  const { classes } = joinEquivalentPositions(votes, ballot ?? []);
  return classes.find((one) => one.includes(outcome.right)) ?? [outcome.right];
}

/** Judges all last positions by the outcome; leaves out participants without one. */
export function judgeVotes(archive: Archive, outcome: Outcome): JudgedPosition[] {
  const { last } = readArchivedVotes(archive);
  const right = listRightNumbers(outcome, last, archive.meta.ballot);
  return last
    .filter(({ kind, position }) => kind !== 'recused' && position !== null)
    .map(({ by, number = '', confidence }) => ({
      by,
      right: right.includes(number),
      ...(confidence !== undefined && { confidence }),
    }));
}

/** Counts the decisions with a recorded outcome, by origin. */
export function countOrigins(found: readonly { archive: Archive; outcome: Outcome }[]): OriginRecord[] {
  const rows = new Map<Origin, OriginRecord>();
  for (const { archive, outcome } of found) {
    const { decision, ballot } = archive.meta;
    if (!decision?.how) continue;
    const row = rows.get(decision.how) ?? { how: decision.how, right: 0, wrong: 0, undecided: 0 };
    const numbers = listRightNumbers(outcome, readArchivedVotes(archive).last, ballot);
    const isRight = numbers.includes(decision.number ?? '');
    row[!decision.decided ? 'undecided' : isRight ? 'right' : 'wrong'] += 1;
    rows.set(decision.how, row);
  }
  return [...rows.values()];
}

/** Computes the record of each participant, ordered by id. */
export function computeTrackRecords(
  metas: readonly ArchiveMeta[],
  judged: readonly JudgedPosition[],
): TrackRecord[] {
  const ids = new Set(metas.flatMap(({ participants }) => participants.map(({ id }) => id)));
  return [...ids].sort().map((id) => {
    const own = metas.filter(({ participants }) => participants.some((one) => one.id === id));
    const held = judged.filter(({ by }) => by === id);
    const challenges = own.flatMap(({ ledger }) => ledger.challenges);
    const [mine, against] = [
      challenges.filter(({ by }) => by === id),
      challenges.filter((one) => one.against === id),
    ];
    const moves = own.flatMap(({ ledger }) => ledger.moves).filter(({ by }) => by === id);
    const costs = own.flatMap(
      ({ usage }) => sumUsage(usage.filter(({ participant }) => participant === id)).costUsd ?? [],
    );
    return {
      id,
      councils: own.length,
      outcomes: { judged: held.length, right: held.filter(({ right }) => right).length },
      ...scoreConfidence(held),
      quotes: {
        verified: mine.filter(({ quote }) => quote === 'verified').length,
        total: mine.filter(({ quote }) => quote !== 'none').length,
      },
      challenges: {
        conceded: against.filter(({ status }) => status.startsWith('conceded')).length,
        total: against.length,
      },
      moves: {
        explained: moves.filter(({ explained }) => explained).length,
        unexplained: moves.filter(({ explained }) => !explained).length,
      },
      control: sumControls(own, id),
      costPerCouncil: findMean(costs),
    };
  });
}

function sumControls(metas: readonly ArchiveMeta[], id: string): ControlFigures {
  const sum = { heard: 0, moved: 0, persuaded: 0, unstable: 0 };
  for (const { control, ledger } of metas) {
    const answers = control?.answers?.filter(({ participant }) => participant === id);
    const figures = measureControl(control && { ...control, answers }, ledger.moves);
    for (const key of ['heard', 'moved', 'persuaded', 'unstable'] as const) sum[key] += figures[key];
  }
  return sum;
}

const findMean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;

export function scoreConfidence(
  held: readonly JudgedPosition[],
): Pick<TrackRecord, 'brier' | 'stated' | 'calibration'> {
  const stated = held.flatMap(({ confidence, right }) =>
    confidence === undefined ? [] : [{ confidence, right: right ? 1 : 0 }],
  );
  const bins = Map.groupBy(stated, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)));
  const calibration = [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, all]) => ({
      from: bin / BINS,
      below: (bin + 1) / BINS,
      count: all.length,
      stated: findMean(all.map(({ confidence }) => confidence))!,
      right: findMean(all.map(({ right }) => right))!,
    }));
  return {
    brier: findMean(stated.map(({ confidence, right }) => (confidence - right) ** 2)),
    stated: stated.length,
    calibration: stated.length < ENOUGH_OUTCOMES ? null : calibration,
  };
}
