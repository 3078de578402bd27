import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, runs, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Status } from '../helpers/documents.ts';
import { guardiansOf } from '../helpers/guardian.ts';
import { onTerminal } from '../helpers/pty.ts';
import { pathWith } from '../helpers/programs.ts';
import { addAgent } from '../helpers/speakers.ts';
import { theArchive } from '../helpers/tries.ts';

/** A program that traps what would end it, and a second one in its group. Both note themselves and never end. */
function addStubborn(project: Project, id: string): void {
  const script = `trap '' TERM HUP INT; cat > /dev/null; sh -c 'echo $$ >> ../outside/pids; while :; do sleep 0.2; done' & echo $$ >> ../outside/pids; while :; do sleep 0.2; done`;
  addAgent(project, id, { runner: 'command', command: ['/bin/sh', '-c', script] });
}

async function table(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'bob']) addStubborn(project, id);
  return project;
}

function pidsOf(project: Project): number[] {
  const file = join(project.outside, 'pids');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

const bothAtWork = (project: Project): Promise<void> =>
  until('both programs are at work', () => pidsOf(project).length === 4);
const nobodyLeft = (project: Project): Promise<void> =>
  until('nothing runs any more', () => pidsOf(project).every((pid) => !runs(pid)));

const RUN = ['run', 'Why?', '--agents', 'ada,bob', '--mode', 'synthesis'];

/** What a process has open, by descriptor. */
const filesOf = (pid: number): string[] =>
  fs
    .readdirSync(`/proc/${pid}/fd`)
    .sort((a, b) => Number(a) - Number(b))
    .map((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`));

function guardianOf(pid: number): number {
  const guardians = guardiansOf(pid);
  expect(guardians).toHaveLength(1);
  return guardians[0]!;
}

describe.concurrent('programs whose owner is gone', () => {
  const owners: [string, string[]][] = [
    ['run', RUN],
    ['tick', ['tick']],
    ['heartbeat', ['heartbeat']],
  ];
  it.each(owners)(
    'fault 11: end with a %s that is killed, and the next one goes on',
    async (command, args) => {
      const project = await table();
      if (command !== 'run') await project.council(['start', ...RUN.slice(1)]);
      const running = project.launch(args);
      await bothAtWork(project);
      running.child.kill('SIGKILL');
      await nobodyLeft(project);
      for (const id of ['ada', 'bob'])
        addAgent(project, id, {
          runner: 'command',
          command: ['/bin/sh', '-c', 'cat > /dev/null; echo said'],
        });
      expect(await project.council(['run', '--resume'])).toMatchObject({ code: 0 });
      expect(theArchive(project).contributions).toHaveLength(2);
    },
  );

  it('fault 11: end with a terminal that is closed, and their leases are given back', async () => {
    const project = await table();
    const terminal = onTerminal(project, RUN);
    await bothAtWork(project);
    terminal.hangUp();
    await terminal.ended;
    expect(pidsOf(project).filter(runs)).toEqual([]);
    const { councils } = (await project.council<Status>(['status', '--json'])).json;
    for (const id of ['ada', 'bob'])
      expect(councils[0]!.participants[id]).toMatchObject({ lease: null, attempts: 0, absent: null });
  });

  it('fault 11: end with a doctor and an init that are killed while they ask programs', async () => {
    const project = await newProject();
    const pids = join(project.outside, 'pids');
    const bin = pathWith(project, {
      claude: `trap '' TERM; cat > /dev/null; echo $$ >> ${pids}; while :; do sleep 0.2; done`,
    });
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    for (const [times, args] of [
      [1, ['doctor']],
      [2, ['init']],
    ] as const) {
      const running = project.launch([...args], { env });
      await until('the program is asked', () => pidsOf(project).length === times);
      running.child.kill('SIGKILL');
      await nobodyLeft(project);
    }
  });

  it('fault 11: a notify command ends with a start that is killed', async () => {
    const project = await newProject();
    addAgent(project, 'ann');
    const script =
      'cat > /dev/null; echo $$ >> ../outside/pids; sleep 222 & echo $! >> ../outside/pids; sleep 222';
    project.write('COUNCIL.md', `---\nnotify: ${JSON.stringify(['sh', '-c', script])}\n---\n`);
    const running = project.launch(['start', 'Why?', '--agents', 'ann']);
    await until('it is at work', () => pidsOf(project).length === 2);
    running.child.kill('SIGKILL');
    await until('nothing runs any more', () => pidsOf(project).every((pid) => !runs(pid)));
  });

  it('fault 11: are watched by one small process, which goes with its owner and holds nothing of it', async () => {
    const project = await table();
    const running = project.launch(RUN);
    await bothAtWork(project);
    const pid = guardianOf(running.pid);
    const held = filesOf(pid);
    const [pipe] = held;
    expect(held.slice(1, 3)).toEqual(['/dev/null', '/dev/null']);
    expect(
      filesOf(running.pid)
        .slice(1, 3)
        .filter((file) => held.includes(file)),
    ).toEqual([]);
    // Whoever is launched must not keep the pipe open that tells of the owner's death.
    for (const program of pidsOf(project)) expect(filesOf(program)).not.toContain(pipe);
    // What ends a session does not end it.
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.kill(pid, signal);
    running.child.kill('SIGKILL');
    await nobodyLeft(project);
    await until('the watcher has gone as well', () => !runs(pid));
  });

  it('fault 11: a watcher that was killed is followed by another one at the next launch', async () => {
    const project = await table();
    // One at a time: bob is launched when ada has ended.
    const running = project.launch(RUN, { env: { COUNCIL_CONCURRENCY: '1' } });
    await until('ada is at work', () => pidsOf(project).length === 2);
    process.kill(guardianOf(running.pid), 'SIGKILL');
    for (const pid of pidsOf(project)) process.kill(pid, 'SIGKILL');
    await until('somebody is launched again', () => pidsOf(project).length >= 4);
    running.child.kill('SIGKILL');
    await nobodyLeft(project);
  });
});

describe('cancel', () => {
  it('ends the programs of its council that another process has launched, which is no failure of theirs', async () => {
    const project = await table();
    addStubborn(project, 'zoe');
    const other = project.launch([
      'run',
      'Why not?',
      '--agents',
      'zoe',
      '--mode',
      'synthesis',
      '--name',
      'other',
    ]);
    await until('the other council is at work', () => pidsOf(project).length === 2);
    const others = pidsOf(project);
    const run = project.launch([...RUN, '--name', 'plan']);
    await until('both programs are at work', () => pidsOf(project).length === 6);
    const { code } = await project.council(['cancel', '--name', 'plan', '--why', 'overtaken']);
    expect(code).toBe(0);
    const running = (): number[] => pidsOf(project).filter(runs);
    await until('its programs are gone', () => running().length === 2);
    expect(running()).toEqual(others);
    await run.ended;
    const { stdout } = await project.council(['agents', 'health']);
    expect(stdout).toMatch(/^ada: Healthy/m);
    expect(stdout).toMatch(/^bob: Healthy/m);
    other.child.kill('SIGINT');
    await other.ended;
    await nobodyLeft(project);
  });
});
