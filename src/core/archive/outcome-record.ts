// Records of what turned out after a council, next to its archive, which itself never changes.
import * as z from 'zod/mini';
import { CouncilError } from '../base/errors.ts';
import { readFrontMatter, writeFrontMatter } from '../base/front-matter.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { toSafeLine } from '../council/document/markers.ts';
import type { Archives } from '../store/archives.ts';

const record = z.object({
  /** The number of the position that was right; `none` if none was; `other` for something no position says. */
  right: z.string().check(z.regex(/^(?:P[1-9]\d*|none|other)$/)),
  /** Its sentence; null for `none` and `other`. */
  position: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** The day when it turned out. */
  on: z.string(),
  /** When it was recorded, ISO 8601 UTC. */
  at: z.string(),
});

/** What turned out to be right. */
export type Outcome = z.infer<typeof record>;

const PATH = /^(.+)\.outcome-(\d{1,6})\.md$/;

/** Whether a file in the archives' folder is an outcome record. */
export const isOutcomePath = (path: string): boolean => PATH.test(path);

const formatOutcomePath = (archive: string, number: number): string =>
  archive.replace(/\.md$/, `.outcome-${number}.md`);

/** Returns an archive's outcome records, oldest first; the last counts. Throws `corrupt`, `invalid_config`. */
export async function readOutcomes(files: Archives, archive: string): Promise<Outcome[]> {
  return (await groupOutcomePaths(files)).get(archive)?.read() ?? [];
}

/** Returns a reader of the outcome records for each archive that has some, by the archive's path. */
export async function groupOutcomePaths(
  files: Archives,
): Promise<Map<string, { count: number; read(): Promise<Outcome[]> }>> {
  const records = (await files.paths()).flatMap((path) => {
    const [, stem = '', number] = PATH.exec(path) ?? [];
    return number === undefined ? [] : [{ path, archive: `${stem}.md`, number: Number(number) }];
  });
  return new Map(
    [...Map.groupBy(records, ({ archive }) => archive)].map(([archive, all]) => {
      const inOrder = all.sort((a, b) => a.number - b.number);
      const read = async (): Promise<Outcome[]> =>
        (await Promise.all(inOrder.map(({ path }) => readOutcome(files, path)))).flat();
      return [archive, { count: inOrder.at(-1)!.number, read }];
    }),
  );
}

async function readOutcome(files: Archives, path: string): Promise<Outcome[]> {
  const text = await files.read(path);
  if (text === undefined) return [];
  const read = record.safeParse(readFrontMatter(text, path).data);
  if (read.success) return [read.data];
  const issue = read.error.issues[0];
  throw new CouncilError(
    'corrupt',
    `${path}: the key "${issue?.path.join('.')}" is wrong: ${issue?.message}.`,
    {
      hint: 'Undo the edit, or remove the file and record the outcome again: council outcome ARCHIVE --right P2',
    },
  );
}

/** Writes another outcome record durably and returns its path; earlier ones are kept. */
export async function addOutcome(files: Archives, archive: string, outcome: Outcome): Promise<string> {
  const text = writeFrontMatter({ ...outcome }, '');
  for (let number = ((await groupOutcomePaths(files)).get(archive)?.count ?? 0) + 1; ; number++) {
    const path = formatOutcomePath(archive, number);
    if ((await files.create(path, text)) === 'created') return path;
  }
}

/** "P2 Buy turned out to be right (2026-12-24). It was cheaper." */
export function describeTurnout({ right, position, note, on }: Outcome, w: Words): string {
  const { none, other, position: one } = w.turnedOut;
  const sentence = right === 'none' ? none : right === 'other' ? other : one;
  const said = fill(sentence, { position: `${right} ${toSafeLine(position ?? '')}`.trim(), on });
  return note === null ? said : `${said} ${toSafeLine(note)}`;
}

/** Renders the current outcome and those it replaced, as blocks of Markdown; empty if none is recorded. */
export function renderOutcomeSection(outcomes: readonly Outcome[], w: Words): string[] {
  const last = outcomes.at(-1);
  if (!last) return [];
  const before = outcomes.slice(0, -1).map((one) => `- ${describeTurnout(one, w)}`);
  return [
    `## ${w.turnedOut.title}`,
    `**${describeTurnout(last, w)}**`,
    ...(before.length > 0 ? [w.turnedOut.before, before.join('\n')] : []),
  ];
}
