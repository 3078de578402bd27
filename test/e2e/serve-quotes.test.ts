// Words over the server: whoever asks is told them to the letter, also where they name folders of the server's machine, so that what somebody
// copies is found; and what council itself says names no folder of it, but to an admin.
import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';
import { visitorAt } from '../helpers/visitor.ts';

type Api = ReturnType<typeof apiOf>;
interface Launch {
  lease: string;
  name: string;
  conversationId: string;
  tour: number;
  participant: string;
  prompt: string;
  view: unknown;
}
interface Ledger {
  challenges: { target: string | null; quote: string }[];
}

const tokenOf = async (project: Project, ...role: string[]): Promise<string> =>
  (await project.council<{ token: string }>(['token', 'create', '--json', '--role', ...role])).json.token;
/** No names: these are hidden where answers are weighed. */
const WORDS: Record<string, string> = { ada: 'quickly', bob: 'slowly', eve: 'rarely', zoe: 'daily' };
const sentence = ({ root }: Project, by: string): string =>
  `The code of the queue lives in ${root}/src/queue.ts, and writes ${WORDS[by]} to /tmp/queue.db.`;

/** Two agents of a worker, and two people. */
async function office() {
  const project = await newProject();
  for (const id of ['ada', 'bob']) addSpeaker(project, id, { any: { say: 'from the wrong machine' } });
  for (const id of ['eve', 'zoe']) await project.council(['agents', 'add', id, '--runner', 'human']);
  const tokens = [await tokenOf(project, 'worker'), await tokenOf(project, 'member', '--as', 'eve')] as const;
  const server = await serving(project);
  const [worker, member] = tokens.map((token) => apiOf(server.url, token)) as [Api, Api];
  return { project, server, worker, member };
}

const MACHINE = { host: 'laptop', bootId: 'b', pid: 7, startTime: '1', version: '0.1.0', speaks: 1 };
const AGENTS = ['ada', 'bob'].map((id) => `${id} command 60000 ${'ab'.repeat(32)}`);
const leased = async (worker: Api): Promise<Launch[]> =>
  (await worker.ok<{ launches: Launch[] }>('lease', { ...MACHINE, id: 'one', agents: AGENTS, most: 8 }))
    .launches;
const record = ({ lease, name, conversationId, tour, participant }: Launch, text: string) => ({
  ...{ lease, name, conversationId, tour, participant },
  ...{ ms: 5, text },
});

/** The line that a text shows of what somebody else wrote. */
function lineIn(text: string, by: string): string {
  const found = text.split('\n').find((line) => line.includes(`and writes ${WORDS[by]}`));
  expect(found).toContain('The code of the queue');
  return (found ?? '').trim();
}

it("finds what a worker's agents and a member quote as they were shown it", async () => {
  const { project, server, worker, member } = await office();
  const start = ['start', 'Where?', '--agents', 'ada,bob,eve', '--coordinator', '', '--name', 'c'];
  expect((await project.council(start)).code).toBe(0);
  const texts = (by: string): string => `position: ${by}\n\n${sentence(project, by)}\n`;
  await member.ok('respond', { name: 'c', agent: 'eve', text: texts('eve') });
  for (const launch of await leased(worker))
    await worker.ok('record', record(launch, texts(launch.participant)));
  const quoting = (line: string): string => `> ${line}\n\nI challenge this: it has no tests.\n`;
  const launches = await leased(worker);
  expect(launches.map(({ participant }) => participant)).toEqual(['ada', 'bob']);
  for (const launch of launches) {
    expect(JSON.stringify(launch.view)).toContain(`${project.root}/src/queue.ts`);
    await worker.ok('record', record(launch, quoting(lineIn(launch.prompt, 'eve'))));
  }
  const { prompt } = await member.ok<{ prompt: string }>('view', { name: 'c', agent: 'eve' });
  const text = quoting(lineIn(prompt, 'ada'));
  expect(text).toContain(sentence(project, 'ada'));
  expect(JSON.stringify(await member.ok('read', { name: 'c', agent: 'eve', text }))).toContain('verified');
  await member.ok('respond', { name: 'c', agent: 'eve', text });
  await project.council(['tick', '--name', 'c', '--no-launch']);
  const { challenges } = await member.ok<Ledger>('ledger', { council: 'c' });
  const found = challenges.map(({ quote, target }) => [quote, target !== null]);
  expect(found).toEqual(Array.from({ length: 3 }, () => ['verified', true]));
  // Where its own files are, council tells nobody but an admin.
  expect(JSON.stringify(await member.ok('status', { name: 'c' }))).not.toContain(project.root);
  await server.stop();
});

it('finds what a participant quotes as it was shown it', async () => {
  const { project, server } = await office();
  const start = ['start', 'Where?', '--agents', 'zoe,eve', '--coordinator', '', '--name', 'd'];
  const { json } = await project.council<{ tokens: { zoe: string; eve: string } }>([
    ...start,
    ...['--identity', 'token', '--json'],
  ]);
  const [zoe, eve] = [apiOf(server.url, json.tokens.zoe), apiOf(server.url, json.tokens.eve)];
  await zoe.ok('respond', { text: `position: a\n\n${sentence(project, 'zoe')}\n` });
  await eve.ok('respond', { text: 'position: e\n\nIt lives nowhere at all, as far as I know.\n' });
  await project.council(['tick', '--name', 'd', '--no-launch']);
  const { prompt } = await eve.ok<{ prompt: string }>('view');
  const text = `> ${lineIn(prompt, 'zoe')}\n\nI challenge this: it has no tests.\n`;
  expect(text).toContain(sentence(project, 'zoe'));
  expect(JSON.stringify(await eve.ok('read', { text }))).toContain('verified');
  await eve.ok('respond', { text });
  const refused = await eve.refused('respond', { text: 'another text' });
  expect(JSON.stringify(refused)).not.toContain(project.outside);
  await server.stop();
});

