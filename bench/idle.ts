// The figures over very many councils and archives to which nothing happens.
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import type { Figure, Timings } from './figure.ts';
import { costOne, council, emptyNode, pairwiseCosts } from './measure.ts';
import type { Timed } from './measure.ts';
import { archiveMany, multiply } from './populate.ts';
import { makeProject, openCouncil, prose, run, settle } from './projects.ts';
import type { Project } from './projects.ts';

const PEOPLE = ['ana', 'ben', 'cleo'];

/** Reads every state file of a project once, and does nothing with it. */
const READER = `
import { readdirSync, readFileSync } from 'node:fs';
for (const name of readdirSync('memory/shared')) if (name.endsWith('.md')) readFileSync('memory/shared/' + name, 'utf8');
`;
/** A younger change may hide another one: nothing is cached of it. */
const SETTLED_MS = 2100;

/** Councils that wait for people. */
export async function councils(scratch: string, count: number): Promise<Project> {
  const project = makeProject(scratch, PEOPLE);
  openCouncil(project, PEOPLE, 4 * 1024);
  await multiply(project, count);
  settle();
  return project;
}

const script = ({ root, env }: Project, text: string): Timed => {
  const path = join(root, 'script.mjs');
  writeFileSync(path, text);
  return { ...emptyNode(root, env), args: [path] };
};

const tick: Figure = {
  name: 'tick',
  what: 'council tick, 1000 councils that wait for people',
  against: 'a Node process that reads their state files once',
  goal: 1.6,
  async measure(scratch) {
    const project = await councils(scratch, 1000);
    const [ours, theirs] = [council(['tick'], project.root, project.env), script(project, READER)];
    return pairwiseCosts(
      25,
      () => costOne(ours),
      () => costOne(theirs),
    );
  },
};

const status: Figure = {
  name: 'status-10000',
  what: 'council status, 10000 councils that wait for people',
  against: 'a Node process that reads their state files once',
  goal: 0,
  allowanceMs: 250,
  mostMb: 120,
  async measure(scratch) {
    const project = await councils(scratch, 10_000);
    const [ours, theirs] = [council(['status'], project.root, project.env), script(project, READER)];
    return pairwiseCosts(
      15,
      () => costOne(ours),
      () => costOne(theirs),
    );
  },
};

/** Archives whose facts are known to the cache. */
export async function archives(scratch: string, count: number): Promise<Project> {
  const project = makeProject(scratch, PEOPLE);
  archiveMany(project, PEOPLE, { count, said: (at) => prose(500, at + 2) });
  settle();
  await sleep(SETTLED_MS);
  run(project, ['list']);
  return project;
}

const ALL_ARCHIVES = `
import { readdirSync, readFileSync } from 'node:fs';
for (const name of readdirSync('conseils')) readFileSync('conseils/' + name, 'utf8');
`;

const list: Figure = {
  name: 'list-10000',
  what: 'council list, 10000 archives',
  against: 'a Node process that reads them once',
  goal: 0,
  allowanceMs: 300,
  mostMb: 120,
  async measure(scratch) {
    const project = await archives(scratch, 10_000);
    const [ours, theirs] = [council(['list'], project.root, project.env), script(project, ALL_ARCHIVES)];
    return pairwiseCosts(
      15,
      () => costOne(ours),
      () => costOne(theirs),
    );
  },
};

const RUNS = 10;
const INSTANT = 'cat > /dev/null\nprintf "position: Do it\\n\\nDo it, in small steps.\\n"\n';

/** A project whose people are programs that answer at once. */
export function instant(scratch: string, ids: string[]): Project {
  const project = makeProject(scratch, []);
  writeFileSync(join(project.root, 'speak.sh'), INSTANT);
  for (const id of ids)
    writeFileSync(
      join(project.root, 'agents', `${id}.md`),
      `---\nname: ${id}\ndescription: Speaks at once.\ncouncil:\n  runner: command\n  command: [sh, speak.sh]\n---\n`,
    );
  run(project, ['trust', '--yes']);
  return project;
}

const runBeside: Figure = {
  name: 'run-archives',
  what: 'council run of 3 instant programs, beside 10000 archives',
  against: 'the same beside none',
  goal: 1.05,
  async measure(scratch) {
    const full = await archives(join(scratch, 'full'), 10_000);
    const ids = ['dan', 'eva', 'fay'];
    const beside = [join(scratch, 'beside'), join(scratch, 'alone')].map((dir) => instant(dir, ids));
    run(beside[0]!, ['list']);
    cpSync(join(full.root, 'conseils'), join(beside[0]!.root, 'conseils'), { recursive: true });
    settle();
    await sleep(SETTLED_MS);
    run(beside[0]!, ['list']);
    const call = ({ root, env }: Project) =>
      council(['run', 'What should be done?', '--agents', ids.join(','), '--coordinator', 'dan'], root, env);
    return pairwiseCosts(
      RUNS,
      () => costOne(call(beside[0]!)),
      () => costOne(call(beside[1]!)),
    );
  },
};

const HEARTBEAT_MS = 60_000;

const heartbeat: Figure = {
  name: 'heartbeat',
  what: 'processor time an hour of council heartbeat over 1000 councils that wait for people (one minute of it, 20 s after its start)',
  against: 'a Node process that wakes each second',
  goal: 0,
  allowanceMs: 3000,
  why: 'A pass each minute reads settings and agents anew, and every ten seconds the row of the heartbeat is renewed.',
  async measure(scratch): Promise<Timings> {
    const project = await councils(scratch, 1000);
    const idle = { ...emptyNode(project.root, project.env), args: ['-e', 'setInterval(() => 0, 1000)'] };
    const [ours, theirs] = await Promise.all([
      hourly(council(['heartbeat'], project.root, project.env)),
      hourly(idle),
    ]);
    return { figure: [ours], baseline: [theirs] };
  },
};

/** Milliseconds of processor time that a process which goes on takes in an hour. */
async function hourly({ command, args, cwd, env }: Timed): Promise<number> {
  const child = spawn(command, args, { cwd, env, stdio: 'ignore' });
  try {
    await sleep(HEARTBEAT_MS / 3);
    const before = cpuOf(child.pid!);
    await sleep(HEARTBEAT_MS);
    return ((cpuOf(child.pid!) - before) * 3_600_000) / HEARTBEAT_MS;
  } finally {
    child.kill();
  }
}

/** Milliseconds of processor time of a process that runs, of all its threads. */
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const spent = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
  );
  return spent.reduce((sum, ns) => sum + ns / 1e6, 0);
}

/** The figures over what only lies there. */
export const idleFigures = [tick, status, list, runBeside, heartbeat];
