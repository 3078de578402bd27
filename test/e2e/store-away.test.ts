// The store of a project that goes away, and comes back, under whatever lasts.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject, ON_POSTGRES, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Status } from '../helpers/documents.ts';
import { migratedSchema, sharedPostgres } from '../helpers/postgres/shared.ts';
import { proxyTo } from '../helpers/postgres/proxy.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { addAgent } from '../helpers/speakers.ts';

async function withPeople(env: Record<string, string> = {}): Promise<Project> {
  const project = await newProject();
  Object.assign(project.env, env);
  for (const id of ['ana', 'ben']) addAgent(project, id);
  const { code, stderr } = await project.council(['start', 'Do we move?', '--timeout', '1h']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return project;
}

async function isReady(url: string): Promise<boolean> {
  const { status } = await fetch(`${url}/readyz`);
  expect([200, 503]).toContain(status);
  return status === 200;
}

/** What a call is answered while the store is away. */
async function refusedAway(url: string): Promise<void> {
  const answer = await apiOf(url).post('status');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  const { code, hint } = (await answer.json()) as { code: string; hint: string };
  expect(code).toBe('store_away');
  expect(hint).not.toBe('');
}

describe.skipIf(ON_POSTGRES)('a folder that goes away', () => {
  it('is told once by a heartbeat, and nothing is made in its place', async () => {
    const project = await withPeople();
    const beat = project.launch(['heartbeat', '--root', project.root], { cwd: project.outside });
    await until('the heartbeat stands', () => beat.output().includes('Heartbeat in'));
    const away = join(project.outside, 'away');
    fs.renameSync(project.root, away);
    const told = (): string[] => beat.output().match(/is not there \(ENOENT\)/g) ?? [];
    await until('it is told', () => told().length > 0);
    expect(fs.existsSync(project.root)).toBe(false);
    // Another one in its place, as below a mount point.
    fs.mkdirSync(project.root);
    await until('the other one is told', () => beat.output().includes('Another folder stands at'));
    expect(filesIn(project.root)).toEqual([]);
    // In one step: a look in between would find no folder once more.
    fs.renameSync(away, project.root);
    await until('it is back', () => beat.output().includes('The store can be used again.'));
    expect(told()).toHaveLength(1);
    for (const id of ['ana', 'ben']) await project.council(['respond', id], { input: `by ${id}` });
    await until('it goes on', () => beat.output().includes('CHALLENGE'));
    beat.child.kill('SIGTERM');
    expect((await beat.ended).code).toBe(0);
  });

  it('makes a server say that it is not ready, and refuse calls, until it is back', async () => {
    const project = await withPeople();
    const { url, stop } = await serving(project);
    const away = join(project.outside, 'away');
    for (const isReplaced of [true, false]) {
      fs.renameSync(project.root, away);
      if (isReplaced) fs.mkdirSync(project.root);
      expect(await isReady(url)).toBe(false);
      await refusedAway(url);
      expect((await apiOf(url).post('respond', { agent: 'ana', text: 'I stay.' })).status).toBe(503);
      for (const page of [
        '/',
        '/councils/active-conversation',
        '/archives',
        '/messages',
        '/tasks',
        '/agents',
      ]) {
        const answer = await fetch(new URL(page, url), { headers: { accept: 'text/html' } });
        expect([page, answer.status]).toEqual([page, 503]);
        expect(await answer.text()).toMatch(
          /The folder of the project is not there|Another folder stands|is not there \(ENOENT\)/,
        );
      }
      if (isReplaced) {
        expect(filesIn(project.root)).toEqual([]);
        fs.rmdirSync(project.root);
      }
      fs.renameSync(away, project.root);
      expect(await isReady(url)).toBe(true);
      await apiOf(url).ok('status');
    }
    expect((await stop()).code).toBe(0);
  });
});

describe.skipIf(ON_POSTGRES)('a run that waits for people', () => {
  it.each([false, true])(
    'is not told that it is over, where its folder has gone (another one there: %s)',
    async (isReplaced) => {
      const project = await withPeople();
      const playing = project.launch(['run', '--resume']);
      await until('it waits', () => playing.output().includes('Waiting for'));
      const away = join(project.outside, 'away');
      fs.renameSync(project.root, away);
      if (isReplaced) fs.mkdirSync(project.root);
      const { code, stdout, stderr } = await playing.ended;
      expect({ code, stdout }).toMatchObject({ code: 1, stdout: '' });
      expect(stderr).toMatch(isReplaced ? /Another folder stands at/ : /is not there/);
      expect(fs.existsSync(join(project.root, 'memory'))).toBe(false);
    },
  );
});

describe.skipIf(ON_POSTGRES)('a tick that nobody watches', () => {
  it('tells what lasts when it begins and when it is over', async () => {
    const project = await withPeople();
    await project.council(['send', 'ana', 'hello', '--from', 'ben']);
    const message = filesIn(project.root).find(
      (path) => path.includes('/general/') && path.endsWith('.json'),
    )!;
    const damaged = join(dirname(message), 'note.json');
    fs.writeFileSync(damaged, 'no message');
    const told = async (): Promise<string> => (await project.council(['tick', '--no-launch'])).stderr;
    expect(await told()).toContain(damaged);
    expect(await told()).toBe('');
    fs.rmSync(damaged);
    expect(await told()).toMatch(/^Over now: .*note\.json/);
    expect(await told()).toBe('');
  });

  it('fails without a word where the one before has failed in the same way', async () => {
    const project = await withPeople();
    fs.writeFileSync(join(project.root, 'COUNCIL.md'), '---\nmode: [\n---\n');
    const first = await project.council(['tick']);
    expect(first).toMatchObject({ code: 2 });
    expect(first.stderr).toContain('COUNCIL.md');
    expect(await project.council(['tick'])).toMatchObject({ code: 2, stdout: '', stderr: '' });
    const { json } = await project.council<Failed>(['tick', '--json']);
    expect(json.error.code).toBe('invalid_config');
  });

  it('tells once that its folder has gone, in the line that cron runs too', async () => {
    const project = await withPeople();
    const { stdout } = await project.council(['install', '--dry-run']);
    const line = stdout.split('\n').find((one) => one.startsWith('*/5'))!;
    const asCron = (): string =>
      spawnSync('sh', ['-c', line.split(' ').slice(5).join(' ')], { cwd: '/', encoding: 'utf8' }).stderr;
    expect(asCron()).toBe('');
    const away = join(project.outside, 'away');
    fs.renameSync(project.root, away);
    expect(asCron()).toContain('is not a folder');
    expect(asCron()).toBe('');
    fs.renameSync(away, project.root);
    expect(asCron()).toMatch(/^Over now: .*is not a folder/);
  });
});

describe.skipIf(ON_POSTGRES)('the home of a user', () => {
  it('is named where a text was sealed with another one', async () => {
    const project = await withPeople();
    await project.council(['respond', 'ana'], { input: 'sealed here' });
    const other = { XDG_STATE_HOME: join(project.outside, 'other') };
    const { stderr } = await project.council(['tick', '--no-launch'], { env: other });
    expect(stderr).toContain(`is not in ${join(project.outside, 'other', 'council')}`);
    expect(stderr).not.toContain('not on this machine');
    const { stdout } = await project.council(['doctor'], { env: other });
    expect(stdout).toMatch(/warning +store +council "active-conversation": The sealed text of ana is not in/);
  });
});

const server = ON_POSTGRES ? undefined : await sharedPostgres();

describe.skipIf(!server)('a database that goes away', async () => {
  if (!server) return;
  it.each(['stopped', 'cut off'] as const)(
    'under a server and a heartbeat, %s: no 500, back within seconds, nothing lost or doubled',
    async (how) => {
      const { appUrl } = await migratedSchema(server);
      const proxy = await proxyTo(appUrl);
      const project = await withPeople({ COUNCIL_DATABASE_URL: proxy.url });
      const { url, stop } = await serving(project);
      const beat = project.launch(['heartbeat']);
      await until('the heartbeat stands', () => beat.output().includes('Heartbeat in'));
      expect(await isReady(url)).toBe(true);
      const text = { agent: 'ana', text: `I stay, ${how}.` };
      const statuses: number[] = [];
      const post = async (): Promise<void> =>
        void statuses.push((await apiOf(url).post('respond', text, { 'idempotency-key': 'one' })).status);
      if (how === 'stopped') proxy.refuse();
      else proxy.stall();
      await until('it is told', async () => !(await isReady(url)));
      await Promise.all([refusedAway(url), post(), post()]);
      await until('the heartbeat tells', () => /cannot be reached|does not answer/.test(beat.output()));
      proxy.resume();
      await until('the server is ready', () => isReady(url));
      await until('the heartbeat is back', () => beat.output().includes('can be used again'));
      await post();
      expect(statuses.at(-1)).toBe(200);
      expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([]);
      const { councils } = await apiOf(url).ok<Status>('status');
      expect(councils).toMatchObject([{ revision: 2, participants: { ana: { status: 'RESPONDED' } } }]);
      expect((await stop()).code).toBe(0);
      beat.child.kill('SIGTERM');
      expect((await beat.ended).code).toBe(0);
      proxy.close();
    },
  );

  it('costs a process that waits two connections, and holds up no deadline', async () => {
    const { appUrl } = await migratedSchema(server);
    const proxy = await proxyTo(appUrl);
    const project = await withPeople({ COUNCIL_DATABASE_URL: proxy.url });
    await project.council(['respond', 'ana'], { input: 'just now' });
    const before = proxy.opened();
    const waited = await project.council(['wait', '--timeout', '3s']);
    expect(waited.code).toBe(124);
    expect(proxy.opened() - before).toBeLessThanOrEqual(2);
    proxy.stall();
    const late = await project.council(['wait', '--timeout', '1s']);
    expect(late).toMatchObject({ code: 124 });
    const doctor = await project.council(['doctor']);
    expect(doctor.stdout).toContain('does not answer');
    proxy.close();
  });

  it('is told within seconds by commands that ask it for something, and the text given is kept', async () => {
    const { appUrl } = await migratedSchema(server);
    const proxy = await proxyTo(appUrl);
    const project = await withPeople({ COUNCIL_DATABASE_URL: proxy.url });
    proxy.stall();
    const ask = async (args: string[], input = ''): Promise<Failed['error']> => {
      const { code, json } = await project.council<Failed>([...args, '--json'], { input });
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(json.error).toMatchObject({ code: 'store_away', trouble: 'unreachable' });
      expect(json.error.hint).toContain('Is the server running');
      return json.error;
    };
    for (const args of [['ack', 'msg-1', '--as', 'ana'], ['status'], ['tick']]) await ask(args);
    const { kept } = await ask(['respond', 'ana'], 'Said to a frozen server.');
    expect(fs.readFileSync(String(kept), 'utf8')).toBe('Said to a frozen server.');
    proxy.resume();
    const { code } = await project.council(['respond', 'ana', '--file', String(kept)]);
    expect(code).toBe(0);
    proxy.close();
  });

  it('is told within seconds by commands in whose middle it stops answering', async () => {
    const { appUrl } = await migratedSchema(server);
    const proxy = await proxyTo(appUrl);
    const project = await withPeople({ COUNCIL_DATABASE_URL: proxy.url });
    // Each statement has thirty seconds, and a lost one is sent again: without a judgement these take a minute and more.
    const frozenAt = async (word: string, args: string[], input = ''): Promise<Failed['error']> => {
      proxy.stall(word);
      const since = performance.now();
      const { json } = await project.council<Failed>([...args, '--json'], { input });
      expect({ args, isLate: performance.now() - since > 25_000 }).toEqual({ args, isLate: false });
      proxy.resume();
      return json.error;
    };
    expect(await frozenAt('starts_with', ['status'])).toMatchObject({ code: 'store_away' });
    const { code, kept } = await frozenAt('commit_revision', ['respond', 'ana'], 'Is it there?');
    expect(code).toBe('commit_uncertain');
    expect(fs.readFileSync(String(kept), 'utf8')).toBe('Is it there?');
    expect(await frozenAt('locked_head', ['cancel', '--why', 'late'])).toMatchObject({ code: 'store_away' });
    proxy.stall('pg_has_role');
    const doctor = await project.council(['doctor']);
    expect(doctor.stdout.match(/does not answer/g)).toHaveLength(1);
    proxy.close();
  });
});
