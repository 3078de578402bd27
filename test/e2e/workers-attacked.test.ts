// A worker that lies: about its lease, its round, its host, its heartbeat.
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { identifyProcess } from '../../src/core/store/local/liveness.ts';
import { addSpeaker } from '../helpers/speakers.ts';

interface Launch {
  lease: string;
  name: string;
  conversationId: string;
  tour: number;
  participant: string;
}

/** A server with councils of an agent, ada, and a person, eve. */
async function office(names: string[], ...more: string[]) {
  const project = await newProject();
  addSpeaker(project, 'ada', { any: { say: 'from the wrong machine' } });
  await project.council(['agents', 'add', 'eve', '--runner', 'human']);
  const start = ['start', 'Where?', '--agents', 'ada,eve', '--coordinator', '', ...more];
  for (const name of names) expect((await project.council([...start, '--name', name])).code).toBe(0);
  const worker = async () => {
    const made = await project.council<{ token: string }>(['token', 'create', '--role', 'worker', '--json']);
    return made.json.token;
  };
  const tokens = [await worker(), await worker()] as const;
  return { project, tokens, server: await serving(project) };
}

const MACHINE = { host: 'laptop', bootId: 'b', pid: 7, startTime: '1', version: '0.1.0', speaks: 1 };
const me = (id: string) => ({ ...MACHINE, id, agents: [`ada command 60000 ${'ab'.repeat(32)}`], most: 8 });
const renewed = ({ most: _most, ...row }: ReturnType<typeof me>) => row;
const leased = async (api: ReturnType<typeof apiOf>, id: string): Promise<Launch[]> =>
  (await api.ok<{ launches: Launch[] }>('lease', me(id))).launches;
const handed = ({ lease, name, conversationId, tour, participant }: Launch, text: string) => ({
  ...{ lease, name, conversationId, tour, participant },
  ...{ ms: 5, text },
});

/** Whatever lies in a project, the private folder included. */
const filesOf = (project: Project): string =>
  [project.root, project.outside]
    .flatMap((folder) =>
      fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => fs.readFileSync(join(one.parentPath, one.name), 'latin1')),
    )
    .join('\n');

it('learns nothing of a sealed text, and plants none, under a lease that it was not given', async () => {
  const { project, tokens, server } = await office(['c']);
  const said = await project.council(['respond', 'eve', '--name', 'c', '--json'], {
    input: 'position: Redis\n',
  });
  expect(said.code).toBe(0);
  const [mine, other] = tokens.map((token) => apiOf(server.url, token));
  const [launch] = await leased(mine!, 'one');
  const invented = '11111111-2222-4333-8444-555555555555';
  const lies: [string, Launch][] = [
    ['an invented lease', { ...launch!, lease: invented, participant: 'eve' }],
    ['its own lease for somebody else', { ...launch!, participant: 'eve' }],
    ['its own lease for another round', { ...launch!, tour: 2 }],
    ['an invented lease for its agent', { ...launch!, lease: invented }],
  ];
  for (const [what, lie] of lies)
    for (const text of ['position: Redis\n', 'position: Redis', 'position: planted'])
      expect({ what, ...(await mine!.ok<object>('record', handed(lie, text))) }).toEqual({
        what,
        became: 'lost',
      });
  for (const text of ['position: planted', 'position: here'])
    expect(await other!.ok('record', handed(launch!, text))).toEqual({ became: 'lost' });
  const { text: _text, ...failing } = handed(launch!, '');
  const failure = { ...failing, failure: 'failed', reason: 'made up', brief: 'made up' };
  expect(await other!.ok('fail', failure)).toEqual({ became: 'lost' });
  expect(filesOf(project)).not.toContain('planted');
  // What was lent is taken, and taken again after the first answer was lost.
  for (let time = 0; time < 2; time++)
    expect(await mine!.ok('record', handed(launch!, 'position: here'))).toEqual({ became: 'recorded' });
  expect(await other!.ok('record', handed(launch!, 'position: here'))).toEqual({ became: 'lost' });
  // A launch has said one thing: what else comes under its lease fills nobody's disk.
  for (const text of ['position: more', 'position: much'])
    expect(await mine!.ok('record', handed(launch!, text))).toEqual({ became: 'lost' });
  expect(filesOf(project)).not.toMatch(/position: (?:more|much)/);
  await server.stop();
});

