// Use cases `list`, `show` and `export`: finished councils, and a council as a text for others.
import type { Archive } from '../archive/archive.ts';
import { archivePage, exportArchive } from '../archive/export.ts';
import { groupOutcomePaths } from '../archive/outcome-record.ts';
import type { Outcome } from '../archive/outcome-record.ts';
import { findArchive, listArchives } from '../archive/read.ts';
import type { ArchiveListing } from '../archive/read.ts';
import { CouncilError } from '../base/errors.ts';
import type { Language } from '../base/words/words.ts';
import { tellOfCopy } from '../store/census.ts';
import { findByPart, LAST } from '../base/unknown-name.ts';
import { someNames } from '../council/use/unknown-council.ts';
import type { App, Result } from './app.ts';
import { ACTIVE } from './council-reference.ts';
import { exportFields } from './input/archive.ts';
import type { ShowInput, ExportInput } from './input/archive.ts';
import { hideArchiveFolders } from './hidden-folders.ts';
import { openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { shellWord } from '../base/text.ts';
import { printableJson } from '../base/terminal.ts';
import { replaceTextFile } from '../store/local/temps.ts';
import { addSummary, findDeliberation } from './find-deliberation.ts';

/** A row of the list, with what turned out, where that is recorded. */
export type ListedArchive = ArchiveListing & { turnedOut?: Outcome };

/** The archived councils, newest first, how many files beside them cannot be read, and where there is none, which are open. */
export async function listArchivedCouncils(
  app: App,
): Promise<Result<{ archives: ListedArchive[] }> & { unreadable: number; open: string[] }> {
  const { ports, store } = openWorkspace(app);
  const files = ports.archives;
  const { archives: rows, problems, copies } = await listArchives(files);
  const records = await groupOutcomePaths(files);
  const archives = await Promise.all(
    rows.map(async (row): Promise<ListedArchive> => {
      const turnedOut = (await records.get(row.path)?.read())?.at(-1);
      return { ...row, ...(turnedOut && { turnedOut }) };
    }),
  );
  for (const { path, message } of problems)
    app.note(message.startsWith(path) ? message : `${path}: ${message}`);
  for (const copy of copies) app.note(tellOfCopy(copy));
  // They end up here; participants by token are told nothing of them.
  const open = archives.length > 0 || app.caller?.role === 'participant' ? [] : await store.list();
  return { document: { archives }, unreadable: problems.length, open };
}

/** An archive for people to read: parts in Markdown, in the language of the deliberation. */
export interface ArchivePage {
  parts: string[];
  lang: Language;
  /** The times that council has written into them, ISO 8601 UTC. */
  times: string[];
}

export const buildArchivePage = (archive: Archive): ArchivePage => ({
  parts: archivePage(archive),
  lang: archive.meta.lang,
  times: [...new Set([archive.meta, archive.contributions.map(({ at }) => at)].flatMap(collectTimestamps))],
});

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function collectTimestamps(value: unknown): string[] {
  if (typeof value === 'string') return TIME.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTimestamps) : [];
}

/**
 * Explains that a council is still active and has no archive yet; participants by token are told
 * nothing.
 */
export const explainActive =
  (app: App, ref: string) =>
  async (error: unknown): Promise<never> => {
    const isKnown =
      error instanceof CouncilError && error.code === 'unknown_archive' && app.caller?.role !== 'participant';
    if (!isKnown) throw error;
    const open = await openWorkspace(app).store.list();
    if (ref === LAST && open.length > 0)
      throw new CouncilError('unknown_archive', error.message, {
        hint: `Open: ${someNames(open)}. See: council status`,
        cause: error,
      });
    const name = open.includes(ref) ? ref : findByPart(ref, open, { ...ACTIVE, code: 'unknown_archive' });
    if (name === undefined) throw error;
    throw new CouncilError('unknown_archive', `The council "${name}" goes on: it has no archive yet.`, {
      hint: `How it stands: council status --name ${name}. What may be seen by now: council export ${name} --format html --output ${name}.html`,
      cause: error,
    });
  };

/** An archived council: decision, synthesis, every contribution. Throws `unknown_archive`. */
export async function show(
  app: App,
  { archive: ref }: ShowInput,
): Promise<Result & { page: () => ArchivePage }> {
  const { path, archive } = await findArchive(openWorkspace(app).ports.archives, ref).catch(
    explainActive(app, ref),
  );
  for (const altered of archive.altered)
    app.note(`${path}: ${altered} is not what was recorded: its hash differs.`);
  const told = hideArchiveFolders(app, archive);
  return { document: exportArchive(told, 'json'), page: () => buildArchivePage(told) };
}

/**
 * An archive for others, as a text or into a file; as a page or a picture also a council that goes on, as far as everybody at its
 * table may see it. Throws `unknown_archive`.
 */
export async function exportCouncil(app: App, input: ExportInput): Promise<Result & { text: string }> {
  const { output } = input;
  const format = input.format ?? chooseFormatByEnding(output);
  const exported = await renderExport(app, { ...input, format });
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

type Format = NonNullable<ExportInput['format']>;

const chooseFormatByEnding = (path = ''): Format =>
  exportFields.format.choices.find((format) => path.toLowerCase().endsWith(`.${format}`)) ?? 'md';

async function renderExport(
  app: App,
  { archive: council, format }: Pick<ExportInput, 'archive'> & { format: Format },
): Promise<string | object> {
  if (format === 'html' || format === 'svg') {
    const found = await findDeliberation(app, { council, name: undefined });
    const exportPage = app.features.find((feature) => feature.exportPage)?.exportPage;
    if (!exportPage) throw new Error('No feature exports pages.');
    return exportPage(await addSummary(openWorkspace(app).ports, found), format);
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
