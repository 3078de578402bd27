import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { must, seated } from '../helpers/scenarios.ts';
import { overStdio } from '../helpers/mcp.ts';
import { addAgent } from '../helpers/speakers.ts';
import { initProject } from '../../src/index.ts';

/** Everything below a folder with what a touch would change. */
function snapshot(dir: string): unknown[] {
  return fs
    .readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .concat('.')
    .sort()
    .map((name) => {
      const path = join(dir, name);
      const stat = fs.lstatSync(path);
      return [name, stat.mode, stat.mtimeMs, stat.isFile() ? fs.readFileSync(path, 'hex') : ''];
    });
}

/** Moves a folder of the project out of it, with things in it that somebody might sweep, and leaves a link. */
function leadOut(project: Project, name: string): string {
  const path = join(project.root, name);
  const outside = join(project.outside, 'moved');
  if (fs.existsSync(path)) fs.renameSync(path, outside);
  else fs.mkdirSync(outside, { recursive: true });
  fs.mkdirSync(join(outside, 'folder'), { recursive: true });
  const old = new Date('2020-01-01');
  for (const file of [
    'file',
    'folder/file',
    '00000000.00000000.1.1.00000000',
    '00000000.00000000.1.1.1.lock-k',
  ]) {
    fs.writeFileSync(join(outside, file), 'x');
    fs.utimesSync(join(outside, file), old, old);
  }
  fs.utimesSync(join(outside, 'folder'), old, old);
  fs.mkdirSync(join(path, '..'), { recursive: true });
  fs.symlinkSync(outside, path);
  return outside;
}

const FOLDERS = [
  'memory',
  'memory/shared',
  'memory/shared/.tmp',
  'memory/shared/.versions',
  'memory/shared/.versions/active-conversation',
  'memory/shared/.versions/.health',
  'memory/shared/.late',
  'memory/shared/.edits',
  'memory/shared/.quarantine',
  'conseils',
  'agents',
];

describe.concurrent('a folder of council that is a link', () => {
  it.each(FOLDERS)('fault 14: %s is named, and nothing behind it is touched', async (folder) => {
    const project = await newProject();
    await seated(project, ['ana', 'ben'], { ana: 'One.' });
    const outside = leadOut(project, folder);
    const state = join(project.root, 'memory/shared/council-active-conversation.md');
    if (folder.endsWith('.edits')) fs.appendFileSync(state, 'by hand');
    if (folder.endsWith('.quarantine'))
      fs.writeFileSync(join(project.root, 'memory/shared/.versions/active-conversation/2.md'), 'damaged');
    const before = snapshot(outside);
    let said = '';
    for (const [args, input] of [
      [['status']],
      [['doctor']],
      [['list']],
      [['respond', 'ben'], 'Two.'],
      [['respond', 'ana'], 'Another one.'],
      [['tick', '--no-launch']],
      [['restore']],
      [['agents', 'add', 'zoe', '--runner', 'human']],
      [['agents', 'remove', 'ben', '--yes']],
      [['cancel', '--why', 'enough']],
      [['respond', 'ben'], 'Too late.'],
      [['start', 'Another one?', '--name', 'other', '--agents', 'ana']],
      [['respond', 'ana', '--name', 'other'], 'Yes.'],
      [['init']],
    ] as [string[], string?][]) {
      const run = await project.council(args, { input: input ?? '' });
      said += run.stdout + run.stderr;
      expect(snapshot(outside), args.join(' ')).toEqual(before);
    }
    expect(said).not.toContain('bug in council');
    // Nothing is written to .health as long as everybody is well.
    if (!folder.endsWith('.health'))
      expect(said).toContain(`${join(project.root, folder)} is a link to ${outside}`);
  });

  it('fault 14: .gitignore and .gitattributes are not written through a link, and that is said', async () => {
    const project = await newProject({ init: false });
    const outside = join(project.outside, 'ignore');
    fs.writeFileSync(outside, 'mine\n');
    for (const name of ['.gitignore', '.gitattributes']) fs.symlinkSync(outside, join(project.root, name));
    addAgent(project, 'ana');
    const { code, stderr } = await project.council(['start', 'Do we move?']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/\.gitignore is a link.*memory\/shared\/\.versions\//);
    expect(stderr).toMatch(/\.gitattributes is a link.*-text/);
    expect(fs.readFileSync(outside, 'utf8')).toBe('mine\n');
  });

  it('fault 14: a skill is not installed through one', async () => {
    const project = await newProject();
    fs.symlinkSync(project.outside, join(project.root, '.claude'));
    const { code, stderr } = await project.council(['skill', 'install', '--force']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('.claude is a link')]);
    expect(fs.readdirSync(project.outside)).toEqual([]);
    expect(fs.existsSync(join(project.root, '.agents'))).toBe(false);
  });

  it('fault 14: above the project it may be one', async () => {
    const project = await newProject();
    const link = join(project.outside, 'link');
    fs.symlinkSync(project.root, link);
    for (const id of ['ana', 'ben', 'cai']) addAgent(project, id);
    for (const args of [['start', 'Do we move?'], ['respond', 'ana'], ['doctor'], ['status']]) {
      const input = args[0] === 'respond' ? 'Yes.' : '';
      const run = await project.council([...args, '--root', link], { input });
      expect([args[0], run.code, run.stderr]).toEqual([args[0], 0, '']);
    }
  });
});