it('renews and ends no heartbeat of another token, and takes no lease by naming its process', async () => {
  const { tokens, server } = await office(['c']);
  const [mine, other] = tokens.map((token) => apiOf(server.url, token));
  const [launch] = await leased(mine!, 'one');
  for (const [call, input] of [
    ['renew', renewed(me('one'))],
    ['renew', { ...renewed(me('one')), over: true }],
    ['lease', me('one')],
  ] as const)
    expect(await other!.refused(call, input)).toMatchObject({ status: 403, code: 'forbidden' });
  // Its own row, the other one's process: what that was given is still at work.
  expect(await leased(other!, 'two')).toEqual([]);
  expect(await mine!.ok('record', handed(launch!, 'position: here'))).toEqual({ became: 'recorded' });
  await mine!.ok('renew', { ...renewed(me('one')), over: true });
  await server.stop();
});

/** What a worker may say of itself that is true of somebody else: the server's machine. */
const ON_THE_SERVER = [
  { ...identifyProcess(1), bootId: 'another' },
  { ...identifyProcess(1), startTime: '' },
];

it('neither loses nor keeps a launch by naming the host of the server', async () => {
  const { tokens, server } = await office(['c']);
  const [mine, other] = tokens.map((token) => apiOf(server.url, token));
  const launchesOf = async (api: typeof mine, row: object): Promise<Launch[]> =>
    (await api!.ok<{ launches: Launch[] }>('lease', row)).launches;
  for (const [at, place] of ON_THE_SERVER.entries()) {
    const [one, two] = [`one-${at}`, `two-${at}`].map((id) => ({ ...me(id), ...place }));
    expect(await launchesOf(mine, one!)).toHaveLength(1);
    expect(await launchesOf(other, two!)).toEqual([]);
    await mine!.ok('renew', { ...renewed(one!), over: true });
  }
  expect(await launchesOf(other, me('two'))).toHaveLength(1);
  await server.stop();
});

it('pauses no agent of another worker by naming its host, and nobody for years', async () => {
  const { project, tokens, server } = await office(['c', 'd', 'e']);
  const [mine, other] = tokens.map((token) => apiOf(server.url, token));
  const launches = await leased(other!, 'two');
  expect(launches).toHaveLength(3);
  for (const { lease, name, conversationId, tour, participant } of launches) {
    const launch = { lease, name, conversationId, tour, participant, ms: 5 };
    const failure = { failure: 'failed', brief: 'x'.repeat(5000), reason: 'y', stderr: 'z'.repeat(100_000) };
    expect(await other!.ok('fail', { ...launch, ...failure })).toEqual({ became: 'again' });
  }
  expect(filesOf(project)).not.toContain('x'.repeat(1000));
  let again: Launch[] = [];
  await until('they are tried again', async () => {
    again = await leased(mine!, 'one');
    return again.length > 0;
  });
  expect(await leased(other!, 'two')).toEqual([]);
  const { text: _text, ...launch } = handed(again[0]!, '');
  const pause = { failure: 'rate-limit', brief: 'b', reason: 'r', retryAfterMs: Number.MAX_SAFE_INTEGER };
  expect(await mine!.ok('fail', { ...launch, ...pause })).toMatchObject({ became: 'again' });
  for (const long of [{ host: 'h'.repeat(300) }, { version: 'v'.repeat(300) }])
    expect(await mine!.refused('renew', { ...renewed(me('one')), ...long })).toMatchObject({ status: 422 });
  await server.stop();
});

interface LentTask {
  lease: string;
  session: string;
  task: string;
}

