// Use cases `list`, `show`, `export` and `outcome`: finished councils, their later outcomes, and exports.
import type { Archive, ArchiveMeta } from '../archive/archive.ts';
import { archivePage, exportArchive } from '../archive/export.ts';
import { groupOutcomePaths, addOutcome } from '../archive/outcome-record.ts';
import type { Outcome } from '../archive/outcome-record.ts';
import { findArchive, listArchives } from '../archive/read.ts';
import type { ArchiveListing } from '../archive/read.ts';
import { CouncilError } from '../base/errors.ts';
import type { Language } from '../base/words/words.ts';
import { tellOfCopy } from '../store/census.ts';
import { findByPart, LAST } from '../base/unknown-name.ts';
import { formatSomeNames } from '../council/use/unknown-council.ts';
import type { App, Result } from './app.ts';
import { ACTIVE, readActiveStates } from './council-reference.ts';
import { exportFields } from './input/archive.ts';
import type { ShowInput, ExportInput, OutcomeInput } from './input/archive.ts';
import { hideArchiveFolders } from './hidden-folders.ts';
import { openWorkspace } from './workspace.ts';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { quoteShellWord, toOneLine } from '../base/text.ts';
import { formatPrintableJson } from '../base/terminal.ts';
import { replaceTextFile } from '../store/local/temps.ts';
import { addSummary, findDeliberation } from './find-deliberation.ts';
import { formatIso } from '../base/clock.ts';

/** A row of the list, with its later outcome if recorded. */
export type ListedArchive = ArchiveListing & { turnedOut?: Outcome };

/**
 * Lists archived councils, newest first, the number of unreadable files, and if there are none, the open
 * councils.
 */
export async function listArchivedCouncils(
  app: App,
): Promise<Result<{ archives: ListedArchive[] }> & { unreadable: number; open: string[] }> {
  const { ports, store } = openWorkspace(app);
  const files = ports.archives;
  const { archives: rows, problems, copies } = await listArchives(files);
  const records = await groupOutcomePaths(files);
  const noteRefusal = (error: unknown): undefined => {
    if (!(error instanceof CouncilError)) throw error;
    app.note(error.message);
  };
  const archives = await Promise.all(
    rows.map(async (row): Promise<ListedArchive> => {
      const turnedOut = (await records.get(row.path)?.read().catch(noteRefusal))?.at(-1);
      return { ...row, ...(turnedOut && { turnedOut }) };
    }),
  );
  for (const { path, message } of problems)
    app.note(message.startsWith(path) ? message : `${path}: ${message}`);
  for (const copy of copies) app.note(tellOfCopy(copy));
  // Open councils will be archived here; callers with a participant's token do not see them.
  const open = archives.length > 0 || app.caller?.role === 'participant' ? [] : await store.list();
  return { document: { archives }, unreadable: problems.length, open };
}

