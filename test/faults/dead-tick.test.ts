import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject, runs, until } from '../helpers/cli.ts';
import type { Project, Running } from '../helpers/cli.ts';
import type { State, Status, Ticked } from '../helpers/documents.ts';
import { must, seated } from '../helpers/scenarios.ts';
import { guardiansOf } from '../helpers/guardian.ts';
import { addAgent } from '../helpers/speakers.ts';
import { failing, leftovers, saidIn, theArchive } from '../helpers/tries.ts';

const SAID = 'what the program said\r\n';

/** A program that notes its group, leaves a helper running beside it, and speaks when it is told to. */
function addSlow(project: Project, id: string): void {
  const script = `
    [ -n "$(cat)" ] || exit 9
    sleep 1000 > /dev/null 2>&1 &
    echo "$$ $!" >> ../outside/launches
    while [ ! -e ../outside/go ]; do sleep 0.02; done
    [ -e ../outside/silent ] || cat ../outside/said`;
  fs.writeFileSync(join(project.outside, 'said'), SAID);
  fs.writeFileSync(join(project.outside, 'speak.sh'), script);
  addAgent(project, id, { runner: 'command', command: ['/bin/sh', '../outside/speak.sh'] });
}

/** The program and its helper, launch by launch. */
function launches(project: Project): [program: number, helper: number][] {
  const log = join(project.outside, 'launches');
  if (!fs.existsSync(log)) return [];
  return fs
    .readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number) as [number, number]);
}

const go = (project: Project): void => fs.writeFileSync(join(project.outside, 'go'), '');

async function council(...flags: string[]): Promise<Project> {
  const project = await newProject();
  addSlow(project, 'dan');
  await seated(project, ['ann', 'dan'], { ann: 'first' }, ...flags);
  return project;
}

async function stateOf(project: Project): Promise<State> {
  return (await project.council<Status>(['status', '--json'])).json.councils[0]!;
}

const tick = async (project: Project): Promise<Ticked['councils'][0]> =>
  (await project.council<Ticked>(['tick', '--json'])).json.councils[0]!;

const ticks: Running[] = [];

/** A tick that has launched its program; both are ended at the latest when the test is over. */
async function launched(project: Project, times = 1, env: Record<string, string> = {}): Promise<Running> {
  const running = project.launch(['tick', '--json'], { env });
  ticks.push(running);
  await until(`launch ${times}`, () => launches(project).length === times);
  return running;
}

async function withCouncil(flags: string[], action: (project: Project) => Promise<void>): Promise<void> {
  const project = await council(...flags);
  try {
    await action(project);
  } finally {
    // The ticks first: one that lives would launch again.
    for (const { child } of ticks.splice(0)) child.kill('SIGKILL');
    for (const pid of launches(project).flat()) if (runs(pid)) process.kill(pid, 'SIGKILL');
  }
}

