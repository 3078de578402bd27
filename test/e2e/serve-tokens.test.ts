import fs from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { visitorAt } from '../helpers/visitor.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { databaseForProject } from '../helpers/postgres/project-database.ts';
import { sharedPostgres } from '../helpers/postgres/shared.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { openTurn } from '../helpers/in-turn.ts';

/** An agent asks for leave. */
const asking = (project: Project, agent: string) =>
  promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../helpers/ask-approval.ts'), project.root, agent, '1', 'deploy'],
    { env: { ...project.env, NODE_NO_WARNINGS: '1' } },
  );

/** A council of two people. */
async function withPeople(...more: string[]): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  const args = ['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c', ...more];
  expect((await project.council(args)).code).toBe(0);
  return project;
}

async function tokenOf(project: Project, ...args: string[]): Promise<{ id: string; token: string }> {
  const { code, json } = await project.council<{ id: string; token: string; role: string }>([
    'token',
    'create',
    ...args,
    '--json',
  ]);
  expect(code).toBe(0);
  expect(Object.keys(json)).toEqual(expect.arrayContaining(['id', 'token', 'role']));
  return json;
}
const seatOf = (project: Project, as: string, name = 'c') =>
  tokenOf(project, '--role', 'participant', '--name', name, '--as', as);

