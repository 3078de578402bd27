// Commands `store` and `archives`: print what was done to the database, or written into this checkout.
import type { CopiedDocument } from '../copy/copy.ts';
import type { StoreInput } from '../input.ts';
import { store, pullArchives } from '../manage-store.ts';
import type { MigrateDocument } from '../manage-store.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';
import type { ArchivesInput } from '../../core/app/input/archive.ts';
import { formatCount } from '../../core/base/text.ts';

export const performStore: Command<StoreInput> = async (cli, input) => {
  const result = await store(cli, input);
  const { document } = result;
  return toTextOutcome(
    result,
    ('applied' in document ? renderMigration(document) : renderCopy(document)).join('\n'),
  );
};

function renderMigration({ dryRun, database, applied, at, roles }: MigrateDocument): string[] {
  const lines = applied.map(
    ({ number, title, beside }) =>
      `${String(number).padStart(4, '0')}  ${title} (council ${beside} and newer may go on beside it)`,
  );
  const did = dryRun ? 'Would apply to' : 'Applied to';
  const head =
    applied.length === 0 ? `${database} is up to date, at migration ${at}.` : `${did} ${database}:`;
  const granted =
    roles.length === 0
      ? 'No role but the owner may use it: council store migrate --app-role ROLE'
      : `${dryRun ? 'May then use it' : 'May use it'}: ${roles.join(', ')}`;
  return [head, ...lines, granted];
}

function renderCopy(done: CopiedDocument): string[] {
  const { dryRun, to, database, councils, documents, versions, messages } = done;
  const where = to === 'files' ? 'the files of this project' : database;
  const next =
    to === 'files'
      ? 'From now on: take COUNCIL_DATABASE_URL away, or store: out of COUNCIL.md.'
      : 'From now on: COUNCIL_DATABASE_URL, or store: in COUNCIL.md, names that database for everybody.';
  return [
    `${dryRun ? 'Would move' : 'Moved'} to ${where}:`,
    `  councils that go on: ${councils.length === 0 ? 'none' : councils.join(', ')}`,
    `  other documents: ${documents}; kept revisions of all: ${versions}`,
    `  archives: ${done.archives}; late texts: ${done.lateTexts}; private texts: ${done.privateTexts}; messages: ${messages}`,
    ...(dryRun ? [] : [next]),
  ];
}

export const performArchives: Command<ArchivesInput> = async (cli) => {
  const result = await pullArchives(cli);
  const { written, same, differ, late } = result.document;
  const lines = [
    ...written.map((path) => `Written: ${path}`),
    ...differ.map((path) => `Another text stands in ${path}: left alone. Move it away and pull again.`),
    `${formatCount(written.length, 'archive')} written, ${same} here already${late.length > 0 ? `, ${formatCount(late.length, 'late text')}` : ''}.`,
  ];
  return toTextOutcome(result, lines.join('\n'));
};