/** A server with a task for ada, whom its own machine may not launch. */
async function taskOffice(settings = {}) {
  const project = await newProject();
  addSpeaker(project, 'ada', { any: { say: 'from the wrong machine' } }, { 'runs-on': ['gpu'], ...settings });
  await project.council(['agents', 'add', 'eve', '--runner', 'human']);
  await project.council(['trust', '--yes']);
  const tokens = [];
  for (let at = 0; at < 2; at++)
    tokens.push(
      (await project.council<{ token: string }>(['token', 'create', '--role', 'worker', '--json'])).json
        .token,
    );
  const server = await serving(project);
  const admin = await project.council<{ token: string }>(['token', 'create', '--role', 'admin', '--json']);
  const owner = apiOf(server.url, admin.json.token);
  for (const text of ['Draw', 'Sing']) await owner.ok('task', { action: 'run', text, to: 'ada' });
  return { project, server, owner, workers: tokens.map((token) => apiOf(server.url, token)) };
}
const withGpu = (id: string, more = {}) => ({ ...me(id), speaks: 2, labels: ['gpu'], ...more });
const tasksFor = async (api: ReturnType<typeof apiOf>, input: object): Promise<LentTask[]> =>
  (await api.ok<{ tasks: LentTask[] }>('lease', input)).tasks;

it('records no task that it does not hold, and learns nothing of any', async () => {
  const { project, server, workers } = await taskOffice();
  const [mine, other] = workers;
  // What it does not have, may not have the labels for, or is too old for, it does not get; and nobody makes a person a program.
  const hash = 'cd'.repeat(32);
  for (const input of [
    withGpu('one', { agents: [`zoe command 60000 ${hash} low`] }),
    withGpu('one', { agents: [`eve command 60000 ${hash} low`] }),
    withGpu('one', { labels: ['cpu'] }),
    withGpu('one', { speaks: 1 }),
    withGpu('one', { most: 0 }),
  ])
    expect(await tasksFor(mine!, input)).toEqual([]);
  const tasks = await tasksFor(mine!, withGpu('one'));
  expect(tasks.map(({ session, task }) => `${session}/${task}`)).toEqual(['S1/T1']);
  const { lease } = tasks[0]!;
  const done = (task: string, more = {}) => ({ lease, task, ms: 5, text: 'planted', ...more });
  const invented = '11111111-2222-4333-8444-555555555555';
  const lies: [string, typeof mine, object][] = [
    ['an invented lease', mine, done('S1/T1', { lease: invented })],
    ['its own lease for another task', mine, done('S2/T2')],
    ['its own lease for a task that is not there', mine, done('S1/T99')],
    ['what is no name of a task', mine, done('../../../etc/passwd')],
    ['what every object has', mine, done('constructor')],
    ['the lease of another worker', other, done('S1/T1')],
  ];
  for (const [what, api, lie] of lies)
    for (const call of ['record', 'fail'] as const) {
      const failing = { failure: 'failed', reason: 'planted', brief: 'planted' };
      const input = call === 'record' ? lie : { ...lie, ...failing };
      expect({ what, call, ...(await api!.ok<object>(call, input)) }).toEqual({ what, call, became: 'lost' });
    }
  expect(await mine!.refused('record', { lease, ms: 5, text: 'planted' })).toMatchObject({ status: 422 });
  // Nor does it say how far somebody else's is, take it by naming its process, or hear whether it is over.
  const working = [`${lease} S1/T1 planted`, `${invented} S9/T9 planted`, 'nothing'];
  const heard = await other!.ok<{ tasks: unknown[]; over: string[] }>(
    'lease',
    withGpu('two', { held: [lease], working }),
  );
  expect(heard).toMatchObject({ over: [lease, invented, 'nothing'] });
  expect(filesOf(project)).not.toContain('planted');
  // What was lent is taken, and taken again after the first answer was lost; nobody else hears of it.
  for (let time = 0; time < 2; time++)
    expect(await mine!.ok('record', done('S1/T1', { text: 'drawn' }))).toEqual({
      became: 'recorded',
      note: 'done by ada, 5 characters',
    });
  expect(await other!.ok('record', done('S1/T1', { text: 'drawn' }))).toEqual({ became: 'lost' });
  const { stdout } = await project.council(['task', 'show', 'T1']);
  expect(stdout).toContain('drawn');
  // It says no more than an agent may say here.
  const [next] = await tasksFor(mine!, withGpu('one'));
  const giant = { lease: next!.lease, task: 'S2/T2', ms: 5, text: 'x'.repeat((1 << 20) + 1) };
  expect(await mine!.ok('record', giant)).toMatchObject({ became: 'recorded' });
  const after = await project.council<{ task: object }>(['task', 'show', 'T2', '--json']);
  expect(after.json.task).toMatchObject({ result: null, progress: null });
  expect((await project.council(['task', 'log', 'T2'])).stdout).toContain('output exceeds 1048576 bytes');
  await server.stop();
});

