// Whether votes of a new council may count as their stated confidence.
import { ENOUGH_OUTCOMES } from '../archive/track-record.ts';
import type { Archives } from '../store/archives.ts';
import type { App } from './app.ts';
import { readTrackRecords } from './track-records.ts';
import type { TrackRecord } from './track-records.ts';

/** True once ten stated confidences of every seat have met an outcome; tells what each is worth, or which seats lack outcomes. */
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