describe('an access token', () => {
  it('is named wherever it is recorded who decided', async () => {
    const project = await withPeople();
    const admin = await tokenOf(project, '--role', 'admin');
    const member = await tokenOf(project, '--role', 'member', '--as', 'ada');
    const seat = await seatOf(project, 'ben');
    const server = await serving(project);
    const [owner, ada, ben] = [admin, member, seat].map(({ token }) => apiOf(server.url, token));
    await ben!.ok('respond', { text: 'There.' });
    await owner!.ok('extend', { name: 'c', duration: '2h' }, { 'if-match': '*' });
    await owner!.ok('excuse', { name: 'c', agent: 'ada', why: 'ill' }, { 'if-match': '*' });
    await ada!.ok('start', { topic: 'And who?', agents: ['ada', 'ben'], coordinator: '', name: 'd' });
    await project.council(['tick', '--name', 'c']);
    const actors = async (name: string) => {
      const { json } = await project.council<{ versions: { action: string; actor: string }[] }>([
        ...['history', '--name', name, '--json'],
      ]);
      return json.versions.map(({ action, actor }) => `${action}: ${actor}`);
    };
    expect(await actors('c')).toEqual([
      expect.stringMatching(/^start: .+@.+ via cli$/),
      `respond: participant token ${seat.id} of ben via api`,
      `extend: admin token ${admin.id} via api`,
      `excuse: admin token ${admin.id} via api`,
      expect.stringMatching(/^close: .+@.+ via tick$/),
    ]);
    expect(await actors('d')).toEqual([`start: member token ${member.id} of ada via api`]);

    await asking(project, 'w1');
    const approve = { action: 'approve', id: 'a1', as: 'Zoe' };
    await owner!.ok('approvals', approve);
    const { stdout } = await project.council(['approvals', 'show', 'a1']);
    expect(stdout).toContain(`decided by Zoe with admin token ${admin.id}, `);
    await ada!.post('task', { action: 'run', text: 'Do it.', needs: ['nothing-has-this'] });
    const { json: audit } = await project.council<{ entries: unknown[] }>(['audit', 'list', '--json']);
    expect(audit.entries).toMatchObject([
      { what: 'approval.requested' },
      { what: 'approval.approved', by: 'Zoe', details: { token: `admin token ${admin.id}` } },
      { what: 'task.asked', by: 'ada', details: { place: `member token ${member.id} of ada via api` } },
      { what: 'task.ended' },
    ]);

    const page = visitorAt(server.url);
    await page.join(admin.token);
    expect((await page.post('/councils/d/invite', { agent: 'ben' })).status).toBe(200);
    const made = await project.council<{ tokens: { createdBy: string }[] }>(['token', 'list', '--json']);
    expect(made.json.tokens.at(-1)?.createdBy).toBe(`admin token ${admin.id}`);
    await server.stop();
  });

  it('of a member whom nobody can write to says so', async () => {
    const project = await withPeople();
    const made = (as: string) =>
      project.council(['token', 'create', '--role', 'member', '--as', as, '--json']);
    expect(await made('ada')).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('Note') as string,
    });
    const zoe = await made('zoe');
    expect(zoe).toMatchObject({ code: 0, json: { as: 'zoe' } });
    expect(zoe.stderr).toContain('Note: nobody is called zoe here');
  });

  it('of a participant waits for the end of its council, also once that has come', async () => {
    const project = await withPeople();
    const { token } = await seatOf(project, 'ada');
    const server = await serving(project);
    const wait = (...args: string[]) =>
      project.council<{ archived?: boolean; conversationId?: string }>(
        ['wait', '--name', 'c', '--server', server.url, '--json', ...args],
        { env: { COUNCIL_TOKEN: token } },
      );
    const begun = wait();
    expect((await wait('--timeout', '1s')).code).toBe(124);
    const why = ['cancel', '--name', 'c', '--why', 'enough'];
    expect((await project.council(why)).code).toBe(0);
    const first = await begun;
    expect(first).toMatchObject({ code: 0, json: { archived: true } });
    const { json: told } = first;
    expect(await wait()).toMatchObject({ code: 0, json: told });
    // Whatever has its name by then is not what it waits for.
    const args = ['start', 'And now?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c'];
    expect((await project.council(args)).code).toBe(0);
    expect(await wait()).toMatchObject({ code: 0, json: told });
    const phase = await wait('--for', 'phase:COLLECT');
    expect(phase).toMatchObject({ code: 2, json: { error: { code: 'unknown_council' } } });
    await server.stop();
  });

  it('is needed from the first one on, at a server that runs, and opens nothing once it is revoked', async () => {
    const project = await withPeople();
    const server = await serving(project);
    expect((await apiOf(server.url).post('status')).status).toBe(200);
    const admin = await tokenOf(project, '--role', 'admin', '--as', 'ana');
    const nobody = apiOf(server.url);
    await until('everybody is asked for one', async () => (await nobody.post('status')).status === 401);
    const member = await tokenOf(project, '--role', 'member');
    const api = apiOf(server.url, member.token);
    // One that was just made opens at once.
    expect((await api.post('status')).status).toBe(200);
    const other = apiOf(server.url, `${member.token.slice(0, -4)}0000`);
    expect((await other.post('status')).status).toBe(401);
    expect((await project.council(['token', 'revoke', member.id])).code).toBe(0);
    await until('it is revoked', async () => (await api.post('status')).status === 401);
    expect((await project.council(['token', 'revoke', admin.id])).code).toBe(0);
    await until(
      'the last one is revoked',
      async () => (await apiOf(server.url, admin.token).post('status')).status === 401,
    );
    // Whoever asks in vain again and again is asked to wait.
    expect([401, 429]).toContain((await nobody.post('status')).status);
    const { events } = await server.stop();
    const reasons = new Set(events.flatMap(({ reason }) => (reason === undefined ? [] : [reason])));
    reasons.delete('too_many_requests');
    expect(reasons).toEqual(new Set(['no_token', 'unknown_token', 'revoked_token']));
    expect(JSON.stringify(events)).not.toContain(member.token);
    const listed = await project.council<{ tokens: { state: string }[] }>(['token', 'list', '--json']);
    expect(listed.json.tokens.map(({ state }) => state)).toEqual(['revoked', 'revoked']);
    expect(listed.stdout).not.toMatch(/sha256|council_at_/);
  });

  it('opens another address than the loopback one, and expires', async () => {
    const project = await withPeople();
    const { token } = await tokenOf(project, '--role', 'admin', '--expires', '3s');
    const server = await serving(project, ['--host', '0.0.0.0']);
    const api = apiOf(server.url.replace('0.0.0.0', '127.0.0.1'), token);
    expect((await api.post('list')).status).toBe(200);
    await until('it has expired', async () => (await api.post('list')).status === 401);
    await server.stop();
  });

  it('of a participant is that of one seat at one council, and not of the next one of its name', async () => {
    const project = await withPeople();
    for (const args of [
      ['--role', 'participant'],
      ['--role', 'participant', '--name', 'c', '--as', 'eve'],
      ['--role', 'participant', '--name', 'no', '--as', 'ada'],
      ['--role', 'member', '--name', 'c'],
      [],
    ])
      expect(await project.council(['token', 'create', ...args])).toMatchObject({ code: 2, stdout: '' });
    const { token } = await seatOf(project, 'ada');
    const server = await serving(project);
    const { ok, refused } = apiOf(server.url, token);
    expect(await ok('view')).toMatchObject({ participant: 'ada', name: 'c' });
    expect(await refused('view', { agent: 'ben' })).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await refused('status')).toMatchObject({ status: 403 });
    expect(await ok('respond', { text: 'From here.' })).toMatchObject({ accepted: true, participant: 'ada' });
    await project.council(['cancel', '--name', 'c', '--why', 'next']);
    await project.council(['start', 'Again?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
    expect(await refused('view')).toMatchObject({ status: 404, code: 'unknown_council' });
    expect(await refused('respond', { text: 'x' })).toMatchObject({ status: 404, code: 'unknown_council' });
    await server.stop();
  });

  it('of a participant opens the archive of its own council, and tells of no other one', async () => {
    const project = await withPeople();
    const people = ['--agents', 'ada,ben', '--coordinator', ''];
    for (const name of ['over', 'open'])
      await project.council(['start', 'Secret?', ...people, '--name', name]);
    const asked = ['start', 'Who?', ...people, '--name', 'guarded', '--identity', 'token', '--json'];
    const guarded = await project.council<{ tokens: { ada: string } }>(asked);
    const { token } = await seatOf(project, 'ada');
    const server = await serving(project);
    for (const shown of [token, guarded.json.tokens.ada]) {
      const api = apiOf(server.url, shown);
      expect(await api.ok('list')).toEqual({ archives: [] });
    }
    await project.council(['cancel', '--name', 'over', '--why', 'enough']);
    const [secret = ''] = fs.readdirSync(join(project.root, 'conseils'));
    const stem = secret.replace('.md', '');
    const conversationId = /conversationId: (\S+)/.exec(project.read(`conseils/${secret}`).toString())![1]!;
    const visitor = visitorAt(server.url);
    await visitor.join(token);
    const closed = async (): Promise<void> => {
      for (const shown of [token, guarded.json.tokens.ada]) {
        const api = apiOf(server.url, shown);
        const none = await api.refused('show', { archive: 'nowhere' });
        expect(none).toMatchObject({ status: 404, code: 'unknown_archive' });
        for (const ref of [stem, 'over', conversationId, `conseils/${secret}`, 'open', 'nothing-like-it']) {
          const told = JSON.stringify(await api.refused('show', { archive: ref })).replaceAll(ref, 'REF');
          expect({ ref, told }).toEqual({ ref, told: JSON.stringify(none).replaceAll('nowhere', 'REF') });
        }
        const found = await api.ok<{ results: { topic: string }[] }>('search', { query: 'Secret' });
        expect(found.results).toEqual([]);
        expect(await api.ok('search', { query: stem })).toMatchObject({ results: [] });
      }
      for (const ref of [stem, 'over', 'open', 'nothing-like-it'])
        expect({ ref, ...(await visitor.get(`/archives/${ref}`)) }).toMatchObject({ ref, status: 404 });
      expect((await visitor.get('/archives?q=Secret')).body).not.toContain('Secret?');
      expect((await visitor.get('/archives')).body).not.toContain('Secret?');
    };
    await closed();
    await project.council(['cancel', '--name', 'c', '--why', 'enough']);
    const own = apiOf(server.url, token);
    const { archives } = await own.ok<{ archives: { id: string; topic: string }[] }>('list');
    expect(archives).toMatchObject([{ topic: 'Where?' }]);
    for (const ref of ['c', archives[0]!.id])
      expect(await own.ok('show', { archive: ref })).toHaveProperty('brief');
    expect(await own.ok('search', { query: 'where' })).toMatchObject({ results: [{ topic: 'Where?' }] });
    expect((await visitor.get(`/archives/${archives[0]!.id}`)).status).toBe(200);
    expect((await visitor.get('/archives')).body).toContain('Where?');
    // Whoever was not there finds as much as before.
    const all = await project.council<{ results: unknown[] }>(['search', 'Secret', '--json']);
    expect(all.json.results).toHaveLength(1);
    await server.stop();
  });

  it('opens its seat where the council asks for its own tokens, and a member has none there', async () => {
    const project = await withPeople('--identity', 'token');
    const { token } = await seatOf(project, 'ada');
    const member = await tokenOf(project, '--role', 'member', '--as', 'ben');
    const server = await serving(project);
    expect(await apiOf(server.url, token).ok('respond', { text: 'Mine.' })).toMatchObject({ accepted: true });
    expect(await apiOf(server.url, member.token).refused('respond', { text: 'x' })).toMatchObject({
      status: 403,
    });
    await server.stop();
  });

  it('of a member convenes, and is not told by what people would be answered for', async () => {
    const project = await withPeople();
    const people = { topic: 'Who?', agents: ['ada', 'ben'], identity: 'token' };
    const [member, admin] = await Promise.all([
      tokenOf(project, '--role', 'member', '--as', 'ana'),
      tokenOf(project, '--role', 'admin'),
    ]);
    const server = await serving(project);
    const api = apiOf(server.url, member.token);
    for (const key of ['one', 'one', 'two']) {
      const answer = await api.post('start', { ...people, name: key }, { 'idempotency-key': key });
      const body = await answer.text();
      expect({ status: answer.status, body }).toMatchObject({ status: 200 });
      expect(body).not.toMatch(/tokens|council_[\w-]{20}/);
    }
    const env = { COUNCIL_SERVER: server.url, COUNCIL_TOKEN: member.token };
    const there = ['start', 'Who?', '--agents', 'ada,ben', '--identity', 'token', '--name'];
    const told = await project.council([...there, 'three'], { env });
    expect(told).toMatchObject({ code: 0 });
    expect(told.stderr).toContain('council invite ada --name three');
    expect(told.stdout + told.stderr).not.toContain('COUNCIL_TOKEN=');
    expect(await apiOf(server.url, admin.token).ok('start', { ...people, name: 'four' })).toMatchObject({
      tokens: { ada: expect.any(String) as string, ben: expect.any(String) as string },
    });
    await server.stop();
  });

  it('is made by no agent', async () => {
    const project = await withPeople();
    const env = openTurn(project, 'ada');
    for (const args of [
      ['create', '--role', 'admin'],
      ['revoke', '00000000'],
    ])
      expect((await project.council(['token', ...args, '--json'], { env })).json).toMatchObject({
        error: { code: 'forbidden' },
      });
  });
});

