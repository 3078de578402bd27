// The lists of end-to-end tests that are played through a server name what there is.
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NOT_THROUGH_SERVER, PAST_SERVER, THROUGH_SERVER } from '../../helpers/through-server.ts';

const E2E = join(import.meta.dirname, '..', '..', 'e2e');
const read = (name: string): string => fs.readFileSync(join(E2E, `${name}.test.ts`), 'utf8');

it('names every end-to-end file once: played through a server, or not, and why', () => {
  const there = fs.readdirSync(E2E).flatMap((file) => (file.endsWith('.test.ts') ? [file.slice(0, -8)] : []));
  const named = [...THROUGH_SERVER, ...PAST_SERVER.flatMap(({ files }) => files)];
  expect(named.toSorted()).toEqual(there.toSorted());
  for (const { why } of PAST_SERVER) expect(why).not.toBe('');
});

it('leaves out tests of those files only, by a title that is there', () => {
  for (const [name, tests] of Object.entries(NOT_THROUGH_SERVER)) {
    expect(THROUGH_SERVER).toContain(name);
    for (const { title } of tests) expect(read(name)).toContain(title);
  }
});
