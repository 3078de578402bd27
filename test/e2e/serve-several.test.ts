// Several servers on one database: each knows what another one was told.
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { databaseForProject } from '../helpers/postgres/project-database.ts';
import { sharedPostgres } from '../helpers/postgres/shared.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { listen } from '../helpers/sse.ts';

/** A machine of its own that works on a project in a database. */
async function machineOn(url: string): Promise<Project> {
  const project = await newProject({ init: false });
  project.env.COUNCIL_DATABASE_URL = url;
  expect((await project.council(['init', '--no-detect'])).code).toBe(0);
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  return project;
}
const seated = { name: 'c', topic: 'Where? 🦉', agents: ['ada', 'ben'], coordinator: '' };
const keyed = (key: string) => ({ 'idempotency-key': key });

describe.skipIf(!(await sharedPostgres()))('two servers on one database', () => {
  it('play one council: tokens, keys, texts, decisions and events hold at both', async () => {
    const url = (await databaseForProject())!;
    const [here, there] = [await machineOn(url), await machineOn(url)];
    const token = async (...args: string[]): Promise<string> => {
      const made = await here.council<{ token: string }>(['token', 'create', ...args, '--json']);
      return made.json.token;
    };
    const admin = await token('--role', 'admin', '--as', 'ana');
    const [one, two] = [await serving(here), await serving(there)];
    const [a, b] = [apiOf(one.url, admin), apiOf(two.url, admin)];

    // The same start at both, at the same time.
    const [first, second] = await Promise.all([a, b].map((api) => api.ok('start', seated, keyed('k-start'))));
    expect(without(second)).toEqual(without(first));
    const ada = await token('--role', 'participant', '--name', 'c', '--as', 'ada');
    const events = await listen(`${two.url}/api/v1/events?name=c`, { authorization: `Bearer ${ada}` });
    await until('the stream begins', () => events.events.length > 0);

    const said = { text: 'position: Redis\n\nCANARY-TEXT, it is fast.\n' };
    const answers = await Promise.all(
      [one, two, one, two].map(({ url: at }) => apiOf(at, ada).ok('respond', said, keyed('k-ada'))),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ accepted: true, revision: 2 });
    expect(await apiOf(two.url, ada).refused('respond', { text: 'Other.' }, keyed('k-ada'))).toMatchObject({
      status: 422,
      code: 'key_reused',
    });
    await until('the other server tells of it', () => events.events.some(({ data }) => data.revision === 2));

    const tag = (await b.post('status', { name: 'c' })).headers.get('etag')!;
    const extended = await Promise.all(
      [a, b].map((api) => api.post('extend', { name: 'c', duration: '1h' }, { 'if-match': tag })),
    );
    expect(extended.map(({ status }) => status).sort()).toEqual([200, 412]);
    const ben = { agent: 'ben', name: 'c', text: 'Postgres.' };
    expect(await a.ok('respond', ben, keyed('k-ben'))).toMatchObject({ accepted: true, revision: 4 });
    await one.stop();
    // Whoever was cut off is answered by the one that is left.
    expect(await b.ok('respond', ben, keyed('k-ben'))).toMatchObject({ accepted: true, revision: 4 });
    const ended = await b.ok('cancel', { name: 'c', why: 'enough' }, { 'if-match': '"4"' });
    expect(ended).toMatchObject({ status: 'CANCELLED' });
    const { archives } = await b.ok<{ archives: { id: string }[] }>('list');
    expect(archives).toHaveLength(1);
    const { contributions } = await b.ok<{ contributions: { participant: string; text: string }[] }>('show', {
      archive: archives[0]!.id,
    });
    expect(contributions.map(({ participant }) => participant)).toEqual(['ada', 'ben']);
    expect(contributions[0]!.text).toBe(said.text);
    const log = JSON.stringify((await two.stop()).events);
    expect(log + events.raw()).not.toContain('CANARY');
  });
});

/** The path is that of the server's own folder. */
function without(answer: unknown): unknown {
  const { path: _path, ...rest } = answer as { path: string };
  return rest;
}
