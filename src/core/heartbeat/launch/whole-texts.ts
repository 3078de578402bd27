// Contributions that a prompt shows only in part, whole, as files for programs that may read.
import { mkdtemp, rmdir, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import type { SeenContribution } from '../../council/view/visible-contributions.ts';

/** Those of which `shown` has only a part, by the name of a file, as their reader may see them. */
export function listWholeTexts(
  shown: readonly SeenContribution[],
  whole: readonly SeenContribution[],
): Map<string, string> {
  const texts = new Map<string, string>();
  whole.forEach(({ label, tour, text }, at) => {
    if (!shown[at]?.abridged) return;
    const name = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    texts.set(`${name}-round-${tour}-${at + 1}.md`, text);
  });
  return texts;
}

/** Calls `use` with a folder (0700, files 0600) that has these texts, and removes it afterwards. */
export async function withWholeTexts<T>(
  texts: ReadonlyMap<string, string>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'council-texts-'));
  try {
    for (const [name, text] of texts) await writeFile(join(folder, name), text, { mode: 0o600, flag: 'wx' });
    return await use(folder);
  } finally {
    await removeFolder(folder, texts.keys());
  }
}

/** With its own files and no others: what a program may have put there stays, and so does the folder. */
async function removeFolder(folder: string, names: Iterable<string>): Promise<void> {
  try {
    for (const name of names) await unlink(join(folder, name));
    await rmdir(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY'].includes(systemCode(error) ?? '')) throw error;
  }
}
