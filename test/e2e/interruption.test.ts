import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, newProject, runs, until } from '../helpers/cli.ts';
import type { Project, Running } from '../helpers/cli.ts';
import type { State, Status } from '../helpers/documents.ts';
import { CTRL_C, onTerminal } from '../helpers/pty.ts';
import type { Terminal } from '../helpers/pty.ts';
import { pathWith } from '../helpers/programs.ts';
import { addAgent, addSpeaker, launches, setScript } from '../helpers/speakers.ts';
import type { Script } from '../helpers/speakers.ts';
import { countCalls, drop, failing, inLanes, leftovers, model, theArchive } from '../helpers/tries.ts';

const RUN = ['run', 'Why?', '--agents', 'ada,bob', '--mode', 'synthesis'];
const GO_ON = 'Go on with: council run --resume --name active-conversation';

/** Bob answers at once; what ada does is up to the test. */
async function table(ada: Script): Promise<Project> {
  const project = await newProject();
  addSpeaker(project, 'ada', ada);
  addSpeaker(project, 'bob');
  return project;
}

const pidsOf = (project: Project): number[] => launches(project).map(({ pid }) => pid);

/** Waits until ada has been launched `times` times and bob has spoken. */
async function adaIsAtWork(project: Project, times = 1): Promise<void> {
  await until('ada is at work', async () => {
    if (launches(project).filter(({ id }) => id === 'ada').length < times) return false;
    return (await stateOf(project))?.participants.bob?.status === 'RESPONDED';
  });
}

async function stateOf(project: Project): Promise<State | undefined> {
  return (await project.council<Status>(['status', '--json'])).json.councils[0];
}

/** Nothing runs any more, and the council waits for ada as if she had never been asked. */
async function expectNothingLeft(project: Project): Promise<void> {
  expect(pidsOf(project).filter(runs)).toEqual([]);
  const { participants } = (await stateOf(project))!;
  expect(participants).toMatchObject({
    ada: { status: 'WAITING', lease: null, attempts: 0, absent: null },
    bob: { status: 'RESPONDED', lease: null },
  });
}

async function expectCanGoOn(project: Project): Promise<void> {
  setScript(project, 'ada', {});
  expect(await project.council(['run', '--resume'])).toMatchObject({ code: 0 });
  expect(
    theArchive(project)
      .contributions.map(({ by }) => by)
      .sort(),
  ).toEqual(['ada', 'bob']);
}

const expectSane = async (terminal: Terminal): Promise<void> => {
  expect(terminal.isCursorShown()).toBe(true);
  const lines = await terminal.lines();
  expect(lines.filter((line) => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(line))).toEqual([]);
};

it('fails where another process has cancelled the council', async () => {
  const project = await table({ any: { hang: true } });
  const running = project.launch(RUN);
  await adaIsAtWork(project);
  expect((await project.council(['cancel', '--why', 'enough'])).code).toBe(0);
  expect((await running.ended).code).toBe(1);
  expect(running.output()).toContain('CANCELLED');
  expect(pidsOf(project).filter(runs)).toEqual([]);
});

it('tells of no agent that it failed where another process has cancelled the council', async () => {
  const project = await table({ any: { hang: true } });
  expect((await project.council(['start', ...RUN.slice(1)])).code).toBe(0);
  const ticking = project.launch(['tick', '--json']);
  await adaIsAtWork(project);
  expect((await project.council(['cancel', '--why', 'enough'])).code).toBe(0);
  const { code, stdout } = await ticking.ended;
  expect({ code, told: JSON.parse(stdout) as unknown }).toMatchObject({
    code: 0,
    told: { councils: [{ launched: ['ada', 'bob'], failed: [] }] },
  });
});

