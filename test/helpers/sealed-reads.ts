// Whether somebody has read what is sealed: by the times of access of the files, or by what the database counts.
import fs from 'node:fs';
import { join } from 'node:path';
import type { Project } from './cli.ts';
import { connected, sharedPostgres } from './postgres/shared.ts';

/** Counts from now on. Call what it returns once all who may have read are gone: what was read; undefined where that cannot be told. */
export async function watchSealed(project: Project): Promise<() => Promise<string[] | undefined>> {
  const { COUNCIL_DATABASE_URL: url } = project.env;
  return url === undefined ? filesRead(project) : rowsRead(url);
}

/** A file that was last read before it was written is marked by the next one who reads it, also where little is marked. */
function filesRead({ privateDir, outside }: Project): () => Promise<string[] | undefined> {
  const long = new Date('2001-02-03T04:05:06Z');
  const control = join(outside, 'read-by-this-test');
  fs.writeFileSync(control, 'x');
  const sealed = fs
    .readdirSync(privateDir, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:^|\/)(?:sealed|kept|dropped|asked)-/.test(path))
    .map((path) => join(privateDir, path));
  if (sealed.length === 0) throw new Error('Nothing is sealed: the test looks in the wrong place.');
  for (const path of [control, ...sealed]) fs.utimesSync(path, long, fs.statSync(path).mtime);
  const wasRead = (path: string): boolean => fs.statSync(path).atimeMs !== long.getTime();
  return () => {
    const read = sealed.filter(wasRead);
    fs.readFileSync(control);
    return Promise.resolve(wasRead(control) ? read : undefined);
  };
}

/** A long text lies in a table beside, whose rows nobody fetches who only asks for its name or its length. */
function rowsRead(url: string): () => Promise<string[] | undefined> {
  const texts = `"${new URL(url).searchParams.get('schema')}_sealed".texts`;
  return async () => {
    const server = await sharedPostgres();
    if (!server) return undefined;
    const fetched = (): Promise<number> =>
      connected(server.url, async (root) => {
        const { rows } = await root.query<{ count: string }>(
          'SELECT s.idx_tup_fetch AS count FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.reltoastrelid WHERE c.oid = $1::regclass',
          [texts],
        );
        return Number(rows[0]?.count);
      });
    const before = await fetched();
    const { rowCount } = await connected(server.url, (root) =>
      root.query(`SELECT pg_catalog.sha256(bytes) FROM ${texts}`),
    );
    if (rowCount === 0) throw new Error('Nothing is sealed: the test looks in the wrong place.');
    return (await fetched()) > before
      ? before === 0
        ? []
        : [`${before} pieces of sealed texts`]
      : undefined;
  };
}
