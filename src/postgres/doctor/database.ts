// Doctor checks: the PostgreSQL server, council's role, and documents of an interrupted move.
import type { GuardBypass, ServerFacts } from '../store/inspect-server.ts';
import type { App } from '../../core/app/app.ts';
import type { DoctorPlace } from '../../core/app/feature.ts';
import { findProjectDatabase, createDatabaseKeeping } from '../database.ts';
import { createFindingReporter, formatFirstFew } from '../../core/app/doctor/finding.ts';
import type { Finding } from '../../core/app/doctor/finding.ts';
import { CouncilError, ignoreCodes } from '../../core/base/errors.ts';
import { formatCount } from '../../core/base/text.ts';
import type { Documents } from '../../core/store/documents.ts';
import { isStoreAway, moveCommand, parseMoveMarker } from '../../core/store/availability.ts';
import { loadKinds, listShelves } from '../copy/move-document.ts';
import { createFileStorage } from '../../core/app/storage/project-storage.ts';

/** PostgreSQL 14. */
const OLDEST = 140_000;

/** Checks the server that keeps the project; nothing to check for a project in files. */
export async function checkDatabase(
  app: Pick<App, 'env'>,
  { project }: Pick<DoctorPlace, 'project'>,
): Promise<Finding[]> {
  const named = findProjectDatabase(app.env, project);
  if (!named) return [];
  const { inspectDatabase } = await import('../store/open.ts');
  const { facts, ways } = await inspectDatabase(named.place);
  return checkServer(named.place.displayName, facts, ways);
}

/** Does the server keep what it acknowledges, and does it keep secrets? `displayName` is its address without a password. */
export function checkServer(
  displayName: string,
  facts: ServerFacts,
  ways: readonly GuardBypass[],
): Finding[] {
  const findings = [...checkKeeping(displayName, facts), ...checkSecrecy(facts, ways)];
  const { ok } = createFindingReporter('database');
  const name = `${displayName}, PostgreSQL ${facts.versionName}`;
  return findings.some(({ level }) => level !== 'ok') ? findings : [ok(name), ...findings];
}

function checkKeeping(displayName: string, facts: ServerFacts): Finding[] {
  const { error, warning } = createFindingReporter('database');
  return [
    facts.version < OLDEST &&
      error(
        `${displayName} is PostgreSQL ${facts.versionName}; council needs 14 or newer.`,
        'Move to a newer server',
      ),
    facts.encoding !== 'UTF8' &&
      error(
        `${displayName} keeps texts in ${facts.encoding}.`,
        'CREATE DATABASE … ENCODING UTF8 TEMPLATE template0',
      ),
    facts.isReplica &&
      error(
        `${displayName} is a replica: nothing can be committed there.`,
        'Give the address of its primary server',
      ),
    !facts.isReplica &&
      facts.isReadOnly &&
      error(`${displayName} lets this role read only.`, 'ALTER ROLE … RESET default_transaction_read_only'),
    !facts.fsync &&
      error(
        `${displayName} runs with fsync=off: a power failure there destroys what was acknowledged.`,
        'fsync = on in postgresql.conf',
      ),
    facts.isEncrypted === false &&
      warning(
        `The way to ${displayName} is not encrypted: who sees the network sees every text.`,
        'Add sslmode=verify-full to the address',
      ),
  ].filter((one) => one !== false);
}

function checkSecrecy({ telling }: ServerFacts, ways: readonly GuardBypass[]): Finding[] {
  const { ok, warning } = createFindingReporter('database');
  const findings = ways.map(({ role, way }) =>
    warning(
      `No blind council can be started: the role ${role} ${way}.`,
      'Connect as a role of its own: docs/postgres.md',
    ),
  );
  if (telling.length > 0)
    findings.push(
      warning(
        `The server writes texts into its log, sealed ones too, by ${formatFirstFew(
          telling.map(({ name, value }) => `${name} = ${value}`),
          8,
        )}.`,
        'log_parameter_max_length = 0 and log_parameter_max_length_on_error = 0 in postgresql.conf keep texts out of it',
      ),
    );
  return findings.length > 0
    ? findings
    : [ok('This role cannot look at sealed texts, and the log tells none')];
}

/** A move processes the documents of a kind in order, so the rest of an interrupted move is among the first. */
const LOOKED_AT = 100;

/**
 * Finds documents left half moved, in the files of this checkout and in the configured database. `councils` are
 * the councils in files as they are on disk: reading them through their store would silently repair damage.
 */
export async function checkUnfinishedMoves(
  app: App,
  { project, workspace, councils }: DoctorPlace,
): Promise<Finding[]> {
  if (!workspace) return [];
  const named = findProjectDatabase(app.env, project);
  const kinds = await loadKinds(app);
  const files = listShelves(createFileStorage(app, project), kinds).map(({ kind, documents }) =>
    kind === 'council' ? { kind, documents: toReadableCouncils(councils) } : { kind, documents },
  );
  const stores = [files, ...(named ? [listShelves(createDatabaseKeeping(app, project, named), kinds)] : [])];
  const findings: Finding[] = [];
  for (const shelves of stores)
    try {
      findings.push(...(await findInterruptedMoves(shelves)));
    } catch (error) {
      // An unreachable database is reported by the check of the server.
      if (!(error instanceof CouncilError) || isStoreAway(error)) throw error;
    }
  return findings;
}

type ReadableDocuments = Pick<Documents, 'list' | 'read'>;

const toReadableCouncils = (councils: DoctorPlace['councils']): ReadableDocuments => ({
  list: async () => councils.map(({ key }) => key),
  async read(wanted) {
    const found = councils.find(({ key }) => key === wanted);
    return found && found.text !== null ? { revision: found.revision, text: found.text } : undefined;
  },
});

async function findInterruptedMoves(
  shelves: readonly { kind: string; documents: ReadableDocuments }[],
): Promise<Finding[]> {
  const left = new Map<string, { since: string; names: string[] }>();
  for (const { kind, documents } of shelves)
    for (const key of (await documents.list()).slice(0, LOOKED_AT)) {
      // Other checks report damaged documents.
      const moving = parseMoveMarker((await documents.read(key).catch(ignoreCodes()))?.text ?? '');
      if (!moving) continue;
      const one = left.get(moving.to) ?? { since: moving.at, names: [] };
      one.names.push(kind === 'council' ? `council "${key}"` : `${key} (${kind})`);
      left.set(moving.to, one);
    }
  return [...left].map(([to, { since, names }]) =>
    createFindingReporter('store').warning(
      `${formatCount(names.length, 'document is', 'documents are')} half moved to ${to}, since ${since}, and nothing is changed in them here: ${formatFirstFew(names)}.`,
      `${moveCommand(to)} (goes on where it was interrupted)`,
    ),
  );
}