/** Everything that a server tells of a council, messages and tasks in whose words `said` stands everywhere. */
async function everythingSaid() {
  const { project, server, member } = await office();
  const said = `${project.root}/said/queue.ts`;
  addAgent(project, 'ghost', { runner: 'command', command: [`${project.root}/no such program`] });
  await project.council(['trust', '--yes']);
  const admin = apiOf(server.url, await tokenOf(project, 'admin'));
  const start = { topic: `Where is ${said}?`, agents: ['eve', 'zoe', 'ghost'], coordinator: '', name: 'e' };
  await member.ok('start', { ...start, brief: `It is about ${said}.`, open: true });
  const seat = apiOf(server.url, await tokenOf(project, 'participant', '--name', 'e', '--as', 'zoe'));
  const others = { member, admin };
  return { project, server, said, seat, ...others, all: { seat, ...others } };
}

it('tells the words of people to the letter in every answer and on every page, and else no folder', async () => {
  const { project, server, said, seat, member, admin, all } = await everythingSaid();
  const found: string[] = [];
  /** What `call` answers each of these; only an admin is told where the machine has anything but what people said. */
  const tells = async (
    call: string,
    input: object,
    roles: (keyof typeof all)[],
    words = true,
  ): Promise<void> => {
    for (const role of roles) {
      const told = JSON.stringify(await all[role].ok(call, input));
      const beside = told.replaceAll(said, '');
      if (words && !told.includes(said)) found.push(`${call} hides words from ${role}: ${told}`);
      if (role !== 'admin' && beside.includes(project.root))
        found.push(`${call} tells ${role} a folder: ${told}`);
    }
  };
  const TEAM = ['member', 'admin'] as const;
  const EACH = ['seat', 'member', 'admin'] as const;
  const text = `---\nposition: In ${said}\nblocking: [${said} is gone]\n---\nIt lives in ${said}, and nowhere else.\n`;
  await member.ok('respond', { name: 'e', agent: 'eve', text });
  await seat.ok('respond', { text: `---\nposition: zoe\n---\nI have never seen it anywhere.\n` });
  await project.council(['tick', '--name', 'e', '--until-idle']);
  await project.council(['excuse', 'ghost', '--name', 'e', '--why', `gone to ${said}`]);
  await tells(
    'view',
    { name: 'e', agent: 'zoe' },
    [...EACH].filter((role) => role !== 'member'),
  );
  const quoting = `> It lives in ${said}, and nowhere else.\n\nI challenge this: it has no tests in ${said}.\n`;
  await seat.ok('respond', { text: quoting });
  await tells('read', { name: 'e', agent: 'zoe', text: `---\nposition: In ${said}\n---\n` }, [
    'seat',
    'admin',
  ]);
  await tells('status', { name: 'e' }, [...TEAM]);
  await project.council(['tick', '--name', 'e', '--no-launch']);
  const visitors = { member: visitorAt(server.url), admin: visitorAt(server.url) };
  const page = async (path: string): Promise<void> => {
    for (const [role, visitor] of Object.entries(visitors)) {
      const { body } = await visitor.get(path);
      if (!body.includes(said)) found.push(`${path} hides words from ${role}`);
      if (role !== 'admin' && body.replaceAll(said, '').includes(project.root))
        found.push(`${path}: a folder`);
    }
  };
  await visitors.member.join(await tokenOf(project, 'member'));
  await visitors.admin.join(await tokenOf(project, 'admin'));
  for (const path of ['/', '/councils/e']) await page(path);
  await project.council(['cancel', '--name', 'e', '--why', `no longer needed in ${said}`]);
  await tells('ledger', { council: 'e' }, [...TEAM]);
  await tells('list', {}, [...EACH]);
  await tells('search', { query: 'lives nowhere' }, [...EACH]);
  await tells('show', { archive: 'e' }, [...EACH]);
  for (const path of ['/archives', '/archives?q=lives', '/archives/e']) await page(path);
  expect(JSON.stringify(await seat.ok('show', { archive: 'e' }))).toContain('[project]/no such program');

  const { message } = await admin.ok<{ message: { id: string } }>('send', {
    ...{ from: 'zoe', to: 'eve', text: `Look at ${said}.` },
  });
  await tells('inbox', { agent: 'eve' }, [...TEAM]);
  await member.ok('nack', { ids: [message.id], as: 'eve', reason: `there is no ${said}` });
  await tells('sent', { from: 'zoe' }, ['admin']);
  await member.ok('reserve', { patterns: ['src/**'], as: 'eve', why: `I mend ${said}` });
  await tells('reservations', {}, [...TEAM]);
  expect(found).toEqual([]);
  await server.stop();
});
