// The plan file of `task plan`, read on the machine where the command was typed.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { READ_LIMITS } from '../../../core/base/limits.ts';
import { decodeText } from '../../../core/base/text.ts';
import { readGivenFile } from '../../../core/app/given-file.ts';

export const PLAN_HINT =
  'A plan is a Markdown file: council task plan PLAN.md. Its form: council task --help';

/** The text of that file; undefined for a word that is no file, and may be the name of a council. Throws as `readGivenFile`. */
export function planFile(cwd: string, name: string): string | undefined {
  const isFile = existsSync(resolve(cwd, name));
  if (!isFile && !/[/\\.]/.test(name)) return undefined;
  return decodeText(Buffer.from(readGivenFile(cwd, name, READ_LIMITS.archive, PLAN_HINT)), name);
}
