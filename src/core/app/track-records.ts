// Gathers how participants did in archived councils.
import type { Archive } from '../archive/archive.ts';
import { groupOutcomePaths } from '../archive/outcome-record.ts';
import type { Outcome } from '../archive/outcome-record.ts';
import { archiveMetas, readArchiveFile } from '../archive/read.ts';
import { computeTrackRecords, countOrigins, judgeVotes } from '../archive/track-record.ts';
import type { OriginRecord, TrackRecord } from '../archive/track-record.ts';
import type { Archives } from '../store/archives.ts';

export type { OriginRecord, TrackRecord };

/** What is known of everybody who has sat in an archived council, and of decisions by how they came about. */
export async function readTrackRecords(
  files: Archives,
): Promise<{ records: TrackRecord[]; origins: OriginRecord[] }> {
  const { metas } = await archiveMetas(files);
  const found: { archive: Archive; outcome: Outcome }[] = [];
  // Votes are read where something turned out: the texts of all others stay unread.
  for (const [path] of await groupOutcomePaths(files)) {
    const archive = (await readArchiveFile(files, path))?.archive;
    const outcome = archive?.outcomes?.at(-1);
    if (archive && outcome) found.push({ archive, outcome });
  }
  const judged = found.flatMap(({ archive, outcome }) => judgeVotes(archive, outcome));
  return { records: computeTrackRecords(metas, judged), origins: countOrigins(found) };
}
