// Use case `export`: a council for others, as a text or into a file.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { exportArchive } from '../archive/export.ts';
import { findArchive } from '../archive/read.ts';
import { CouncilError } from '../base/errors.ts';
import { shellWord } from '../base/shell.ts';
import { printableJson } from '../base/terminal.ts';
import { replaceTextFile } from '../store/local/write.ts';
import type { App, Result } from './app.ts';
import { findDeliberation } from './find-deliberation.ts';
import type { ExportInput } from './input/archive.ts';
import { hideArchiveFolders } from './hidden-folders.ts';
import { openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/**
 * An archive for others, as a text or into a file; as a page or a picture also a council that goes on, as far as everybody at its
 * table may see it. Throws `unknown_archive`.
 */
export async function exportCouncil(app: App, input: ExportInput): Promise<Result & { text: string }> {
  const { format, output } = input;
  const exported = await renderExport(app, input);
  const text = typeof exported === 'string' ? exported : `${printableJson(exported, 2)}\n`;
  if (output === undefined)
    return { document: typeof exported === 'string' ? { format, content: exported } : exported, text };
  const path = resolve(app.cwd, output);
  if (!existsSync(dirname(path)))
    throw new CouncilError('io', `There is no folder ${dirname(path)} to write into.`, {
      hint: `Make it first: mkdir -p ${shellWord(dirname(path))}`,
    });
  replaceTextFile(path, text);
  return { document: { format, path, bytes: Buffer.byteLength(text) }, text: `Written: ${path}` };
}

async function renderExport(app: App, { archive: council, format }: ExportInput): Promise<string | object> {
  if (format === 'html' || format === 'svg') {
    const found = await findDeliberation(app, { council, name: undefined });
    const exportPage = app.features.find((feature) => feature.exportPage)?.exportPage;
    if (!exportPage) throw new Error('No feature exports pages.');
    return exportPage(found, format);
  }
  const workspace = openWorkspace(app);
  const found = await findArchive(workspace.ports.archives, council).catch(whileActive(workspace, council));
  return exportArchive(hideArchiveFolders(app, found.archive), format);
}

/** For an active council: says that it has no archive yet and what can be exported. */
const whileActive =
  ({ store }: Workspace, name: string) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof CouncilError) || error.code !== 'unknown_archive') throw error;
    if (!(await store.list()).includes(name)) throw error;
    throw new CouncilError(error.code, `The council "${name}" has not ended: it has no archive yet.`, {
      hint: `What everybody may see of it by now: council export ${name} --format html`,
      details: error.details,
      cause: error,
    });
  };