describe.concurrent('Ctrl-C on a terminal', () => {
  it('fault 10: ends the programs, gives the leases back, says how to go on and exits with 130', async () => {
    const project = await table({ any: { hang: true } });
    const terminal = onTerminal(project, RUN);
    await adaIsAtWork(project);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toEqual({ code: 130, signal: 0 });
    await expectNothingLeft(project);
    const lines = await terminal.lines();
    expect(lines.slice(-4)).toEqual([
      expect.stringContaining('press Ctrl-C again to quit at once') as string,
      '✖ ada was interrupted',
      'council: Interrupted. Everything that was recorded is kept.',
      GO_ON,
    ]);
    await expectSane(terminal);
    await expectCanGoOn(project);
  });

  it('fault 10: ends programs that trap SIGTERM as well', async () => {
    const project = await table({ any: { hang: true, stubborn: true } });
    const terminal = onTerminal(project, RUN);
    await adaIsAtWork(project);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toEqual({ code: 130, signal: 0 });
    await expectNothingLeft(project);
    await terminal.shows(GO_ON);
    await expectCanGoOn(project);
  });

  it('fault 10: three interruptions exclude nobody, and the next resume goes on', async () => {
    const project = await table({ any: { hang: true } });
    for (const times of [1, 2, 3, 4]) {
      const terminal = onTerminal(project, times === 1 ? RUN : ['run', '--resume']);
      await adaIsAtWork(project, times);
      terminal.type(CTRL_C);
      expect(await terminal.ended).toEqual({ code: 130, signal: 0 });
    }
    await expectNothingLeft(project);
    await expectCanGoOn(project);
  });

  it('fault 10: a second one quits at once, runs nothing on, and counts as no attempt', async () => {
    const project = await table({ any: { hang: true, stubborn: true } });
    for (const times of [1, 2, 3, 4]) {
      const terminal = onTerminal(project, times === 1 ? RUN : ['run', '--resume']);
      await adaIsAtWork(project, times);
      terminal.type(CTRL_C);
      await terminal.shows('press Ctrl-C again to quit at once');
      // The same key press may arrive twice within a moment, so keep pressing, as people do.
      const pressing = setInterval(() => terminal.type(CTRL_C), 100);
      expect(await terminal.ended).toEqual({ code: 130, signal: 0 });
      clearInterval(pressing);
      const shown = (await terminal.lines()).join('\n');
      expect(shown).toContain(`council: Interrupted. Everything that was recorded is kept.\n${GO_ON}`);
      const { stdout } = await project.council(['status']);
      expect(stdout).toContain('WAITING, no longer running: the command that launched it has ended');
      expect(terminal.isCursorShown()).toBe(true);
      await until('nothing runs any more', () => pidsOf(project).every((pid) => !runs(pid)));
    }
    await expectCanGoOn(project);
  });

  it('fault 10: says that something is ended only where something runs', async () => {
    const project = await newProject();
    addAgent(project, 'ann');
    await project.council(['start', 'Why?', '--agents', 'ann', '--mode', 'synthesis']);
    for (const [command, shown, code] of [
      [['run', '--resume'], 'waiting: council respond ann', 130],
      [['heartbeat'], 'Ctrl-C stops it', 0],
    ] as const) {
      const terminal = onTerminal(project, [...command]);
      await terminal.shows(shown);
      terminal.type(CTRL_C);
      expect(await terminal.ended).toEqual({ code, signal: 0 });
      expect((await terminal.lines()).join('\n')).not.toContain('Ending what still runs');
    }
  });

  it('fault 10: between two attempts', async () => {
    const project = await table({ any: [{ exit: 75 }, { hang: true }] });
    // A provider's own pause is longer than anybody waits.
    addSpeaker(project, 'ada', { any: { exit: 1 } });
    const terminal = onTerminal(project, RUN);
    await terminal.shows(/exit code 1; next attempt at .* \(in /);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toEqual({ code: 130, signal: 0 });
    await expectSane(terminal);
    const { lease, absent } = (await stateOf(project))!.participants.ada!;
    expect({ lease, absent }).toEqual({ lease: null, absent: null });
    await expectCanGoOn(project);
  });

  it('fault 10: while it looks for agent programs, before there is a council', async () => {
    const project = await newProject();
    const pidFile = join(project.outside, 'pid');
    const env = { PATH: pathWith(project, { claude: `echo $$ > ${pidFile}; sleep 1000` }) };
    const terminal = onTerminal(project, ['run', 'Why?'], {
      env: { ...env, PATH: `${env.PATH}:/usr/bin:/bin` },
    });
    await until(
      'the program is asked for its version',
      () => fs.existsSync(pidFile) && fs.statSync(pidFile).size > 0,
    );
    terminal.type(CTRL_C);
    expect(await terminal.ended).toEqual({ code: 130, signal: 0 });
    await terminal.shows('Interrupted');
    expect(runs(Number(fs.readFileSync(pidFile, 'utf8')))).toBe(false);
    expect(await stateOf(project)).toBeUndefined();
  });

  it('fault 10: leaves an editor alone, and its text where it was', async () => {
    const project = await newProject();
    addAgent(project, 'ann');
    await project.council(['start', 'Why?', '--agents', 'ann', '--mode', 'synthesis']);
    const editor = join(project.outside, 'editor.sh');
    // Like any editor it takes Ctrl-C for itself.
    fs.writeFileSync(
      editor,
      `trap 'echo kept > "$1"; exit 0' INT; echo editing; while :; do sleep 0.1; done`,
    );
    const terminal = onTerminal(project, ['respond', 'ann'], { env: { EDITOR: `sh ${editor}` } });
    await terminal.shows('editing');
    terminal.type(CTRL_C);
    expect(await terminal.ended).toEqual({ code: 0, signal: 0 });
    await terminal.shows('Recorded: ann');
  });

  it.each([['wait'], ['watch']])('fault 10: ends %s with a word', async (command) => {
    const project = await newProject();
    addAgent(project, 'ann');
    await project.council(['start', 'Why?', '--agents', 'ann', '--mode', 'synthesis']);
    const terminal = onTerminal(project, [command]);
    if (command === 'watch') await terminal.shows('Ctrl-C to leave');
    else await until('it waits', () => isWatching(terminal.pid));
    terminal.type(CTRL_C);
    const { code } = await terminal.ended;
    expect(code).toBe(command === 'watch' ? 0 : 130);
    expect(terminal.isCursorShown()).toBe(true);
  });
});

/** Whether a process watches a folder, which is the last thing it does before it waits. */
function isWatching(pid: number): boolean {
  const fds = `/proc/${pid}/fd`;
  return fs.readdirSync(fds).some((fd) => {
    try {
      return fs.readlinkSync(join(fds, fd)).includes('inotify');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  });
}

describe.concurrent('a signal to a command without a terminal', () => {
  const signals: [string, string[], NodeJS.Signals][] = [
    ['run', RUN, 'SIGINT'],
    ['run', RUN, 'SIGTERM'],
    ['run', RUN, 'SIGHUP'],
    ['tick', ['tick'], 'SIGTERM'],
    ['tick', ['tick', '--until-idle'], 'SIGHUP'],
    ['heartbeat', ['heartbeat'], 'SIGTERM'],
    ['heartbeat', ['heartbeat'], 'SIGHUP'],
  ];
  it.each(signals)('fault 10: %s (%j) frees its leases at %s', async (command, args, signal) => {
    const project = await table({ any: { hang: true, stubborn: signal === 'SIGHUP' } });
    if (command !== 'run') await project.council(['start', ...RUN.slice(1)]);
    const running = project.launch(args);
    await adaIsAtWork(project);
    running.child.kill(signal);
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({
      code: command === 'heartbeat' ? 0 : 130,
      stderr: expect.stringContaining(command === 'run' ? GO_ON : 'ada was interrupted') as string,
    });
    await expectNothingLeft(project);
    await expectCanGoOn(project);
  });

  it('fault 10: mcp ends the tick that it was asked for, and frees its leases at SIGTERM', async () => {
    const project = await table({ any: { hang: true } });
    await project.council(['start', ...RUN.slice(1)]);
    const server = spawn(process.execPath, [CLI, 'mcp', '--tools', 'all'], {
      cwd: project.root,
      env: project.env,
    });
    const ended = once(server, 'exit');
    const send = (message: object): void =>
      void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    await once(server.stdout, 'data');
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'tick', arguments: {} } });
    await adaIsAtWork(project);
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await expectNothingLeft(project);
  });

  it.each([
    ['run', RUN, 'The notify command failed (it was interrupted)'],
    ['start', ['start', ...RUN.slice(1)], 'The notify command failed (it was interrupted)'],
  ])(
    'fault 10: ends the notify command of %s as well, though it traps SIGTERM',
    async (_command, args, told) => {
      const project = await table({});
      const pid = join(project.outside, 'pid');
      const script = `trap true TERM INT HUP; cat > /dev/null; echo $$ > ${pid}; while :; do sleep 1; done`;
      project.write('COUNCIL.md', `---\nnotify: ${JSON.stringify(['sh', '-c', script])}\n---\n`);
      const running = project.launch(args);
      await until('it is at work', () => fs.existsSync(pid) && fs.statSync(pid).size > 0);
      running.child.kill('SIGINT');
      const { code, stderr } = await running.ended;
      expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringContaining(told) as string });
      expect(runs(Number(fs.readFileSync(pid, 'utf8')))).toBe(false);
      expect((await stateOf(project))?.currentPhase).toBe('COLLECT');
    },
  );

  it('fault 10: a shutdown that ends the program first is no failure of the program', async () => {
    const project = await table({ any: { hang: true } });
    const running = project.launch(RUN);
    await adaIsAtWork(project);
    for (const { id, pid } of launches(project)) if (id === 'ada') process.kill(pid, 'SIGTERM');
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 130 });
    await expectNothingLeft(project);
  });

  it('fault 10: a reader that went away interrupts a run instead of leaving its programs behind', async () => {
    const project = await table({ any: { hang: true } });
    const running = project.launch(RUN);
    await adaIsAtWork(project);
    running.child.stdout!.destroy();
    running.child.stderr!.destroy();
    // The next line it prints meets a closed pipe.
    setScript(project, 'ada', {});
    for (const { id, pid } of launches(project)) if (id === 'ada') process.kill(pid, 'SIGKILL');
    expect((await exited(running)).code).toBe(130);
    expect(pidsOf(project).filter(runs)).toEqual([]);
    expect((await stateOf(project))?.participants.ada).toMatchObject({ lease: null, absent: null });
  });

  it('fault 10: somebody who did not survive three launches holds nobody up', async () => {
    const project = await table({ any: { hang: true } });
    for (const times of [1, 2, 3]) {
      const running = project.launch(times === 1 ? RUN : ['run', '--resume']);
      await adaIsAtWork(project, times);
      running.child.kill('SIGKILL');
      await running.ended;
    }
    expect(await project.council(['run', '--resume'])).toMatchObject({ code: 0 });
    expect(theArchive(project).contributions.map(({ by }) => by)).toEqual(['bob']);
  });
});

