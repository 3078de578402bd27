// Checks whether the folder of a project exists, is still the same one, and is writable.
import { constants, statSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { getSystemCode } from '../../base/errors.ts';
import { PUT_BACK } from '../availability.ts';
import { waitForCheck } from '../local/wait-for-check.ts';
import type { StoreTrouble } from '../availability.ts';

/** The folder that each path led to at first: unmounting leaves another folder at the path. */
const firstSeen = new Map<string, string>();

/** Remembers the current folder of a path. Throws what `stat` throws. */
export function rememberFolder(root: string): void {
  const { dev, ino } = statSync(root, { bigint: true });
  firstSeen.set(root, firstSeen.get(root) ?? `${dev}:${ino}`);
}

/** Checks the folder without writing, for at most two seconds: `stat` blocks if a share's server is down. */
export async function findFolderTrouble(root: string): Promise<StoreTrouble | undefined> {
  const found = await waitForCheck(inspectRoot(root));
  if (found !== 'late') return found;
  return { kind: 'gone', message: `The folder ${root} does not answer.`, hint: PUT_BACK };
}

async function inspectRoot(root: string): Promise<StoreTrouble | undefined> {
  try {
    const { dev, ino } = await stat(root, { bigint: true });
    const seen = `${dev}:${ino}`;
    const before = firstSeen.get(root) ?? seen;
    firstSeen.set(root, before);
    if (seen !== before)
      return { kind: 'replaced', message: `Another folder stands at ${root} now.`, hint: PUT_BACK };
    await access(root, constants.W_OK);
    return undefined;
  } catch (error) {
    const code = getSystemCode(error);
    if (code === undefined) throw error;
    if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
      return {
        kind: 'read_only',
        message: `The folder ${root} cannot be written (${code}).`,
        hint: 'Reading goes on. Mount it for writing, or give this user the right to write there.',
      };
    return { kind: 'gone', message: `The folder ${root} is not there (${code}).`, hint: PUT_BACK };
  }
}
