// Workers elsewhere: agents are launched on another machine, for a server.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';
import type { Script } from '../helpers/speakers.ts';
import { theArchive } from '../helpers/tries.ts';

const archived = (project: Project): boolean => project.archives().length === 1;

async function tokenOf(project: Project, role: string): Promise<string> {
  return (await project.council<{ token: string }>(['token', 'create', '--role', role, '--json'])).json.token;
}

/** A machine of its own: a project folder without any council, whose owner trusts its agents. */
/** Agents that are asked once more for what an answer lacks. */
const ONCE = { council: { repair: 1 } };

async function machine(
  agents: Record<string, Script>,
  { trusted = true, council = {} } = {},
): Promise<Project> {
  const project = await newProject();
  for (const [id, script] of Object.entries(agents)) addSpeaker(project, id, script, council);
  if (trusted) expect((await project.council(['trust', '--yes'])).code).toBe(0);
  return project;
}

/** A server whose own agents must never run. */
async function office(agents: string[], args: string[] = []) {
  const project = await newProject();
  for (const id of agents) addSpeaker(project, id, { any: { say: 'from the wrong machine' } });
  await project.council([
    'start',
    'Where?',
    '--mode',
    'synthesis',
    '--name',
    'c',
    '--agents',
    agents.join(','),
  ]);
  const token = await tokenOf(project, 'worker');
  return { project, token, ...(await serving(project, args)) };
}

const POOR = 'PostgreSQL, because it runs here and everybody on call knows it.\n';
const FORM = '```yaml\nposition: "Use PostgreSQL"\nconfidence: 0.9\n```\n';
const GOOD = 'position: use postgresql.\n\nRedis would be new.\n';

/** Its rules, and not the agents' files on another machine, say that everybody is asked once more. */
async function tableThatAsksOnce(agents: string[]) {
  const project = await newProject();
  const rules = project.read('COUNCIL.md').toString();
  project.write('COUNCIL.md', rules.replace('---\n', '---\nrepair: 1\n'));
  for (const id of agents) addSpeaker(project, id);
  const who = ['--agents', agents.join(','), '--coordinator', '', '--name', 'c'];
  await project.council(['start', 'Which queue?', '--mode', 'synthesis', '--rule', 'majority', ...who]);
  const token = await tokenOf(project, 'worker');
  return { project, token, ...(await serving(project)) };
}

const work = (at: Project, server: { url: string; token: string }, args: string[] = []) =>
  at.launch(['heartbeat', '--server', server.url, ...args], { env: { COUNCIL_TOKEN: server.token } });

const states = async ({ project }: { project: Project }) =>
  (
    await project.council<{
      councils: { participants: Record<string, { status: string; attempts: number }> }[];
    }>(['status', '--json'])
  ).json.councils[0]?.participants;