/** Kills a tick and what would end its programs for it: what is left is for the next tick. */
async function kill({ pid, ended }: Running): Promise<void> {
  for (const guardian of guardiansOf(pid)) process.kill(guardian, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
  await ended;
}

async function expectPlayed(project: Project): Promise<void> {
  await must(project, ['tick', '--until-idle']);
  expect(saidIn(theArchive(project))).toEqual({ ann: 'first', dan: SAID });
  expect(launches(project).flat().filter(runs)).toEqual([]);
  expect(leftovers(project)).toEqual([]);
}

describe('a tick that is killed', () => {
  it('while its program runs: the next one ends the orphans and launches again', () =>
    withCouncil([], async (project) => {
      await kill(await launched(project));
      expect(launches(project)[0]!.map(runs)).toEqual([true, true]);
      const second = await launched(project, 2);
      expect(launches(project)[0]!.map(runs)).toEqual([false, false]);
      expect((await stateOf(project)).participants.dan).toMatchObject({ status: 'WAITING', attempts: 2 });
      go(project);
      expect((await second.ended).code).toBe(0);
      expect((await stateOf(project)).participants.dan).toMatchObject({ status: 'RESPONDED', lease: null });
      await expectPlayed(project);
      expect(launches(project)).toHaveLength(2);
    }));

  it('while its program runs, and the program ends alone: what it left running is ended', () =>
    withCouncil([], async (project) => {
      const first = await launched(project);
      await kill(first);
      const [program, helper] = launches(project)[0]!;
      process.kill(program, 'SIGKILL');
      await until('the program is over', () => !runs(program));
      expect(runs(helper)).toBe(true);
      const second = await launched(project, 2);
      expect(runs(helper)).toBe(false);
      go(project);
      await second.ended;
      await expectPlayed(project);
    }));

  it('three times over: the participant is absent, and the council goes on without it', () =>
    withCouncil([], async (project) => {
      for (const times of [1, 2, 3]) await kill(await launched(project, times));
      expect(await tick(project)).toMatchObject({ launched: [], failed: [{ id: 'dan' }] });
      expect(launches(project).flat().filter(runs)).toEqual([]);
      await must(project, ['tick', '--until-idle']);
      const archive = theArchive(project);
      expect(saidIn(archive)).toEqual({ ann: 'first' });
      expect(archive.absences).toMatchObject([
        { participant: 'dan', reason: expect.stringMatching(/^failed: /) as unknown },
      ]);
    }));

  it('while its program runs, and the time is up before the next one: the orphans are ended all the same', () =>
    withCouncil(['--timeout', '2s'], async (project) => {
      await kill(await launched(project));
      const { timeoutAt } = await stateOf(project);
      await until('the time is up', () => Date.now() > Date.parse(timeoutAt));
      expect(await tick(project)).toMatchObject({
        from: 'COLLECT',
        to: 'SYNTHESIZE',
        reason: 'timeout',
        launched: [],
      });
      expect(launches(project).flat().filter(runs)).toEqual([]);
    }));

  it('while its program runs, and the council is cancelled: the orphans are ended', () =>
    withCouncil([], async (project) => {
      await kill(await launched(project));
      await must(project, ['cancel', '--why', 'it hangs']);
      expect(launches(project).flat().filter(runs)).toEqual([]);
      expect(saidIn(theArchive(project))).toEqual({ ann: 'first' });
    }));

  it('between the end of its program and the commit: the spool is recorded, nothing is launched again', () =>
    withCouncil([], async (project) => {
      go(project);
      await kill(await spooled(project));
      expect(await tick(project)).toMatchObject({ from: 'COLLECT', to: 'COLLECT', launched: [], failed: [] });
      expect((await stateOf(project)).participants.dan).toMatchObject({
        status: 'RESPONDED',
        lease: null,
        attempts: 1,
      });
      await expectPlayed(project);
      expect(launches(project)).toHaveLength(1);
    }));

  it('between the end of its program and the commit, and the time is up: the spool still counts', () =>
    withCouncil(['--timeout', '3s'], async (project) => {
      go(project);
      await kill(await spooled(project));
      const { timeoutAt } = await stateOf(project);
      await until('the time is up', () => Date.now() > Date.parse(timeoutAt));
      expect(await tick(project)).toMatchObject({
        from: 'COLLECT',
        to: 'SYNTHESIZE',
        reason: 'all-responded',
        launched: [],
      });
      await expectPlayed(project);
      expect(launches(project)).toHaveLength(1);
    }));
});

describe('a tick whose council is cancelled while its program runs', () => {
  it('ends well, and ends the program, which nobody waits for any more', () =>
    withCouncil([], async (project) => {
      const running = project.launch(['tick']);
      await until('the launch', () => launches(project).length === 1);
      await must(project, ['cancel', '--why', 'overtaken']);
      const { code, stderr } = await running.ended;
      expect(code, stderr).toBe(0);
      expect(stderr).toContain('dan was interrupted');
      expect(launches(project).flat().filter(runs)).toEqual([]);
    }));
});

/** Group files that name a stranger's number: after a reboot, and after the number was given away again. */
const MISTAKEN = {
  'of another boot': { bootId: 'another', leaderLives: false },
  'of another process': { startTime: '1', leaderLives: true },
};

describe('the group that a dead tick noted', () => {
  it.each(Object.entries(MISTAKEN))('is left alone when it is %s', (_, { leaderLives, ...wrong }) =>
    withCouncil([], async (project) => {
      await kill(await launched(project));
      for (const pid of launches(project)[0]!) process.kill(pid, 'SIGKILL');
      const stranger = await startStranger(leaderLives);
      try {
        const noted = filesIn(project.privateDir).find((path) => path.endsWith('-group.json'))!;
        const group = JSON.parse(fs.readFileSync(noted, 'utf8')) as object;
        fs.writeFileSync(noted, JSON.stringify({ ...group, pid: stranger.group, ...wrong }));
        const second = await launched(project, 2);
        expect(runs(stranger.member)).toBe(true);
        go(project);
        await second.ended;
        await expectPlayed(project);
      } finally {
        process.kill(-stranger.group, 'SIGKILL');
      }
    }),
  );
});

/** A process group of somebody else, with or without its leader. */
async function startStranger(leaderLives: boolean): Promise<{ group: number; member: number }> {
  const script = `sleep 1000 > /dev/null 2>&1 & echo $!; ${leaderLives ? 'exec sleep 1000' : 'exit'}`;
  const leader = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(leader.stdout, 'data')) as [Buffer];
  if (!leaderLives) await once(leader, 'close');
  return { group: leader.pid!, member: Number(line) };
}

