// Heartbeats on hosts that see nothing of each other but their rows: one that is stopped, or cut off, loses its lease to the other.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { onHost, wayTo, whyNoHosts } from '../helpers/hosts.ts';
import type { OnHost } from '../helpers/hosts.ts';
import { databaseForProject } from '../helpers/postgres/project-database.ts';
import { sharedPostgres } from '../helpers/postgres/shared.ts';
import { serving } from '../helpers/serve.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';

const whyNot = whyNoHosts();
const postgres = whyNot === '' ? await sharedPostgres() : undefined;
const OFTEN = ['--every', '* * * * * *', '--active', '* * * * * *'];
const ALONE = 'could not be renewed for 20 s';

/** A project with an agent that waits in its first launch for a file, and answers in the second one. */
async function table(project: Project) {
  const go = join(project.outside, 'go');
  addSpeaker(project, 'ada', {
    any: [{ whenThere: go, say: 'position: first' }, { say: 'position: second' }],
  });
  await project.council(['trust', '--yes']);
  return { go: () => fs.writeFileSync(go, '') };
}
const start = (project: Project) =>
  project.council([
    ...['start', 'Où ? 🦉', '--mode', 'synthesis', '--agents', 'ada', '--coordinator', '', '--name', 'c'],
    '--open',
  ]);

async function onDatabase(url: string | undefined): Promise<Project> {
  const project = await newProject({ init: false });
  if (url !== undefined) project.env.COUNCIL_DATABASE_URL = url;
  const { code, stderr } = await project.council(['init', '--no-detect']);
  expect(code, stderr).toBe(0);
  return project;
}

/** What its archive says was said. */
async function said(project: Project): Promise<string[]> {
  const { json } = await project.council<{ archives: { id: string }[] }>(['list', '--json']);
  expect(json.archives).toHaveLength(1);
  const shown = await project.council<{ contributions: { text: string }[] }>([
    'show',
    json.archives[0]!.id,
    '--json',
  ]);
  return shown.json.contributions.map(({ text }) => text);
}
const archived = async (project: Project): Promise<boolean> =>
  (await project.council<{ archives: unknown[] }>(['list', '--json'])).json.archives.length === 1;

async function end(...beats: OnHost[]): Promise<void> {
  for (const beat of beats) beat.signal('SIGTERM');
  for (const beat of beats) await beat.ended;
}

/** Whether a process is there and not dead already. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe.skipIf(whyNot !== '')(`two hosts${whyNot && `: ${whyNot}`}`, () => {
  it.each(['a folder', ...(postgres ? ['a database'] : [])])(
    'on %s: one that is stopped for more than 30 s loses its lease, and one result is accepted',
    async (store) => {
      const project = await onDatabase(store === 'a folder' ? undefined : await databaseForProject());
      const { go } = await table(project);
      expect((await start(project)).code).toBe(0);
      const alpha = onHost('alpha', project, ['heartbeat', ...OFTEN]);
      await until('ada is at work on alpha', () => launches(project).length === 1);
      // Another machine has a private folder of its own.
      const env = { XDG_STATE_HOME: join(project.outside, 'state-of-beta') };
      const beta = onHost('beta', project, ['heartbeat', ...OFTEN], { env });
      await until('beta stands', () => beta.output().includes('Heartbeat in'));
      expect((await project.council(['status'])).stdout).toContain('speaking on alpha (attempt 1)');
      alpha.signal('SIGSTOP');
      const stopped = Date.now();
      await until('beta takes it over', () => launches(project).length === 2);
      // The last renewal was up to ten seconds before it was stopped.
      expect(Date.now() - stopped).toBeGreaterThan(19_000);
      await until('it is archived', () => archived(project));
      alpha.signal('SIGCONT');
      await until('alpha knows', () => alpha.output().includes(ALONE));
      go();
      await end(alpha, beta);
      expect(await said(project)).toEqual(['position: second']);
      expect(launches(project)).toHaveLength(2);
    },
  );

  it('and a server: one that is cut off ends its own programs before the other begins', async () => {
    const office = await newProject();
    addSpeaker(office, 'ada');
    const { json } = await office.council<{ token: string }>([
      'token',
      'create',
      '--role',
      'worker',
      '--json',
    ]);
    const server = await serving(office);
    const way = await wayTo(Number(new URL(server.url).port));
    const there = await newProject();
    await table(there);
    expect((await start(office)).code).toBe(0);
    const env = { COUNCIL_TOKEN: json.token };
    const worker = (host: string, url: string) =>
      onHost(host, there, ['heartbeat', '--server', url], { env, ownPids: false });
    const alpha = worker('alpha', `http://127.0.0.1:${way.port}`);
    await until('ada is at work on alpha', () => launches(there).length === 1);
    const beta = worker('beta', server.url);
    await until('beta stands', () => beta.output().includes('Heartbeat of'));
    await loses(there, way, alpha);
    await until('it is archived', () => archived(office));
    way.mend();
    await until('alpha is back', () => alpha.output().includes('is back.'));
    await end(alpha, beta);
    await server.stop();
    expect(await said(office)).toEqual(['position: second']);
    expect(launches(office)).toEqual([]);
  });

  it.skipIf(!postgres)('and a database: one that is cut off does the same', async () => {
    const url = (await databaseForProject())!;
    const project = await onDatabase(url);
    await table(project);
    const address = new URL(url);
    const way = await wayTo(Number(address.port || 5432));
    address.hostname = '127.0.0.1';
    address.port = String(way.port);
    expect((await start(project)).code).toBe(0);
    const alpha = onHost('alpha', project, ['heartbeat', ...OFTEN], {
      env: { COUNCIL_DATABASE_URL: address.href },
      ownPids: false,
    });
    await until('ada is at work on alpha', () => launches(project).length === 1);
    const beta = onHost('beta', project, ['heartbeat', ...OFTEN], { ownPids: false });
    await until('beta stands', () => beta.output().includes('Heartbeat in'));
    await loses(project, way, alpha);
    await until('it is archived', () => archived(project));
    way.mend();
    await end(alpha, beta);
    expect(await said(project)).toEqual(['position: second']);
  });
});

/** Cuts it off: it ends its program after 20 s and within 30 s, and only then the other host makes a launch. */
async function loses(project: Project, way: { cut(): void }, alpha: OnHost): Promise<void> {
  const { pid } = launches(project)[0]!;
  expect(isAlive(pid)).toBe(true);
  way.cut();
  await until('its program is ended', () => !isAlive(pid));
  expect(launches(project)).toHaveLength(1);
  expect(alpha.output()).toContain(ALONE);
  await until('beta takes it over', () => launches(project).length === 2);
}
