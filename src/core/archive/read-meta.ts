// Reads the facts in an archive's front matter.
import { CouncilError } from '../base/errors.ts';
import type { Absence } from '../council/state/state.ts';
import { archiveId } from './archive.ts';
import type { ArchiveMeta, LateFact } from './archive.ts';
import { frontMatter } from './meta-schema.ts';

/** Everything that stands in the front matter of an archive. */
export interface FrontFacts {
  meta: ArchiveMeta;
  absences: Absence[];
  late: LateFact[];
}

/**
 * The facts in an archive's front matter; undefined without a conversationId, which no other file has.
 * Keys that council does not know are left out. Throws `corrupt`, naming the first key that is wrong.
 */
export function frontFacts(data: Record<string, unknown>, path: string): FrontFacts | undefined {
  if (typeof data.conversationId !== 'string') return undefined;
  const read = frontMatter.safeParse(data);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new CouncilError(
      'corrupt',
      `${path}: the front matter key "${issue?.path.join('.')}" is wrong: ${issue?.message}.`,
      {
        hint: 'Undo the edit of the front matter, or take the file back from your version control.',
      },
    );
  }
  const { absences, late, ...facts } = read.data;
  return {
    meta: { ...facts, id: archiveId(path), path },
    absences,
    late,
  };
}
