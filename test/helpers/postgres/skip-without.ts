// For tests that are played on PostgreSQL: where no server can run they are skipped, after `sharedPostgres` has said why; so
// are those that are about files.
import { basename } from 'node:path';
import { beforeEach } from 'vitest';
import { NOT_ON_POSTGRES } from './on-postgres.ts';
import { sharedPostgres } from './shared.ts';

const server = await sharedPostgres();
beforeEach(({ skip, task }) => {
  if (!server) skip('There is no PostgreSQL server.');
  const others = NOT_ON_POSTGRES[basename(task.file.name, '.test.ts')] ?? [];
  const other = others.find(({ title }) => task.name.includes(title));
  if (other) skip(other.why);
});
