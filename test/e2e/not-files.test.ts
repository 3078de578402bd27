import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project, Run } from '../helpers/cli.ts';
import type { Listed, Status, Ticked } from '../helpers/documents.ts';
import { must, seated } from '../helpers/scenarios.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';

/** Far above what a command takes here, far below for ever. */
const NOT_FOR_EVER_MS = 20_000;

const KINDS: Record<string, (path: string) => void> = {
  'a FIFO': (path) => void execFileSync('mkfifo', [path]),
  'a folder': (path) => fs.mkdirSync(path),
  'a link that leads nowhere': (path) => fs.symlinkSync('/nowhere/at/all', path),
  'a link that leads in a circle': (path) => fs.symlinkSync(path, path),
  'a device': (path) => fs.symlinkSync('/dev/zero', path),
};

/** Puts one of each kind into a folder of the project, named by `nameOf`. Returns [kind, path relative to the project]. */
function place(project: Project, nameOf: (letter: string) => string): [kind: string, path: string][] {
  return Object.entries(KINDS).map(([kind, make], at) => {
    const name = nameOf('abcde'[at]!);
    const path = join(project.root, name);
    fs.mkdirSync(dirname(path), { recursive: true });
    make(path);
    return [kind, name];
  });
}

/** Runs a command with 300 MB of memory at most, and fails the test when it does not end by itself. */
async function quick<T = unknown>(project: Project, args: string[]): Promise<Run<T>> {
  const running = project.launch(args, { env: { NODE_OPTIONS: '--max-old-space-size=300' } });
  const timer = setTimeout(() => running.child.kill('SIGKILL'), NOT_FOR_EVER_MS);
  const run = await running.ended;
  clearTimeout(timer);
  expect([args.join(' '), run.signal]).toEqual([args.join(' '), null]);
  return run as Run<T>;
}

