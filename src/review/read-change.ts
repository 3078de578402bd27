// Reads what is to be reviewed: a span of the repository, files as they are, or a diff that was given.
import fs from 'node:fs';
import { resolve } from 'node:path';
import type { App } from '../core/app/app.ts';
import { findFiles } from '../core/app/context/find-files.ts';
import { formatProjectPath, resolveFileScope } from '../core/app/context/file-scope.ts';
import { CouncilError } from '../core/base/errors.ts';
import { READ_LIMITS } from '../core/base/limits.ts';
import { fill } from '../core/base/words/words.ts';
import type { Words } from '../core/base/words/words.ts';
import { readBytes } from '../core/store/local/read.ts';
import { createWholeHunk } from './change.ts';
import type { Change } from './change.ts';
import { readGitChange } from './git-change.ts';
import { openRepository } from './repository.ts';
import type { Span } from './git-change.ts';
import type { ReviewInput } from './input.ts';
import { leaveOutUnwritten } from './leave-out.ts';
import { parseDiff } from './parse-diff.ts';

type Asked = Pick<ReviewInput, 'what' | 'staged' | 'fromDiff'>;

/** Throws `usage` for what cannot be reviewed, and like reading files. */
export async function readChange(app: App, asked: Asked, say: Words['reviewTitle']): Promise<Change> {
  const { what, staged, fromDiff } = asked;
  if (fromDiff) {
    const text = Buffer.from(await fromDiff.bytes()).toString('utf8');
    const title = fromDiff.from === '-' ? say.stdin : fill(say.diff, { path: fromDiff.from });
    return leaveOutUnwritten(undefined, { base: null, head: null, title, ...parseDiff(text) });
  }
  if (what.length > 0 && what.every((name) => fs.existsSync(resolve(app.cwd, name))))
    return readFiles(app, what);
  const repository = await openRepository(app);
  const [range] = what;
  const span: Span =
    range === undefined ? { kind: staged ? 'staged' : 'uncommitted' } : { kind: 'range', range };
  return leaveOutUnwritten(repository, await readGitChange(repository, span, say));
}

/** Throws `usage` where more than one change is asked for. */
export function refuseTwo(
  { cwd }: Pick<App, 'cwd'>,
  { what, staged, fromDiff, pr }: Asked & Pick<ReviewInput, 'pr'>,
): void {
  const given = [
    ...(what.length > 0 ? [what.join(' ')] : []),
    ...(staged ? ['--staged'] : []),
    ...(fromDiff ? ['--from-diff'] : []),
    ...(pr === undefined ? [] : [`--pr ${pr}`]),
  ];
  if (given.length > 1)
    throw new CouncilError('usage', `These are ${given.length} changes: ${given.join(', ')}.`, {
      hint: 'Give one of them: a range, files, --staged, --from-diff or --pr.',
    });
  if (what.length > 1 && what.some((name) => !fs.existsSync(resolve(cwd, name))))
    throw new CouncilError('usage', `Not all of these are files: ${what.join(' ')}.`, {
      hint: 'Give one range, such as main..HEAD, or files that exist.',
    });
}

/** Files as they are: every line of them is to be reviewed. */
function readFiles(app: App, names: readonly string[]): Change {
  const place = resolveFileScope(app);
  const { files, leftOut } = findFiles(names, place);
  const change: Change = { base: null, head: null, title: names.join(', '), files: [], leftOut: [] };
  for (const { path } of leftOut)
    change.leftOut.push({ path: formatProjectPath(path, place), reason: 'noText' });
  for (const { path } of files) {
    const name = formatProjectPath(path, place);
    const bytes = readBytes(path, { limit: READ_LIMITS.own });
    if (!bytes || bytes.length === 0) change.leftOut.push({ path: name, reason: 'empty' });
    else if (bytes.includes(0)) change.leftOut.push({ path: name, reason: 'binary' });
    else change.files.push({ path: name, change: 'added', hunks: [createWholeHunk(bytes.toString('utf8'))] });
  }
  return change;
}