it('neither loses nor keeps a task by naming the host of the server', async () => {
  const { server, workers } = await taskOffice();
  const [mine, other] = workers;
  for (const [at, place] of ON_THE_SERVER.entries()) {
    const [one, two] = [`one-${at}`, `two-${at}`].map((id) => withGpu(id, place));
    expect(await tasksFor(mine!, one!)).toHaveLength(1);
    expect(await tasksFor(other!, two!)).toEqual([]);
    await mine!.ok('renew', { ...renewed(one!), over: true });
  }
  expect(await tasksFor(other!, withGpu('two'))).toHaveLength(1);
  await server.stop();
});

it('gets nothing by the approval that was given for the worker of another token', async () => {
  const { server, owner, workers } = await taskOffice({ risk: 'high' });
  const [mine, other] = workers;
  expect(await tasksFor(mine!, withGpu('one'))).toEqual([]);
  const { approvals } = await owner.ok<{ approvals: { id: string; details: object }[] }>('approvals');
  expect(approvals[0]!.details).toMatchObject({
    command: expect.stringMatching(/^ada of laptop, for the token \w+$/) as string,
    cwd: 'a folder of laptop',
  });
  await owner.ok('approvals', { action: 'approve', id: approvals[0]!.id, as: 'eve' });
  expect(await tasksFor(other!, withGpu('two'))).toEqual([]);
  await server.stop();
});

/** What was handed in with its price: 5 US$ for each launch. */
const paid = (launch: Launch) => ({ ...handed(launch, ''), program: 'gpu', inputTokens: 1000, costUsd: 5 });
const failing = (launch: Launch) => {
  const { text: _text, ...what } = paid(launch);
  return { ...what, failure: 'failed', reason: 'no luck', brief: 'no luck' };
};
interface Played {
  tour: number;
  usage?: { phase: string; ok: boolean; costUsd: number }[];
  participants: Record<string, { absent: string | null }>;
}
const stateOf = async (project: Project): Promise<Played> =>
  (await project.council<{ councils: Played[] }>(['status', '--json'])).json.councils[0]!;

it('pays in a blind phase what it hands in, whether it answers, fails or is late, and no budget is exceeded', async () => {
  const { project, tokens, server } = await office(['c'], '--budget-usd', '12');
  const [mine, other] = tokens.map((token) => apiOf(server.url, token));
  const [first] = await leased(mine!, 'one');
  expect(await mine!.ok('fail', failing(first!))).toEqual({ became: 'again' });
  let again: Launch[] = [];
  await until('it is tried again', async () => (again = await leased(mine!, 'one')).length > 0);
  // Its heartbeat ends while the launch is at work: another worker gets it.
  await mine!.ok('renew', { ...renewed(me('one')), over: true });
  const [third] = await leased(other!, 'two');
  expect(third).toMatchObject({ participant: 'ada', tour: 1 });
  for (let time = 0; time < 2; time++)
    expect(await mine!.ok('fail', failing(again[0]!))).toEqual({ became: 'lost' });
  for (let time = 0; time < 2; time++)
    expect(await other!.ok('record', { ...paid(third!), text: 'position: here' })).toEqual({
      became: 'recorded',
    });
  // Nobody hears of it while the phase is blind.
  expect((await project.council(['status', '--json'])).stdout).not.toContain('"usage"');
  await project.council(['respond', 'eve', '--name', 'c'], { input: 'position: there\n' });
  await project.council(['tick']);
  expect(await leased(other!, 'two')).toEqual([]);
  const { usage, participants, tour } = await stateOf(project);
  expect(tour).toBe(2);
  expect(usage!.map(({ phase, ok, costUsd }) => `${phase} ${ok} ${costUsd}`).sort()).toEqual([
    'COLLECT false 5',
    'COLLECT false 5',
    'COLLECT true 5',
  ]);
  expect(participants.ada!.absent).toContain('budget');
  await server.stop();
});
