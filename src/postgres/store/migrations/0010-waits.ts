// PostgreSQL driver, migration 10: what a council waits for, beside the version that says so.
import type { Migration } from './migration.ts';

/** Written once with the version: whoever asks where ten thousand councils stand reads no text of theirs. */
export const waits: Migration = {
  number: 10,
  title: 'what councils wait for',
  beside: '0.1.0',
  sql: ({ schema }) => `ALTER TABLE ${schema}.versions ADD COLUMN waits text`,
};