describe('a tick that is stopped while its program runs', () => {
  it('keeps its lease: another tick launches nobody, and one text is recorded', () =>
    withCouncil([], async (project) => {
      const stopped = await launched(project);
      process.kill(stopped.pid, 'SIGSTOP');
      go(project);
      expect(await tick(project)).toMatchObject({ launched: [], failed: [], reason: null });
      process.kill(stopped.pid, 'SIGCONT');
      expect((await stopped.ended).code).toBe(0);
      await expectPlayed(project);
      expect(launches(project)).toHaveLength(1);
    }));

  it('until its phase has closed: its text is refused and kept', () =>
    withCouncil(['--timeout', '8s'], async (project) => {
      const stopped = await launched(project);
      process.kill(stopped.pid, 'SIGSTOP');
      go(project);
      const { timeoutAt } = await stateOf(project);
      await until('the time is up', () => Date.now() > Date.parse(timeoutAt));
      expect(await tick(project)).toMatchObject({ to: 'SYNTHESIZE', reason: 'timeout' });
      process.kill(stopped.pid, 'SIGCONT');
      expect((await stopped.ended).code).toBe(0);
      await must(project, ['tick', '--until-idle']);
      const archive = theArchive(project);
      expect(saidIn(archive)).toEqual({ ann: 'first' });
      expect(archive.late).toHaveLength(1);
      expect(fs.readFileSync(join(project.root, archive.late[0]!.path), 'utf8')).toBe(SAID);
    }));
});

describe('a heartbeat whose disk was full for a moment', () => {
  it('records what its own program said, and does not launch it again', () =>
    withCouncil([], async (project) => {
      go(project);
      // Links: the lease, the group, the output, the exit, the sealed text; then the commit, which fails.
      const env = failing(project, { FAIL_KINDS: 'link', FAIL_WITH: 'ENOSPC', FAIL_AT: '6' });
      const heartbeat = project.launch(['heartbeat', '--every', '* * * * * *', '--active', '* * * * * *'], {
        env,
      });
      await until('it says so', () => heartbeat.output().includes('ENOSPC'));
      await until('it is archived', () =>
        fs.readdirSync(join(project.root, 'conseils')).some((name) => name.endsWith('.md')),
      );
      heartbeat.child.kill('SIGTERM');
      await heartbeat.ended;
      await expectPlayed(project);
      expect(launches(project)).toHaveLength(1);
    }));
});

/** A tick that stands still with a complete spool, before the commit of what its program said. */
async function spooled(project: Project): Promise<Running> {
  const isComplete = (): boolean =>
    fs
      .readdirSync(project.privateDir, { recursive: true, encoding: 'utf8' })
      .some((path) => path.endsWith('-exit.json'));
  // Links: the lease, the group, the output, the exit, then the sealed text.
  const running = await launched(
    project,
    1,
    failing(project, { FAIL_KINDS: 'link', FAIL_WITH: 'SIGSTOP', FAIL_AT: '5' }),
  );
  await until('the spool is complete', isComplete);
  expect((await stateOf(project)).participants.dan!.status).toBe('WAITING');
  return running;
}
