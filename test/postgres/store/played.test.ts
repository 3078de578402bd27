// The lists of end-to-end tests that are played on PostgreSQL name what there is.
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ON_POSTGRES, NOT_ON_POSTGRES, OFF_POSTGRES } from '../../helpers/postgres/on-postgres.ts';

const E2E = join(import.meta.dirname, '..', '..', 'e2e');
const read = (name: string): string => fs.readFileSync(join(E2E, `${name}.test.ts`), 'utf8');

it('lists each file once, and none that is not there', () => {
  expect([...new Set(ON_POSTGRES)]).toEqual(ON_POSTGRES);
  for (const name of ON_POSTGRES) expect(read(name)).toContain("from 'vitest'");
});

it('names every end-to-end file once: played there, or not, and why', () => {
  const there = fs.readdirSync(E2E).flatMap((file) => (file.endsWith('.test.ts') ? [file.slice(0, -8)] : []));
  const named = [...ON_POSTGRES, ...OFF_POSTGRES.flatMap(({ files }) => files)];
  expect(named.toSorted()).toEqual(there.toSorted());
  for (const { why } of OFF_POSTGRES) expect(why).not.toBe('');
});

it('leaves out tests of those files only, by a title that is there', () => {
  for (const [name, tests] of Object.entries(NOT_ON_POSTGRES)) {
    expect(ON_POSTGRES).toContain(name);
    for (const { title } of tests) expect(read(name)).toContain(title);
  }
});