describe.concurrent('a first council', () => {
  const GIT_LINES = ['memory/shared/.versions/', 'memory/shared/.tmp/', 'memory/shared/.edits/'];
  const ways: Record<string, string[]> = {
    'start --root': ['start', 'Do we move?', '--agents', 'precision', '--root', '.'],
    start: ['start', 'Do we move?', '--agents', 'precision'],
    run: ['run', '--brief', 'move.md', '--panel', 'offline'],
    'agents add': ['agents', 'add', 'zoe', '--runner', 'human'],
    init: ['init', '--no-detect'],
  };

  it.each(Object.entries(ways))('fault 5: %s prepares the folder like every other way', async (_, args) => {
    const project = await newProject({ init: false });
    project.write('move.md', `# Do we move?\n\n${'We have moved before. '.repeat(5)}\n`);
    const { code } = await project.council(args);
    expect(code).toBe(0);
    expect(project.read('.gitignore').toString().split('\n')).toEqual(
      expect.arrayContaining(GIT_LINES) as never,
    );
    expect(project.read('.gitattributes').toString()).toContain('memory/shared/*.md -text');
    for (const path of ['COUNCIL.md', 'agents', 'conseils', 'memory/shared'])
      expect(fs.existsSync(join(project.root, path))).toBe(true);
  });

  it('fault 5: so do the tool server and the library', async () => {
    const served = await newProject({ init: false });
    const client = await overStdio('v2', served);
    const started = await client.call('start', { topic: 'Do we move?', agents: ['precision'] });
    await client.close();
    expect([started.isError, started.text]).toEqual([false, expect.any(String)]);
    const own = await newProject({ init: false });
    expect(initProject(own.root).warnings).toEqual([]);
    for (const project of [served, own]) {
      expect(project.read('.gitignore').toString().split('\n')).toEqual(
        expect.arrayContaining(GIT_LINES) as never,
      );
      expect(project.read('.gitattributes').toString()).toContain('memory/shared/*.md -text');
    }
  });

  it('fault 5: adds what git needs to a project that lacks it, and leaves a missing COUNCIL.md to its owner', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    fs.rmSync(join(project.root, '.gitignore'));
    fs.rmSync(join(project.root, 'COUNCIL.md'));
    await must(project, ['start', 'Do we move?']);
    expect(project.read('.gitignore').toString()).toContain(GIT_LINES[0]);
    expect(fs.existsSync(join(project.root, 'COUNCIL.md'))).toBe(false);
  });

  it('fault 5: the doctor warns where git tracks what it must not, and runs no program of the repository', async () => {
    const project = await newProject();
    await seated(project, ['ana'], { ana: 'Yes.' });
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: project.root, env: { ...project.env }, encoding: 'utf8' });
    const said = async (): Promise<string[]> =>
      (await project.council(['doctor'])).stdout
        .split('\n')
        .flatMap((line, at, all) =>
          / git {10}/.test(line) ? [line, ...(all[at + 1]!.includes('->') ? [all[at + 1]!.trim()] : [])] : [],
        );
    expect(await said()).toEqual([expect.stringMatching(/^ok .*not in a git repository/)]);
    git('init', '-q');
    expect(await said()).toEqual([expect.stringMatching(/^ok .*ignores what only/)]);
    fs.rmSync(join(project.root, '.gitignore'));
    expect((await said()).join('\n')).toMatch(
      /^warning .*does not ignore memory\/shared\/\.versions\/.*\n-> council init/,
    );
    const program = join(project.outside, 'program');
    fs.writeFileSync(program, `#!/bin/sh\ntouch ${join(project.outside, 'ran')}\n`, { mode: 0o755 });
    git('add', '-A');
    git('config', 'core.fsmonitor', program);
    await project.council(['init', '--no-detect']);
    const [warning, fix] = await said();
    expect(warning).toMatch(/^warning .*git tracks \d+ files?.*\.versions\//);
    expect(fs.existsSync(join(project.outside, 'ran'))).toBe(false);
    git('config', '--unset', 'core.fsmonitor');
    execFileSync('sh', ['-c', fix!.replace('-> ', '')], { cwd: project.root, env: { ...project.env } });
    expect(await said()).toEqual([expect.stringMatching(/^ok .*ignores what only/)]);
  });
});
