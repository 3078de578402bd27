// PostgreSQL driver, migration 13: access tokens, by their hashes.
import type { Migration } from './migration.ts';

/**
 * Who may reach a server of the project, on whichever machine. A row says once what a token opens; later only the time of its
 * revocation is added. Times are as whoever made it wrote them.
 */
export const accessTokens: Migration = {
  number: 13,
  title: 'access tokens of servers',
  // An older one knows those of its own machine only, as it did.
  beside: '0.1.0',
  sql: ({ schema }) => `
CREATE TABLE ${schema}.access_tokens (
  project text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  sha256 text NOT NULL,
  council text,
  conversation text,
  speaks_as text,
  created_at text NOT NULL,
  created_by text NOT NULL,
  expires_at text,
  revoked_at text,
  PRIMARY KEY (project, id)
);
`,
};
