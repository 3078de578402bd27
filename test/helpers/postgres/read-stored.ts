// A program: prints what a database keeps in place of a file of the project, or the paths of its archives. For tests that read files, which do not wait.
import pg from 'pg';

const [url = '', path = ''] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
await client.connect();
const schema = `"${new URL(url).searchParams.get('schema')}"`;
const state = /^memory\/shared\/council-(.+)\.md$/.exec(path)?.[1];
const late = /^memory\/shared\/\.late\/([^/]+)\/(.+)$/.exec(path);
const [sql, values] = state
  ? [
      `SELECT v.text AS it FROM ${schema}.heads h JOIN ${schema}.versions v USING (project, key, revision) WHERE project = 'council' AND key = $1 AND live`,
      [state],
    ]
  : late
    ? [`SELECT bytes AS it FROM ${schema}.late_texts WHERE conversation = $1 AND name = $2`, late.slice(1)]
    : path === 'conseils/'
      ? [
          `SELECT coalesce(string_agg(path, E'\\n' ORDER BY path), '') AS it FROM ${schema}.archives WHERE text IS NOT NULL`,
          [],
        ]
      : [`SELECT text AS it FROM ${schema}.archives WHERE path = $1`, [path]];
const { rows } = await client.query<{ it: string | Buffer | null }>(sql, values);
await client.end();
if (rows[0]?.it === undefined || rows[0].it === null) process.exitCode = 1;
else process.stdout.write(rows[0].it);