describe.skipIf(!(await sharedPostgres()))('an access token of a project in PostgreSQL', () => {
  it('opens every machine that serves the project, from being made to being revoked on another one', async () => {
    const url = (await databaseForProject())!;
    const machine = async (): Promise<Project> => {
      const project = await newProject({ init: false });
      project.env.COUNCIL_DATABASE_URL = url;
      expect((await project.council(['init', '--no-detect'])).code).toBe(0);
      return project;
    };
    const [one, other] = [await machine(), await machine()];
    const server = await serving(other);
    expect((await apiOf(server.url).post('list')).status).toBe(200);
    const { id, token } = await tokenOf(one, '--role', 'member', '--as', 'ana');
    await until('it is asked for', async () => (await apiOf(server.url).post('list')).status === 401);
    const api = apiOf(server.url, token);
    expect((await api.post('list')).status).toBe(200);
    const before = await other.council<{ tokens: unknown[] }>(['token', 'list', '--json']);
    expect(before.json.tokens).toMatchObject([{ id, role: 'member', as: 'ana', state: 'valid' }]);
    expect((await one.council(['token', 'revoke', id])).code).toBe(0);
    await until('it is revoked', async () => (await api.post('list')).status === 401);
    const { events } = await server.stop();
    expect(events.map(({ reason }) => reason)).toContain('revoked_token');
    expect(JSON.stringify(events)).not.toContain(token);
    expect((await one.council(['token', 'revoke', '00000000'])).code).toBe(2);
  });

  it('goes on opening the machine that it was made on while the project lay in files, until it is revoked', async () => {
    const project = await newProject({ init: false });
    project.env.COUNCIL_DATABASE_URL = '';
    expect((await project.council(['init', '--no-detect'])).code).toBe(0);
    const early = await tokenOf(project, '--role', 'admin', '--as', 'ana');
    project.env.COUNCIL_DATABASE_URL = (await databaseForProject())!;
    const late = await tokenOf(project, '--role', 'member');
    const server = await serving(project);
    expect((await apiOf(server.url).post('list')).status).toBe(401);
    for (const { id, token } of [early, late]) {
      const api = apiOf(server.url, token);
      expect((await api.post('list')).status).toBe(200);
      expect((await project.council(['token', 'revoke', id])).code).toBe(0);
      await until('it is revoked', async () => (await api.post('list')).status === 401);
    }
    await server.stop();
  });
});
