import * as z from 'zod/mini';
import { CouncilError } from '../base/errors.ts';
import { LANGUAGES } from '../base/words/words.ts';
import { STATUSES } from '../council/state/choices.ts';
import type { Absence } from '../council/state/state.ts';
import { archiveId } from './archive.ts';
import type { ArchiveMeta, LateFact } from './archive.ts';
import { count, outcomeKeys, parts, time } from './read-outcome.ts';

const frontMatter = z.object({
  ...outcomeKeys,
  schema: z.literal(1),
  conversationId: z.string(),
  name: z.string(),
  topic: z.string(),
  mode: z.string(),
  status: z.enum(STATUSES),
  lang: z.enum(LANGUAGES),
  participants: z.array(z.object({ id: z.string(), title: z.string(), emoji: z.string() })),
  coordinator: z.nullable(z.string()),
  coordinatorShown: z.nullable(z.string()),
  tours: count,
  quorum: z.number(),
  blind: z.boolean(),
  anonymous: z.boolean(),
  labelSeed: z.optional(z.string()),
  startedAt: time,
  endedAt: time,
  why: z.nullable(z.string()),
  transitions: z.array(parts.transition),
  absences: z.array(parts.absence),
  late: z.array(z.object({ name: z.string(), bytes: count, sha256: z.string(), path: z.string() })),
});

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
