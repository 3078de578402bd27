// The lists of end-to-end tests that are played on PostgreSQL name what there is.
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALL_ON_POSTGRES, NOT_ON_POSTGRES } from '../../helpers/postgres/on-postgres.ts';

const E2E = join(import.meta.dirname, '..', '..', 'e2e');
const read = (name: string): string => fs.readFileSync(join(E2E, `${name}.test.ts`), 'utf8');

it('lists each file once, and none that is not there', () => {
  expect([...new Set(ALL_ON_POSTGRES)]).toEqual(ALL_ON_POSTGRES);
  for (const name of ALL_ON_POSTGRES) expect(read(name)).toContain("from 'vitest'");
});

it('leaves out tests of those files only, by a title that is there', () => {
  for (const [name, tests] of Object.entries(NOT_ON_POSTGRES)) {
    expect(ALL_ON_POSTGRES).toContain(name);
    for (const { title } of tests) expect(read(name)).toContain(title);
  }
});