/** An archive for people: parts in Markdown, in the language of the deliberation. */
export interface ArchivePage {
  parts: string[];
  lang: Language;
  /** The times in them that council has written, ISO 8601 UTC. */
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

/** For `.catch`: rethrows, and says of an active council that it has no archive yet, but not to participants by token. */
export const explainActive =
  (app: App, ref: string) =>
  async (error: unknown): Promise<never> => {
    const isKnown =
      error instanceof CouncilError && error.code === 'unknown_archive' && app.caller?.role !== 'participant';
    if (!isKnown) throw error;
    const open = await openWorkspace(app).store.list();
    if (ref === LAST && open.length > 0)
      throw new CouncilError('unknown_archive', error.message, {
        hint: `Open: ${formatSomeNames(open)}. See: council status`,
        details: error.details,
        cause: error,
      });
    const name = open.includes(ref) ? ref : await findOpenByPart(app, ref);
    if (name === undefined) throw error;
    throw new CouncilError('unknown_archive', `The council "${name}" goes on: it has no archive yet.`, {
      hint: `How it stands: council status --name ${name}. What may be seen by now: council export ${name} --format html --output ${name}.html`,
      details: error.details,
      cause: error,
    });
  };

/** The open council with `part` in its name or its question. */
async function findOpenByPart(app: App, part: string): Promise<string | undefined> {
  const { states } = await readActiveStates(openWorkspace(app));
  const found = findByPart(part, states, {
    plural: ACTIVE.plural,
    code: 'unknown_archive',
    listNames: ({ name, topic }) => [name, topic],
    show: ({ name }) => name,
  });
  return found?.name;
}

/** Shows an archived council: decision, synthesis, every contribution. Throws `unknown_archive`. */
export async function show(
  app: App,
  { archive: ref }: ShowInput,
): Promise<Result & { page: () => ArchivePage }> {
  const { path, archive } = await findArchive(openWorkspace(app).ports.archives, ref).catch(
    explainActive(app, ref),
  );
  const open =
    ref === LAST && app.caller?.role !== 'participant' ? await openWorkspace(app).store.list() : [];
  if (open.length > 0)
    app.note(`Still open, without an archive yet: ${formatSomeNames(open)}. See: council status`);
  for (const altered of archive.altered)
    app.note(`${path}: ${altered} is not what was recorded: its hash differs.`);
  const told = hideArchiveFolders(app, archive);
  return { document: exportArchive(told, 'json'), page: () => buildArchivePage(told) };
}

/**
 * Exports an archive as text or to a file; as a page or a picture also an active council, as far as everyone
 * at its table may see it. `text` is the export, or with
 * `output` the line that says where it was written. Throws `unknown_archive`.
 */
export async function exportCouncil(app: App, input: ExportInput): Promise<Result & { text: string }> {
  const { output } = input;
  const format = input.format ?? chooseFormatByEnding(output);
  const exported = await renderExport(app, { ...input, format });
  const text = typeof exported === 'string' ? exported : `${formatPrintableJson(exported, 2)}\n`;
  if (output === undefined)
    return { document: typeof exported === 'string' ? { format, content: exported } : exported, text };
  const path = resolve(app.cwd, output);
  if (!existsSync(dirname(path)))
    throw new CouncilError('io', `There is no folder ${dirname(path)} to write into.`, {
      hint: `Make it first: mkdir -p ${quoteShellWord(dirname(path))}`,
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
  const found = await findArchive(openWorkspace(app).ports.archives, council).catch(
    explainActive(app, council),
  );
  return exportArchive(hideArchiveFolders(app, found.archive), format);
}

export { describeTurnout } from '../archive/outcome-record.ts';

interface OutcomeDocument {
  /** The archive's id. */
  archive: string;
  /** The newest record, relative to the project's root; null if nothing was written. */
  path: string | null;
  outcome: Outcome;
  /** The previous record; null for the first one, and if nothing changed. */
  replaced: Outcome | null;
  /** False if the same outcome was already recorded. */
  changed: boolean;
}

/**
 * Records what turned out after a council. A later record replaces the earlier one, which is kept. Throws
 * `unknown_archive`, `usage`.
 */
export async function recordOutcome(app: App, input: OutcomeInput): Promise<Result<OutcomeDocument>> {
  const { ports } = openWorkspace(app);
  const { archives, clock } = ports;
  const { path, archive } = await findArchive(archives, input.archive).catch(
    explainActive(app, input.archive),
  );
  const { meta, outcomes = [] } = archive;
  const last = outcomes.at(-1) ?? null;
  const at = formatIso(clock.now());
  const outcome: Outcome = {
    ...requireRight(input.right, meta),
    note: input.note ?? null,
    on: input.on === undefined ? at.slice(0, 10) : requireStartedDay(input.on, clock.now()),
    at,
  };
  const known = last && { ...last, at, ...(input.on === undefined && { on: outcome.on }) };
  if (last && JSON.stringify(known) === JSON.stringify(outcome))
    return { document: { archive: meta.id, path: null, outcome: last, replaced: null, changed: false } };
  const written = await addOutcome(archives, path, outcome);
  return { document: { archive: meta.id, path: written, outcome, replaced: last, changed: true } };
}

/** Hours by which the earliest time zone is ahead of UTC. */
const MOST_HOURS_AHEAD = 14;

/** Throws `usage` for a day that has not started anywhere. */
function requireStartedDay(day: string, now: number): string {
  if (day <= formatIso(now + MOST_HOURS_AHEAD * 3_600_000).slice(0, 10)) return day;
  throw new CouncilError('usage', `${day} is still to come: an outcome is what has turned out.`, {
    hint: 'Say on which day it turned out with --on, or leave it out: today (UTC).',
    details: { key: 'on' },
  });
}

/** Returns the position of a number or of its exact words. Throws `usage` with the existing positions. */
function requireRight(given: string, { ballot = [], id }: ArchiveMeta): Pick<Outcome, 'right' | 'position'> {
  const right = given.trim();
  if (right === 'none' || right === 'other') return { right, position: null };
  const line =
    ballot.find((one) => one.id === right.toUpperCase()) ??
    ballot.find((one) => one.position.toLowerCase() === right.toLowerCase());
  if (line) return { right: line.id, position: line.position };
  const positions = ballot.map((one) => `${one.id} ${toOneLine(one.position, 80)}`).join('; ');
  throw new CouncilError(
    'usage',
    `${id} has no position ${JSON.stringify(toOneLine(right, 40))}. ${positions === '' ? 'None of its positions has a number.' : `Its positions: ${positions}.`}`,
    {
      hint: 'Or say --right none where no position was right, and --right other where something else was: --note says what.',
      details: { key: 'right', positions: ballot.map((one) => one.id) },
    },
  );
}
