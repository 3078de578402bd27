// Everything that a role may read on a server, and a search for words in it.
import type pg from 'pg';

/** As it is written, and as a server may show bytes. */
function formsOf(canary: string): string[] {
  const bytes = Buffer.from(canary);
  return [canary, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
}

/** Whether a text holds it in any of these forms. */
export const isIn = (canary: string, text: string): boolean =>
  formsOf(canary).some((form) => text.includes(form));

/** Every relation that this role may read, row by row as text. */
export async function everythingReadable(client: pg.Client): Promise<{ relations: number; text: string }> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f', 't', 'S') AND has_schema_privilege(n.oid, 'USAGE')
        AND (CASE c.relkind WHEN 'S' THEN has_sequence_privilege(c.oid, 'SELECT') ELSE has_any_column_privilege(c.oid, 'SELECT') END)`,
  );
  let text = '';
  let relations = 0;
  for (const { name } of rows) {
    // Some may be read in part, some not on this server.
    const found = await client
      .query<{ row: string }>(`SELECT one::text AS row FROM ${name} AS one LIMIT 20000`)
      .catch(() => undefined);
    if (!found) continue;
    relations++;
    text += found.rows.map(({ row }) => row).join('\n');
  }
  return { relations, text };
}
