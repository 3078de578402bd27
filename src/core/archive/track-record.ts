// How participants did in councils that are archived: against what turned out, and in the debate.
import type { Origin } from '../council/state/choices.ts';
import { joinEquivalentPositions } from '../council/vote/joined-positions.ts';
import type { Vote } from '../council/vote/votes.ts';
import { measureControl } from '../council/vote/ballot-figures.ts';
import type { ControlFigures } from '../council/vote/ballot-figures.ts';
import { sumUsage } from '../council/state/budget.ts';
import type { Archive, ArchiveMeta } from './archive.ts';
import { readArchivedVotes } from './outcome.ts';
import type { Outcome } from './outcome-record.ts';

/** Before so many outcomes stated confidence weighs nothing, and no calibration is shown. */
export const ENOUGH_OUTCOMES = 10;
const BINS = 5;

/** A position that was held in the end, and what became of it. */
export interface Judged {
  by: string;
  right: boolean;
  /** As its participant stated it, 0 to 1; not set where it stated none. */
  confidence?: number;
}

export interface CalibrationBin {
  /** The stated confidences in it, from and below; the last bin has 1 in it. */
  from: number;
  below: number;
  count: number;
  /** Mean of what was stated, and the share that was right. */
  stated: number;
  right: number;
}

export interface TrackRecord {
  id: string;
  /** Archived councils in which it sat. */
  councils: number;
  /** Of its last positions in councils with a recorded outcome: how many there were, and how many were right. */
  outcomes: { judged: number; right: number };
  /** Mean square of stated confidence against outcome, 0 (best) to 1; null without any. */
  brier: number | null;
  /** How many of the outcomes had a stated confidence. */
  stated: number;
  /** Null before ten stated confidences were judged. */
  calibration: CalibrationBin[] | null;
  quotes: { verified: number; total: number };
  challenges: { conceded: number; total: number };
  moves: { explained: number; unexplained: number };
  /** Its controls, where councils had one: how often it moved alone, and whether its moves in debates came of that. */
  control: ControlFigures;
  /** US$ on average in the councils whose launches told their cost; null where none did. */
  costPerCouncil: number | null;
}

/** How decisions did that came about in one way. */
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

/** Everybody's last position against what turned out; nothing of who held none. */
export function judgeVotes(archive: Archive, outcome: Outcome): Judged[] {
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

/** The decisions with a recorded outcome, by how they came about. */
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

/** The record of each participant, in the order of their ids. */
export function computeTrackRecords(metas: readonly ArchiveMeta[], judged: readonly Judged[]): TrackRecord[] {
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

/** Brier score and calibration of stated confidences. */
export function scoreConfidence(
  held: readonly Judged[],
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
