// For tests that are played through a server: those that are about something else are skipped.
import { basename } from 'node:path';
import { beforeEach } from 'vitest';
import { NOT_THROUGH_SERVER } from './through-server.ts';

beforeEach(({ skip, task }) => {
  const others = NOT_THROUGH_SERVER[basename(task.file.name, '.test.ts')] ?? [];
  const other = others.find(({ title }) => task.name.includes(title));
  if (other) skip(other.why);
});
