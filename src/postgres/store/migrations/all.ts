// PostgreSQL driver: the migrations, and what the role that council works as may do with each table.
import { sealedTexts } from './0003-sealed-texts.ts';
import { tables } from './0001-tables.ts';
import { waits } from './0010-waits.ts';
import { commit } from './0012-commit.ts';
import { accessTokens } from './0013-access-tokens.ts';
import { heartbeats } from './0014-heartbeats.ts';
import { moved } from './0016-moved.ts';
import { messageIds } from './0017-message-ids.ts';
import type { Migration } from './migration.ts';

/** By their numbers. */
export const MIGRATIONS: readonly Migration[] = [
  tables,
  sealedTexts,
  waits,
  commit,
  accessTokens,
  heartbeats,
  moved,
  messageIds,
];

/** By table: what council's own role may do; nothing else is granted to it. */
export const TABLE_GRANTS: Readonly<Record<string, string>> = {
  heads: 'SELECT, INSERT, UPDATE',
  versions: 'SELECT, INSERT, UPDATE',
  archives: 'SELECT, INSERT, UPDATE, DELETE',
  late_texts: 'SELECT, INSERT',
  channels: 'SELECT, INSERT',
  messages: 'SELECT, INSERT',
  message_ids: 'SELECT, INSERT',
  presences: 'SELECT, INSERT, UPDATE, DELETE',
  pins: 'SELECT, INSERT',
  access_tokens: 'SELECT, INSERT, UPDATE (revoked_at)',
  heartbeats: 'SELECT, INSERT, UPDATE, DELETE',
  migrations: 'SELECT',
};
