// Doctor: archives that are cut, altered or not word for word.
import { examineArchives, listArchives } from '../../archive/read.ts';
import type { Archives } from '../../store/archives.ts';
import { about, copyFinding, some } from './finding.ts';
import type { Finding } from './finding.ts';

const BACK = 'Take the file back from your version control or a backup';

/** Is every archive whole, and does each of its parts say what was recorded? */
export async function archiveFindings(files: Archives): Promise<Finding[]> {
  const { ok, warning, error } = about('archives');
  const [{ sound, unreadable, altered }, { copies }] = [
    await examineArchives(files),
    await listArchives(files),
  ];
  const findings = [
    ...unreadable.map(({ message, hint }) => error(message, hint ?? BACK)),
    ...altered.map(({ path, what }) => warning(`${path} is not what was recorded: ${some(what)}.`, BACK)),
    ...copies.map((copy) => copyFinding('archives', copy)),
  ];
  return findings.length > 0 || sound === 0
    ? findings
    : [ok(`${sound} archive(s), all as they were recorded`)];
}
