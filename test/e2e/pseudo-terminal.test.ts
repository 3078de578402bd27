import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, newProject, runs, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { CTRL_C, CTRL_Z, onTerminal, terminal } from '../helpers/pty.ts';
import type { Terminal } from '../helpers/pty.ts';
import { answering, pathWith } from '../helpers/programs.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import { IS_SHORT, takeOneIn } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const RUN = ['run', 'Why?', '--agents', 'ada,bob', '--mode', 'synthesis'];
// eslint-disable-next-line no-control-regex
const COLOUR = /\x1b\[(?:[0-9]+;)*(?:1|2|3[0-9]|9[0-7])m/;
/** ada's row, with the seconds since she was asked. */
const ADA_AT_WORK = /\bada +\d+ s\b/;
const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

/** Two who speak; ada waits until the file `go` is there, if she is to wait. */
async function table(waits = false): Promise<Project> {
  const project = await newProject();
  addSpeaker(
    project,
    'ada',
    waits ? { any: { whenThere: join(project.outside, 'go'), say: 'said by ada' } } : {},
  );
  addSpeaker(project, 'bob');
  return project;
}

const go = (project: Project): void => fs.writeFileSync(join(project.outside, 'go'), '');

const adaIsAtWork = (project: Project): Promise<void> =>
  until('ada is at work', () => launches(project).some(({ id }) => id === 'ada'));

/** Every line of a run is there once, whole and in its order, and nothing of what was drawn meanwhile. */
async function expectSaneRun(shown: Terminal): Promise<string[]> {
  expect(shown.isCursorShown()).toBe(true);
  const lines = await shown.lines();
  const text = lines.join('\n');
  expect(text).not.toMatch(SPINNER);
  expect(text).not.toContain('\ufffd');
  const milestones = [
    'Council "active-conversation"',
    'Participants: ada, bob.',
    'COLLECT is open',
    'ada responded',
    'archived as',
    'Status: COMPLETED',
    'Archive: conseils/',
  ];
  const found = milestones.map((milestone) => text.indexOf(milestone));
  expect(found, text).toEqual([...found].sort((a, b) => a - b));
  expect(found[0], text).toBe(0);
  for (const milestone of [...milestones, 'bob responded'])
    expect(text.split(milestone), text).toHaveLength(2);
  return lines;
}

describe.concurrent('a run on a terminal', () => {
  long.each([40, 200])('fault 12: is drawn sanely in %i columns', async (columns) => {
    const project = await table(true);
    const shown = onTerminal(project, RUN, { columns });
    await shown.shows(ADA_AT_WORK);
    await shown.shows('bob responded');
    go(project);
    expect(await shown.ended).toEqual({ code: 0, signal: 0 });
    expect(shown.raw()).toMatch(SPINNER);
    await expectSaneRun(shown);
  });

  it('fault 12: draws nothing where the width is not known', async () => {
    const project = await table();
    const command = `stty cols 0 rows 0; exec "$@"`;
    const shown = terminal('/bin/sh', ['-c', command, 'sh', process.execPath, CLI, ...RUN], project);
    expect(await shown.ended).toEqual({ code: 0, signal: 0 });
    expect(shown.raw()).not.toMatch(SPINNER);
    const text = (await shown.lines()).join('\n');
    for (const line of ['asking ada', 'ada responded', 'Archive: conseils/']) expect(text).toContain(line);
  });

  it('fault 12: stays whole while the window is made narrower and wider', async () => {
    const project = await table(true);
    const shown = onTerminal(project, RUN, { columns: 120 });
    await shown.shows('bob responded');
    await shown.shows(ADA_AT_WORK);
    await shown.shows('stop waiting');
    for (const [columns, rows] of [
      // Narrower than the hint, which is the last line and stands in full.
      [44, 20],
      [60, 20],
      [40, 10],
      [160, 50],
      [45, 24],
      [120, 40],
    ] as const) {
      shown.resize(columns, rows);
      const seen = shown.raw().length;
      await until('it draws on', () => shown.raw().length > seen + 200);
    }
    go(project);
    expect(await shown.ended).toEqual({ code: 0, signal: 0 });
    await expectSaneRun(shown);
  });

  it.each(
    takeOneIn<[string, Record<string, string>, boolean]>(2, [
      ['with colours', {}, true],
      ['without, with NO_COLOR', { NO_COLOR: '1' }, false],
      ['without, with FORCE_COLOR=0', { FORCE_COLOR: '0' }, false],
      ['without, on a dumb terminal', { TERM: 'dumb' }, false],
    ]),
  )('fault 12: prints %s', async (_, env, coloured) => {
    const project = await table();
    await project.council(['start', ...RUN.slice(1)]);
    for (const args of [['status'], ['doctor'], ['run', '--resume'], ['show', 'active-conversation']]) {
      const shown = onTerminal(project, args, { env });
      expect((await shown.ended).signal).toBe(0);
      expect(COLOUR.test(shown.raw()), args[0]).toBe(coloured);
      expect(shown.isCursorShown(), args[0]).toBe(true);
    }
  });

  long('asks what becomes of a council in which too few can speak', async () => {
    const project = await table();
    const loggedOut = { any: { stderr: 'Please log in first', exit: 1 } };
    for (const id of ['cyd', 'dan']) addSpeaker(project, id, loggedOut);
    const debate = ['run', 'Why?', '--agents', 'ada,bob,cyd,dan', '--mode', 'debate'];
    const run = async (...keys: string[]) => {
      const shown = onTerminal(project, debate);
      for (const [at, key] of keys.entries()) {
        await until('it asks', () => shown.raw().split('What now?').length === at + 2);
        shown.type(`${key}\r`);
      }
      const { code } = await shown.ended;
      return { code, text: (await shown.lines()).join('\n') };
    };
    const ended = await run('e');
    expect(ended.text).toContain('2 of 4 answered; the quorum is 3.');
    expect(ended.text).toMatch(/cyd: not logged in .*\n/);
    expect(ended.code).toBe(1);
    expect(launches(project)).toHaveLength(4);
    const alone = await run('g');
    expect(alone.code).toBe(0);
    expect(alone.text).toMatch(/RESOLVE/);
    expect(await run('r', 'e')).toMatchObject({ code: 1 });
    const narrow = onTerminal(project, debate, { columns: 40 });
    await narrow.shows('What now?');
    expect(await narrow.lines()).toContain('  4 answered; the quorum is 3.');
    narrow.type('e\r');
    expect((await narrow.ended).code).toBe(1);
  });

  long(
    'asks whether a program that was found since is to sit, and about a declined one only once',
    async () => {
      const project = await table();
      const env = { PATH: pathWith(project, { codex: answering('0.169.0'), gemini: answering('0.61.0') }) };
      const run = ['run', 'Why?', '--mode', 'synthesis', '--trust'];
      const first = onTerminal(project, run, { env });
      await first.shows('Found codex on PATH. Seat it? [Y/n]');
      first.type('n\r');
      await first.shows('Found gemini on PATH. Seat it? [Y/n]');
      first.type('\r');
      await first.ended;
      expect((await first.lines()).join('\n')).toContain('Participants: ada, bob, gemini.');
      const second = onTerminal(project, run, { env });
      await second.ended;
      expect(second.raw()).not.toContain('Seat it?');
    },
  );

  long('tells view and show in local times, and a pipe in UTC', async () => {
    const project = await table();
    addAgent(project, 'ana');
    await project.council(['start', 'Why?', '--agents', 'ada,ana', '--name', 'open']);
    const { json } = await project.council<{ archive: string }>([...RUN, '--trust', '--json']);
    const utc = /\d{4}-\d\d-\d\dT[\d:.]+Z/;
    for (const [args, local] of [
      [['view', 'ana', '--name', 'open'], /Deadline: in (?:59|60) min, (?:.*, )?\d\d:\d\d$/m],
      [['show', json.archive], /^(?:\w+ \d+ \w+ \d+, )?\d\d:\d\d\b/m],
    ] as const) {
      const shown = onTerminal(project, [...args], { columns: 100 });
      expect((await shown.ended).code).toBe(0);
      const text = (await shown.lines()).join('\n');
      expect(text).toMatch(local);
      expect(text).not.toMatch(utc);
      expect((await project.council([...args])).stdout).toMatch(utc);
    }
  });

  long('fault 12: colours a pipe with FORCE_COLOR only', async () => {
    const project = await table();
    await project.council(['start', ...RUN.slice(1)]);
    for (const [env, coloured] of [
      [{ FORCE_COLOR: '1' }, true],
      [{}, false],
    ] as const) {
      const { stdout } = await project.council(['status'], { env });
      expect(COLOUR.test(stdout)).toBe(coloured);
    }
  });

  long.each([40, 200])('fault 12: prints an archive and a status in %i columns', async (columns) => {
    const project = await table();
    await project.council(RUN);
    await project.council([
      'start',
      'Why again, and why at such a length that a line of forty is too short?',
      '--agents',
      'ada,bob',
      '--name',
      'again',
    ]);
    for (const args of [['show', 'active-conversation'], ['status'], ['list'], ['agents', 'list']]) {
      const shown = onTerminal(project, args, { columns });
      expect(await shown.ended).toEqual({ code: 0, signal: 0 });
      expect((await shown.lines()).length).toBeGreaterThan(0);
    }
  });
});

/** Job control needs a shell that has it. */
const shells = ['/bin/bash', '/usr/bin/bash'].filter((path) => fs.existsSync(path));

describe.skipIf(shells.length === 0)('a run that is stopped and goes on', () => {
  async function shell(project: Project): Promise<Terminal> {
    const opened = terminal(shells[0]!, ['--norc', '--noprofile', '-i'], project, {
      env: { PS1: 'ready> ' },
    });
    await opened.shows('ready>');
    const command = [process.execPath, CLI, ...RUN].map((word) => `'${word}'`).join(' ');
    opened.type(`${command}\r`);
    return opened;
  }

  it('fault 12: gives the cursor back at Ctrl-Z and goes on with fg', async () => {
    const project = await table(true);
    const shown = await shell(project);
    await shown.shows(ADA_AT_WORK);
    await adaIsAtWork(project);
    shown.type(CTRL_Z);
    await shown.shows('Stopped');
    expect(shown.isCursorShown()).toBe(true);
    const before = await shown.lines();
    expect(before.at(-1)).toContain('ready>');
    expect(before.join('\n')).not.toMatch(SPINNER);
    // Programs go on meanwhile: a model that is being asked cannot be stopped.
    go(project);
    await until('ada has ended', () => launches(project).every(({ pid }) => !runs(pid)));
    shown.type('fg\r');
    await shown.shows('Archive: conseils/');
    await until('the shell is back', async () => (await shown.lines()).at(-1)?.includes('ready>') === true);
    const text = (await shown.lines()).join('\n');
    expect(text).not.toMatch(SPINNER);
    for (const line of ['ada responded', 'bob responded', 'Stopped'])
      expect(text.split(line), text).toHaveLength(2);
    shown.type('exit\r');
    await shown.ended;
  });

  long('fault 12: does not count the time it was stopped', async () => {
    const project = await newProject();
    const done = join(project.outside, 'go');
    addSpeaker(project, 'ada', { any: { whenThere: done, say: 'said by ada' } }, { timeout: '8s' });
    addSpeaker(project, 'bob');
    const shown = await shell(project);
    await shown.shows(ADA_AT_WORK);
    await adaIsAtWork(project);
    shown.type(CTRL_Z);
    await shown.shows('Stopped');
    const stopped = performance.now();
    go(project);
    await until('more than the limit has passed', () => performance.now() - stopped > 9000);
    shown.type('fg\r');
    await shown.shows('Archive: conseils/');
    const text = (await shown.lines()).join('\n');
    expect(text).toContain('ada responded');
    expect(text).not.toContain('no answer within');
    shown.type('exit\r');
    await shown.ended;
  });

  long('fault 12: Ctrl-C after fg ends it, and a shell that is closed while it is stopped does', async () => {
    for (const way of ['interrupted', 'closed']) {
      const project = await table(true);
      const shown = await shell(project);
      await adaIsAtWork(project);
      await shown.shows(ADA_AT_WORK);
      shown.type(CTRL_Z);
      await shown.shows('Stopped');
      if (way === 'interrupted') {
        shown.type('fg\r');
        await until(
          'it draws on',
          () => shown.raw().slice(shown.raw().lastIndexOf('fg')).match(SPINNER) !== null,
        );
        shown.type(CTRL_C);
        await shown.shows('Go on with: council run --resume');
        shown.type('exit\r');
        await shown.ended;
      } else shown.hangUp();
      await until('nothing runs any more', () => launches(project).every(({ pid }) => !runs(pid)));
    }
  });

  it('fault 12: Ctrl-Z changes nothing where there is no shell to go on with', async () => {
    const project = await table(true);
    const shown = onTerminal(project, RUN);
    await adaIsAtWork(project);
    await shown.shows(ADA_AT_WORK);
    shown.type(CTRL_Z);
    const seen = shown.raw().length;
    await until('it draws on', () => SPINNER.test(shown.raw().slice(seen)));
    go(project);
    expect(await shown.ended).toEqual({ code: 0, signal: 0 });
    await expectSaneRun(shown);
  });
});

describe('a note at a terminal', () => {
  it('breaks no word, whichever command says it: mcp tells what it waits for', async () => {
    const project = await newProject();
    const shown = onTerminal(project, ['mcp'], { columns: 40 });
    await shown.shows('docs/server/mcp.md.');
    shown.type(CTRL_C);
    await shown.ended;
    const lines = (await shown.lines()).filter((line) => line !== '' && line !== '^C');
    const words = lines.map((line) => line.trim()).join(' ');
    expect(words).toContain('claude mcp add council -- council mcp');
    expect(words).toContain('it waits for such a client until Ctrl-C.');
  });
});