describe.concurrent('what is no regular file', () => {
  it('fault 3: as a state file is named by every command, and the other councils go on', async () => {
    const project = await newProject();
    await seated(project, ['ana', 'ben'], { ana: 'One.' });
    const bad = place(project, (letter) => `memory/shared/council-bad-${letter}.md`);
    const status = await quick<Status>(project, ['status', '--json']);
    expect(status.code).toBe(1);
    expect(status.json.councils.map(({ name }) => name)).toEqual(['active-conversation']);
    const tick = await quick<Ticked>(project, ['tick', '--no-launch', '--json']);
    const doctor = await quick(project, ['doctor']);
    for (const [kind, path] of bad) {
      // A state file may be a link, so what is wrong with this one is where it leads.
      const what = kind === 'a device' ? 'a link that leads to /dev/zero' : kind;
      const said = `${join(project.root, path)} is ${what}`;
      expect(status.stdout).toContain(said);
      expect(tick.stdout).toContain(said);
      expect(doctor.stdout).toContain(said);
      const view = await quick(project, [
        'respond',
        'ana',
        '--name',
        path.slice(22, -3),
        '--file',
        'COUNCIL.md',
      ]);
      expect(view.code).not.toBe(0);
    }
    await must(project, ['respond', 'ben'], 'Two.');
    const { json } = await quick<Ticked>(project, [
      'tick',
      '--no-launch',
      '--name',
      'active-conversation',
      '--json',
    ]);
    expect(json.councils).toMatchObject([{ name: 'active-conversation', to: 'SYNTHESIZE' }]);
  });

  it('fault 3: in the place of a live council stops that council only, and loses nothing', async () => {
    const project = await newProject();
    await seated(project, ['ana', 'ben'], { ana: 'One.' });
    const path = join(project.root, 'memory/shared/council-active-conversation.md');
    fs.rmSync(path);
    KINDS['a FIFO']!(path);
    const refused = await quick(project, ['respond', 'ben', '--file', 'COUNCIL.md']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${path} is a FIFO`);
    fs.rmSync(path);
    await must(project, ['respond', 'ben'], 'Two.');
    const { json } = await quick<Status>(project, ['status', '--json']);
    expect(json.councils[0]).toMatchObject({ currentPhase: 'COLLECT', participants: { ana: {}, ben: {} } });
    expect(JSON.stringify(json.councils[0]!.participants)).not.toContain('WAITING');
  });

  it('fault 3: among agents and modes is named, and the others are listed', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    addAgent(project, 'ben');
    const bad = [
      ...place(project, (letter) => `agents/bad-${letter}.md`),
      ...place(project, (letter) => `modes/bad-${letter}.md`),
    ];
    project.write('agents/large.md', '---\nname: large\n---\n'.padEnd(256 * 1024 + 1, 'x'));
    project.write('modes/broken.md', '---\nphases: [\n---\n');
    const list = await quick<{ agents: { id: string }[] }>(project, ['agents', 'list', '--json']);
    expect(list.code).toBe(0);
    expect(list.json.agents.map(({ id }) => id)).toEqual(expect.arrayContaining(['ana', 'ben']) as never);
    const modes = await quick<{ modes: { name: string }[] }>(project, ['modes', '--json']);
    expect(modes.code).toBe(0);
    expect(modes.json.modes.map(({ name }) => name)).toContain('debate');
    expect(modes.stdout).toContain('broken.md');
    const doctor = await quick(project, ['doctor']);
    const start = await quick(project, ['start', 'Do we move?']);
    expect(start.code).toBe(0);
    for (const [kind, path] of bad) {
      const said = `${join(project.root, path)} is ${kind}`;
      const isAgent = path.startsWith('agents');
      expect((isAgent ? list : modes).stdout).toContain(said);
      expect((isAgent ? list : modes).stderr).toContain(said);
      expect(doctor.stdout).toContain(said);
      // Who is not seated because the file is none is told.
      if (isAgent)
        expect(start.stderr).toContain(`${basename(path, '.md')} does not sit: ${basename(path)} is `);
    }
    for (const { stdout } of [list, doctor]) expect(stdout).toMatch(/large\.md has 262145 bytes/);
    const one = await quick(project, ['modes', 'bad-a']);
    expect(one.code).toBe(1);
    expect(one.stderr).toContain('is a FIFO');
  });

  it('fault 3: among the archives is named by list and search, and hides no other', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'The marmot is the answer.' } });
    await must(project, ['run', 'Which animal?', '--agents', 'ada', '--mode', 'synthesis']);
    const bad = place(project, (letter) => `conseils/2026-01-0${'abcde'.indexOf(letter) + 1}-bad.md`);
    KINDS['a FIFO']!(join(project.root, 'conseils/README.md'));
    for (const args of [['list'], ['search', 'marmot'], ['cost'], ['show', 'which-animal']]) {
      const run = await quick(project, args);
      if (args[0] !== 'show') expect(run.code).toBe(0);
      for (const [kind, path] of args[0] === 'show' ? [] : bad)
        expect(run.stderr).toContain(`${path} is ${kind}`);
    }
    expect((await quick<Listed>(project, ['list', '--json'])).json.archives).toHaveLength(1);
    expect((await quick(project, ['search', 'marmot'])).stdout).toContain('Which animal?');
  });

  it('fault 3: is refused as brief, text, settings and revision', async () => {
    const project = await newProject();
    await seated(project, ['ana', 'ben'], {});
    const bad = place(project, (letter) => `bad-${letter}`);
    project.write('large', 'x'.repeat(1024 * 1024 + 1));
    for (const [kind, path] of bad) {
      const said = `${join(project.root, path)} is ${kind}`;
      for (const args of [
        ['start', '--brief', path, '--name', 'other'],
        ['respond', 'ana', '--file', path],
        ['reveal', 'ana', '--file', path],
      ]) {
        const run = await quick(project, args);
        expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(said)]);
      }
    }
    const large = await quick(project, ['start', '--brief', 'large', '--name', 'other']);
    expect([large.code, large.stderr]).toEqual([1, expect.stringContaining('the limit is 1048576')]);

    const versions = join(project.root, 'memory/shared/.versions/active-conversation');
    KINDS['a FIFO']!(join(versions, '2.md'));
    const status = await quick(project, ['status']);
    expect(status.stderr).toContain(`${join(versions, '2.md')} is a FIFO`);
    fs.rmSync(join(versions, '2.md'));

    fs.rmSync(join(project.root, 'COUNCIL.md'));
    KINDS['a FIFO']!(join(project.root, 'COUNCIL.md'));
    const tick = await quick(project, ['tick']);
    expect([tick.code, tick.stderr]).toEqual([1, expect.stringContaining('COUNCIL.md is a FIFO')]);
    expect((await quick(project, ['doctor'])).stdout).toContain('COUNCIL.md is a FIFO');
    expect((await quick(project, ['status'])).code).toBe(0);
  });

  it('fault 3: is named by the doctor before git would wait for it', async () => {
    for (const name of ['.gitignore', 'memory/.gitignore', '.git/config', '.git/HEAD', '.git/info/exclude']) {
      const project = await newProject();
      execFileSync('git', ['init', '-q'], { cwd: project.root, env: project.env });
      const path = join(project.root, name);
      fs.rmSync(path, { force: true });
      KINDS['a FIFO']!(path);
      const bin = join(project.outside, 'bin');
      fs.mkdirSync(bin, { recursive: true });
      fs.writeFileSync(join(bin, 'git'), '#!/bin/sh\necho called >> "$0.calls"\nexit 1\n', { mode: 0o755 });
      project.env.PATH = `${bin}:${project.env.PATH}`;
      const { stdout } = await quick(project, ['doctor']);
      expect(stdout).toMatch(/^warning +git +.*is a FIFO/m);
      expect(stdout).toContain(path);
      expect(fs.existsSync(join(bin, 'git.calls'))).toBe(false);
    }
  });
});