describe.concurrent('a worker', () => {
  it('launches its own agents for a server, and the council comes to its archive', async () => {
    const server = await office(['ada', 'bob']);
    const laptop = await machine({ ada: { any: { say: 'position: here' } } });
    const gpu = await machine({ bob: { any: { say: 'position: there' } }, zoe: {} });
    const beats = [work(laptop, server), work(gpu, server)];
    await until('the archive is there', () => archived(server.project));
    expect(launches(server.project)).toEqual([]);
    expect([...launches(laptop), ...launches(gpu)].map(({ id }) => id)).toEqual(['ada', 'bob']);
    expect(launches(laptop)[0]!.input).toContain('Where?');
    expect(launches(laptop)[0]!.env).not.toHaveProperty('COUNCIL_TOKEN');
    const [name = ''] = fs.readdirSync(join(server.project.root, 'conseils'));
    const archive = fs.readFileSync(join(server.project.root, 'conseils', name), 'utf8');
    expect(archive).toContain('position: here');
    expect(archive).toContain('position: there');
    expect(fs.existsSync(join(laptop.root, 'memory/shared/council-c.md'))).toBe(false);
    for (const beat of beats) {
      beat.child.kill('SIGTERM');
      expect((await beat.ended).code).toBe(0);
    }
    expect((await server.stop()).code).toBe(0);
  });

  it('gets nobody whom it does not have, or does not trust', async () => {
    const server = await office(['ada', 'bob']);
    const stranger = await machine({ ada: {} }, { trusted: false });
    const beat = work(stranger, server);
    await until('it stands', () => beat.output().includes('with no agent of its own. Ctrl-C'));
    const why =
      'Not offered to the server, since nobody has trusted it here: ada. Look at it with: council trust';
    expect(beat.output().split(why)).toHaveLength(2);
    await new Promise((later) => setTimeout(later, 4000));
    expect(launches(stranger)).toEqual([]);
    expect(await states(server)).toMatchObject({ ada: { attempts: 0 }, bob: { attempts: 0 } });
    await stranger.council(['trust', '--yes']);
    await until('ada is launched', () => launches(stranger).length === 1);
    beat.child.kill('SIGTERM');
    expect((await beat.ended).stderr.split(why)).toHaveLength(2);
    await server.stop();
  });

  it('that dies in the middle loses its lease, and another one answers once', async () => {
    const server = await office(['ada']);
    const first = await machine({ ada: { any: { hang: true } } });
    const beat = work(first, server);
    await until('ada is at work', () => launches(first).length === 1);
    beat.child.kill('SIGKILL');
    const second = await machine({ ada: { any: { say: 'position: second' } } });
    const other = work(second, server);
    await until('the archive is there', () => archived(server.project));
    expect(launches(second)).toHaveLength(1);
    other.child.kill('SIGTERM');
    await other.ended;
    await server.stop();
  });

  it('keeps an answer while its server is away, and hands it in when that is back', async () => {
    const server = await office(['ada']);
    const go = join(server.project.outside, 'go');
    const laptop = await machine({ ada: { any: { say: 'position: kept', whenThere: go } } });
    const beat = work(laptop, server);
    await until('ada is at work', () => launches(laptop).length === 1);
    await server.stop();
    fs.writeFileSync(go, '');
    await until('it says so', () => /It is tried again\. Its answer lies in /.test(beat.output()));
    const told = () => beat.output().match(/cannot be reached/g)?.length;
    expect(told()).toBe(1);
    const again = await serving(server.project, ['--port', new URL(server.url).port]);
    await until('the archive is there', () => archived(server.project));
    expect(launches(laptop)).toHaveLength(1);
    expect(told()).toBe(1);
    expect(beat.output()).toContain(`The server ${server.url} is back.`);
    const kept = /Its answer lies in (\S+)\./.exec(beat.output())![1]!;
    expect(fs.existsSync(kept)).toBe(false);
    beat.child.kill('SIGTERM');
    await beat.ended;
    await again.stop();
  });

  it('has an agent asked once more for what its answer lacks, as an agent of this machine is', async () => {
    const server = await tableThatAsksOnce(['ada', 'cleo', 'dan', 'eve']);
    const laptop = await machine(
      {
        ada: { COLLECT: { say: POOR }, any: { say: FORM } },
        // One repeats itself, one says nothing, and one has said all.
        cleo: { any: { say: POOR } },
        dan: { COLLECT: { say: POOR }, any: { say: '' } },
        eve: { any: { say: GOOD } },
      },
      ONCE,
    );
    const beat = work(laptop, server);
    await until('the archive is there', () => archived(server.project));
    const { contributions } = theArchive(server.project);
    const said = Object.fromEntries(contributions.map(({ by, ...rest }) => [by, rest]));
    expect(said.ada).toMatchObject({
      text: `${POOR}\n${FORM}`,
      position: 'Use PostgreSQL',
      parts: [POOR.length + 1, FORM.length],
    });
    for (const id of ['cleo', 'dan']) {
      expect(said[id]).toMatchObject({ text: POOR });
      expect(said[id]!.parts).toBeUndefined();
    }
    const times = Map.groupBy(launches(laptop), ({ id }) => id);
    expect(Object.fromEntries([...times].map(([id, all]) => [id, all.length]))).toEqual({
      ...{ ada: 2, cleo: 2, dan: 2, eve: 1 },
    });
    const question = times.get('ada')![1]!;
    expect(question.input).toContain(POOR.trim());
    expect(question.input).toContain('---\nposition:\n---');
    expect(question.env).not.toHaveProperty('COUNCIL_TOKEN');
    // Nobody hears in a blind phase that something was missing.
    expect(beat.output()).not.toContain('once more');
    beat.child.kill('SIGTERM');
    await beat.ended;
    await server.stop();
  });

  it('that dies while its agent is asked once more: the first answer is recorded, and nobody is launched again', async () => {
    const server = await tableThatAsksOnce(['ada']);
    const laptop = await machine({ ada: { COLLECT: { say: POOR }, any: { hang: true } } }, ONCE);
    const beat = work(laptop, server);
    await until('ada is asked once more', () => launches(laptop).length === 2);
    beat.child.kill('SIGKILL');
    const second = await machine({ ada: { any: { say: GOOD } } });
    const other = work(second, server);
    await until('the archive is there', () => archived(server.project));
    expect(theArchive(server.project).contributions.map(({ text }) => text)).toEqual([POOR]);
    expect(launches(second)).toEqual([]);
    other.child.kill('SIGTERM');
    await other.ended;
    await server.stop();
  });

  it('hands in a part again without harm where it has not heard what became of it', async () => {
    const server = await tableThatAsksOnce(['ada']);
    const api = apiOf(server.url, server.token);
    const agents = [`ada command 300000 ${'a'.repeat(64)}`];
    const row = { id: 'w', host: 'far', pid: 1, version: '0.1.0', speaks: 2, agents, held: [], most: 1 };
    const { launches: lent } = await api.ok<{ launches: Record<string, unknown>[] }>('lease', row);
    const { lease, name, conversationId, tour, participant, repair } = lent[0]!;
    expect(repair).toBe(1);
    const launch = { lease, name, conversationId, tour, participant, ms: 7, costUsd: 0.25 };
    const first = { ...launch, text: POOR, asks: true };
    const asked = { became: 'asked', again: { prompt: expect.stringContaining(POOR.trim()) as string } };
    expect(await api.ok('record', first)).toMatchObject(asked);
    expect(await api.ok('record', first)).toMatchObject(asked);
    const second = { ...launch, text: FORM, part: 2 };
    expect(await api.ok('record', second)).toEqual({ became: 'recorded' });
    expect(await api.ok('record', second)).toMatchObject({ became: 'recorded' });
    expect(await states(server)).toMatchObject({ ada: { status: 'RESPONDED' } });
    await server.project.council(['tick', '--until-idle']);
    const { contributions, meta } = theArchive(server.project);
    expect(contributions).toMatchObject([{ text: `${POOR}\n${FORM}`, position: 'Use PostgreSQL' }]);
    expect(meta.usage?.map(({ costUsd }) => costUsd)).toEqual([0.25, 0.25]);
    await server.stop();
  });

  it('that hands in for a launch which is not its own changes nothing', async () => {
    const server = await office(['ada']);
    const { json } = await server.project.council<{ councils: { conversationId: string }[] }>([
      'status',
      '--json',
    ]);
    const { conversationId } = json.councils[0]!;
    const launch = { lease: 'made-up', name: 'c', conversationId, tour: 1, participant: 'ada', ms: 5 };
    const api = apiOf(server.url, server.token);
    const failure = { failure: 'failed', reason: 'made up', brief: 'made up' };
    for (let count = 0; count < 3; count++)
      expect(await api.ok('fail', { ...launch, ...failure })).toEqual({ became: 'lost' });
    expect(await api.ok('record', { ...launch, text: 'position: late' })).toMatchObject({ became: 'lost' });
    expect(await states(server)).toMatchObject({ ada: { status: 'WAITING', attempts: 0 } });
    const laptop = await machine({ ada: { any: { say: 'position: here' } } });
    const beat = work(laptop, server);
    await until('the archive is there', () => archived(server.project));
    beat.child.kill('SIGTERM');
    await beat.ended;
    await server.stop();
  });

  it('tries again after a failure, and gives up after three', async () => {
    const server = await office(['ada']);
    const laptop = await machine({ ada: { any: { exit: 3, stderr: 'no luck' } } });
    const beat = work(laptop, server);
    await until('the archive is there', () => archived(server.project), 120_000);
    expect(launches(laptop)).toHaveLength(3);
    beat.child.kill('SIGTERM');
    await beat.ended;
    await server.stop();
  });

  it('whose token is revoked ends what it has launched, and says why', async () => {
    const server = await office(['ada']);
    const laptop = await machine({ ada: { any: { hang: true } } });
    const beat = work(laptop, server);
    await until('ada is at work', () => launches(laptop).length === 1);
    const { json } = await server.project.council<{ tokens: { id: string }[] }>(['token', 'list', '--json']);
    expect((await server.project.council(['token', 'revoke', json.tokens[0]!.id])).code).toBe(0);
    const { code, stderr } = await beat.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/token/i);
    const { pid } = launches(laptop)[0]!;
    await until('its program is ended', () => !fs.existsSync(`/proc/${pid}`));
    await server.stop();
  });

  it('outlives a server that says anything, and makes no more launches than it has places', async () => {
    const go = join((await newProject()).outside, 'go');
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const laptop = await machine(Object.fromEntries(ids.map((id) => [id, { any: { whenThere: go } }])));
    const lent = (id: string) => ({
      ...{ lease: `l-${id}`, name: 'c', conversationId: crypto.randomUUID(), tour: 1, phase: 'COLLECT' },
      ...{ participant: id, runner: id, attempt: 1, leftMs: 60_000, prompt: '?', view: {}, system: '' },
      repair: null,
    });
    const odd = [null, 7, {}, { ...lent('a'), lease: '../x' }, { ...lent('b'), prompt: undefined }];
    const here = { version: '0.1.0', speaks: 2, tasks: [], over: [] };
    const answers: unknown[] = [
      undefined,
      null,
      [],
      { ...here, launches: 'all' },
      { ...here, launches: [...odd.slice(0, 2)], againMs: -1 },
      { ...here, launches: ids.map(lent), againMs: -1e9 },
      { ...here, launches: ids.map(lent), againMs: 0 },
    ];
    const asked: { held: string[]; most: number }[] = [];
    const handedIn: string[] = [];
    const liar = http.createServer((request, response) => {
      void (async () => {
        const body = JSON.parse((await request.toArray()).join('')) as { held: string[]; most: number };
        const call = request.url!.split('/').at(-1);
        if (call === 'lease') asked.push(body);
        else if (call !== 'renew') handedIn.push(`${call}`);
        const answer = call === 'lease' ? (answers.shift() ?? { ...here, launches: odd, againMs: 1 }) : {};
        const document = call === 'record' ? { became: 'recorded' } : answer;
        response.setHeader('content-type', 'application/vnd.council.told+json');
        response.end(JSON.stringify({ document, notes: [] }));
      })();
    });
    await new Promise<void>((listening) => liar.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
    const beat = work(laptop, { url, token: 'council_at_x' }, ['--concurrency', '2']);
    await until('two are at work', () => launches(laptop).length === 2);
    const before = asked.length;
    await until('it has asked again', () => asked.length > before + 2);
    expect(asked.at(-1)).toMatchObject({ most: 0, held: ['l-a', 'l-b'] });
    expect(launches(laptop)).toHaveLength(2);
    fs.writeFileSync(go, '');
    await until('both are handed in', () => handedIn.length === 2);
    expect(beat.output()).toContain('The server gives more launches than there are places: 5, not 2.');
    const line = 'A launch that cannot be read is passed over: it is no such document.';
    await until('it passes over what it cannot read', () => beat.output().includes(line));
    beat.child.kill('SIGTERM');
    expect((await beat.ended).code).toBe(0);
    liar.closeAllConnections();
    liar.close();
  });

  it('of a version too far away is told what to upgrade, and so is one with another token', async () => {
    const server = await office(['ada']);
    const me = { id: 'x', host: 'h', pid: 1, agents: [], version: '9.0.0' };
    const api = apiOf(server.url, server.token);
    expect(await api.refused('lease', { ...me, speaks: 9 })).toMatchObject({
      status: 422,
      hint: expect.stringContaining('Upgrade the side with council 0.1.0') as string,
    });
    await api.ok('lease', { ...me, speaks: 2 });
    await api.ok('lease', { ...me, speaks: 1 });
    const laptop = await machine({ ada: {} });
    const admin = await tokenOf(server.project, 'admin');
    const beat = await laptop.council(['heartbeat', '--server', server.url], {
      env: { COUNCIL_TOKEN: admin },
    });
    expect(beat.code).not.toBe(0);
    const none = await laptop.council(['heartbeat', '--server', server.url], { env: { COUNCIL_TOKEN: '' } });
    // Once, with its end.
    expect(beat.stderr.split('A token with the role admin does not open')).toHaveLength(2);
    expect(none.code).not.toBe(0);
    expect(none.stderr.split('asks for a token')).toHaveLength(2);
    await server.stop();
  });
});
