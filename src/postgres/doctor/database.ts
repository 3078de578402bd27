// Doctor: the PostgreSQL server that keeps the project, and the role that council works as.
import type { WayIn } from '../store/blindness.ts';
import type { ServerFacts } from '../store/inspect-server.ts';
import type { App } from '../../core/app/app.ts';
import type { DoctorPlace } from '../../core/app/feature.ts';
import { findProjectDatabase } from '../named-database.ts';
import { about, some } from '../../core/app/doctor/finding.ts';
import type { Finding } from '../../core/app/doctor/finding.ts';

/** PostgreSQL 14. */
const OLDEST = 140_000;

/** The server that keeps the project; nothing where files do. */
export async function databaseFindings(
  app: Pick<App, 'env'>,
  { project }: Pick<DoctorPlace, 'project'>,
): Promise<Finding[]> {
  const named = findProjectDatabase(app.env, project);
  if (!named) return [];
  const { inspectDatabase } = await import('../store/open.ts');
  const { facts, ways } = await inspectDatabase(named.place);
  return serverFindings(named.place.told, facts, ways);
}

/** Does the server keep what it acknowledges, and does it keep secrets? `told` is where it is, without a password. */
export function serverFindings(told: string, facts: ServerFacts, ways: readonly WayIn[]): Finding[] {
  const findings = [...keepingFindings(told, facts), ...secretFindings(facts, ways)];
  const { ok } = about('database');
  const name = `${told}, PostgreSQL ${facts.versionName}`;
  return findings.some(({ level }) => level !== 'ok') ? findings : [ok(name), ...findings];
}

function keepingFindings(told: string, facts: ServerFacts): Finding[] {
  const { error, warning } = about('database');
  return [
    facts.version < OLDEST &&
      error(
        `${told} is PostgreSQL ${facts.versionName}; council needs 14 or newer.`,
        'Move to a newer server',
      ),
    facts.encoding !== 'UTF8' &&
      error(
        `${told} keeps texts in ${facts.encoding}.`,
        'CREATE DATABASE … ENCODING UTF8 TEMPLATE template0',
      ),
    facts.isReplica &&
      error(
        `${told} is a replica: nothing can be committed there.`,
        'Give the address of its primary server',
      ),
    !facts.isReplica &&
      facts.isReadOnly &&
      error(`${told} lets this role read only.`, 'ALTER ROLE … RESET default_transaction_read_only'),
    !facts.fsync &&
      error(
        `${told} runs with fsync=off: a power failure there destroys what was acknowledged.`,
        'fsync = on in postgresql.conf',
      ),
    facts.isEncrypted === false &&
      warning(
        `The way to ${told} is not encrypted: who sees the network sees every text.`,
        'Add sslmode=verify-full to the address',
      ),
  ].filter((one) => one !== false);
}

function secretFindings({ telling }: ServerFacts, ways: readonly WayIn[]): Finding[] {
  const { ok, warning } = about('database');
  const findings = ways.map(({ role, way }) =>
    warning(
      `No blind council can be started: the role ${role} ${way}.`,
      'Connect as a role of its own: docs/postgres.md',
    ),
  );
  if (telling.length > 0)
    findings.push(
      warning(
        `The server writes texts into its log, sealed ones too, by ${some(
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
