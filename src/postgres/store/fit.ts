// PostgreSQL driver: whether this council and the tables that it finds fit each other.
import { CouncilError } from '../../core/base/errors.ts';
import type { Applied } from './migrate.ts';
import { MIGRATIONS } from './migrations/all.ts';

/** A statement that reads what the schema has been through; fails with 42P01 where there are no tables. */
export const appliedSql = (schema: string): string =>
  `SELECT json_agg(json_build_object('number', number, 'title', title, 'beside', beside) ORDER BY number) FROM "${schema}".migrations`;

/**
 * Throws `failed` where tables are missing that this council needs, and where a newer one has changed what this one, of
 * `version`, would do wrong.
 */
export function requireFit(done: readonly Applied[], version: string, told: string): void {
  const missing = MIGRATIONS.find(({ number }) => !done.some((one) => one.number === number));
  if (missing)
    throw new CouncilError(
      'failed',
      `${told} has the tables of an older council: migration ${missing.number} (${missing.title}) is missing.`,
      {
        hint: 'Its owner brings them up to date with: council store migrate',
      },
    );
  const strange = done.find(
    ({ number, beside }) => !MIGRATIONS.some((one) => one.number === number) && isOlder(version, beside),
  );
  if (strange)
    throw new CouncilError(
      'failed',
      `${told} has been through migration ${strange.number} (${strange.title}): council ${strange.beside} or newer is needed, and this is ${version}.`,
      { hint: 'Update council on this machine.', details: { migration: strange.number } },
    );
}

function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((one) => one.split('.').map((part) => Number.parseInt(part, 10)));
  const at = [0, 1, 2].find((part) => own?.[part] !== other?.[part]);
  return at !== undefined && (own?.[at] ?? 0) < (other?.[at] ?? 0);
}
