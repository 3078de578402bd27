// PostgreSQL driver, migration 17: the ids of messages, each used in one channel only.
import type { Migration } from './migration.ts';

/** Of messages that were there before, several may have one id. */
export const messageIds: Migration = {
  number: 17,
  title: 'ids of messages, one for all channels',
  beside: '0.1.0',
  sql: ({ schema }) => `
CREATE TABLE ${schema}.message_ids (
  project text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, name)
);
INSERT INTO ${schema}.message_ids SELECT DISTINCT project, name FROM ${schema}.messages;
`,
};