async function exited({ child }: Running): Promise<{ code: number | null }> {
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return { code: child.exitCode };
}

describe('SIGINT at the calls of a run that change the disk', () => {
  it('fault 10: leaves a council that goes on, and nothing else', async () => {
    const speaks = { runner: 'command', command: ['/bin/sh', '-c', 'cat > /dev/null; echo said'] };
    const fresh = await model(async (project) => {
      addAgent(project, 'ada', speaks);
      addAgent(project, 'bob', speaks);
      return Promise.resolve();
    });
    const whole = fresh();
    const kinds = 'write,link,rename,unlink,mkdir';
    const calls = await countCalls(whole, RUN, { kinds });
    drop(whole);
    expect(calls).toBeGreaterThan(20);
    const every = Math.ceil(calls / Number(process.env.INTERRUPTIONS ?? 16));
    const chosen = Array.from({ length: Math.floor(calls / every) }, (_, i) => 1 + i * every);
    await inLanes(chosen, 2, async (n) => {
      const at = `interrupted at call ${n} of ${calls}`;
      const project = fresh();
      const env = failing(project, { FAIL_AT: String(n), FAIL_KINDS: kinds, FAIL_WITH: 'SIGINT' });
      const { code, signal, stderr } = await project.council(RUN, { env });
      // Before it listens, the signal ends it; behind the archive there is nothing left to interrupt.
      expect([130, 0, null], at).toContain(code);
      if (code === null) expect(signal, at).toBe('SIGINT');
      const state = await stateOf(project);
      for (const seat of Object.values(state?.participants ?? {}))
        expect(seat, at).toMatchObject({ lease: null });
      if (code === 130) expect(stderr, at).toMatch(/Go on with: |No council was opened/);
      if (code !== 0) {
        const again = await project.council(state ? ['run', '--resume'] : RUN);
        expect(again, at).toMatchObject({ code: 0 });
      }
      expect(theArchive(project, at).contributions, at).toHaveLength(2);
      expect(leftovers(project), at).toEqual([]);
      drop(project);
    });
  });
});
