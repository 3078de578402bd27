// A program: puts what it reads into a database, where a test puts a file into a project. For tests that do not wait.
import fs from 'node:fs';
import pg from 'pg';

const [url = '', path = ''] = process.argv.slice(2);
const text = fs.readFileSync(0, 'utf8');
const client = new pg.Client({ connectionString: url });
await client.connect();
const schema = `"${new URL(url).searchParams.get('schema')}"`;
const [, channel, name] = /\/channels\/([^/]+)\/(?:.+\/)?([^/]+)$/.exec(path) ?? [];
const [, agent] = /\/presence\/([^/]+)\.json$/.exec(path) ?? [];
if (channel !== undefined) {
  await client.query(
    `INSERT INTO ${schema}.channels (project, channel) VALUES ('council', $1) ON CONFLICT DO NOTHING`,
    [channel],
  );
  await client.query(
    `INSERT INTO ${schema}.messages (project, channel, name, text) VALUES ('council', $1, $2, $3)`,
    [channel, name, text],
  );
} else
  await client.query(`INSERT INTO ${schema}.presences (project, agent, text) VALUES ('council', $1, $2)`, [
    agent,
    text,
  ]);
await client.end();
