// For tests that are played on PostgreSQL: where no server can run they are skipped, after `sharedPostgres` has said why.
import { beforeEach } from 'vitest';
import { sharedPostgres } from './shared.ts';

const server = await sharedPostgres();
beforeEach(({ skip }) => {
  if (!server) skip('There is no PostgreSQL server.');
});
