// Gathers how participants did in archived councils, and whether votes may count as their stated confidence by it.
import type { Archive } from '../archive/archive.ts';
import { groupOutcomePaths } from '../archive/outcome-record.ts';
import type { Outcome } from '../archive/outcome-record.ts';
import { archiveMetas, readArchiveFile } from '../archive/read.ts';
import { computeTrackRecords, countOrigins, judgeVotes, ENOUGH_OUTCOMES } from '../archive/track-record.ts';
import type { OriginRecord, TrackRecord } from '../archive/track-record.ts';
import type { Archives } from '../store/archives.ts';
import type { App } from './app.ts';

export type { OriginRecord, TrackRecord };

/** Track records of all participants of archived councils, and of decisions by how they were made. */
export async function readTrackRecords(
  files: Archives,
): Promise<{ records: TrackRecord[]; origins: OriginRecord[] }> {
  const { metas } = await archiveMetas(files);
  const found: { archive: Archive; outcome: Outcome }[] = [];
  // Read votes only of councils with a known outcome; the other texts stay unread.
  for (const [path] of await groupOutcomePaths(files)) {
    const archive = (await readArchiveFile(files, path))?.archive;
    const outcome = archive?.outcomes?.at(-1);
    if (archive && outcome) found.push({ archive, outcome });
  }
  const judged = found.flatMap(({ archive, outcome }) => judgeVotes(archive, outcome));
  return { records: computeTrackRecords(metas, judged), origins: countOrigins(found) };
}

/** True once ten stated confidences of every seat have an outcome. Reports the weight of each seat, or which seats lack outcomes. */
export async function isConfidenceKnown(
  app: Pick<App, 'note'>,
  files: Archives,
  seats: readonly string[],
): Promise<boolean> {
  const { records } = await readTrackRecords(files);
  const known = seats.map((id) => ({ id, record: records.find((one) => one.id === id) }));
  const lacking = known.filter(({ record }) => (record?.stated ?? 0) < ENOUGH_OUTCOMES);
  if (lacking.length === 0) for (const { id, record } of known) app.note(describeCalibration(id, record!));
  else
    app.note(
      `Each vote counts one: stated confidence weighs nothing before ${ENOUGH_OUTCOMES} outcomes of every seat are recorded. So far: ${lacking.map(({ id, record }) => `${id} ${record?.stated ?? 0}`).join(', ')}. Record one: council outcome ARCHIVE --right P2`,
    );
  return lacking.length === 0;
}

const describeCalibration = (id: string, { calibration, brier, stated }: TrackRecord): string =>
  `${id} in ${stated} outcomes (Brier score ${brier!.toFixed(2)}): ${calibration!
    .map(
      (bin) =>
        `said ${Math.round(bin.stated * 100)} %, was right in ${Math.round(bin.right * 100)} % of ${bin.count}`,
    )
    .join('; ')}.`;
