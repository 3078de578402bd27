import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project, RunOptions } from '../helpers/cli.ts';
import { answering, pathWith } from '../helpers/programs.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

interface Finding {
  level: 'ok' | 'warning' | 'error';
  check: string;
  message: string;
  fix: string | null;
}
interface Diagnosis {
  ok: boolean;
  findings: Finding[];
}

/** Runs the doctor with nothing on PATH but Node and `programs`. */
async function doctor(
  project: Project,
  args: string[] = [],
  { programs = {}, ...options }: RunOptions & { programs?: Record<string, string> } = {},
): Promise<Diagnosis & { code: number | null; of(check: string): Finding[] }> {
  const env = { PATH: pathWith(project, programs), ...options.env };
  const { code, json } = await project.council<Diagnosis>(['doctor', '--json', ...args], { ...options, env });
  for (const { level, fix } of json.findings)
    expect({ level, mended: fix !== null }).toEqual({ level, mended: level !== 'ok' });
  return { ...json, code, of: (check) => json.findings.filter((finding) => finding.check === check) };
}

describe.concurrent('the doctor', () => {
  it('finds nothing wrong with a new project, and changes nothing', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    const before = filesIn(project.root);
    const { code, ok, findings } = await doctor(project);
    expect({ code, ok, bad: findings.filter(({ level }) => level !== 'ok') }).toEqual({
      code: 0,
      ok: true,
      bad: [],
    });
    expect([...new Set(findings.map(({ check }) => check))]).toEqual(
      'node templates project config agents modes file-system git store private programs schedule'.split(' '),
    );
    expect(filesIn(project.root)).toEqual(before);
    expect(launches(project)).toEqual([]);
    const text = await project.council(['doctor'], { env: { PATH: pathWith(project), NO_COLOR: '1' } });
    expect({ code: text.code, stderr: text.stderr }).toEqual({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/^ok {7}node {9}Node \d+\./);
    expect(text.stdout).toMatch(/All is well\.\n$/);
  });

  long('works outside of a project', async () => {
    const project = await newProject({ init: false });
    const { code, of } = await doctor(project);
    expect(code).toBe(0);
    expect(of('project')).toMatchObject([{ level: 'warning', fix: 'council init' }]);
    expect(of('programs')).toMatchObject([{ level: 'warning' }]);
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  it('reports the agent programs, also one that hangs and one that fails', async () => {
    const project = await newProject();
    const programs = {
      claude: answering('2.1.0 (Claude Code)'),
      codex: 'exec /bin/sleep 60',
      gemini: 'echo broken >&2; exit 3',
    };
    const { code, of } = await doctor(project, [], { programs });
    expect(code).toBe(0);
    expect(of('programs').map(({ level, message }) => [level, message.split(' ')[0]])).toEqual([
      ['ok', 'claude'],
      ['warning', 'codex'],
      ['warning', 'gemini'],
      ['ok', 'Not'],
    ]);
    expect(of('programs').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^claude 2\.1\.0 \(/),
      expect.stringContaining('no answer within 5s'),
      expect.stringContaining('exit code 3: broken'),
      'Not on PATH: opencode, openclaw, ollama, llm',
    ]);
  });

  it('asks the agents of the project for a word with --probe', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'ready' } });
    addSpeaker(project, 'bob', { any: { exit: 4, stderr: 'no key' } });
    addSpeaker(project, 'cleo', { any: { exit: 1, say: 'Please run tool login first' } });
    addAgent(project, 'ana');
    const { code, of } = await doctor(project, ['--probe']);
    expect(code).toBe(1);
    expect(of('probe')).toEqual([
      {
        level: 'ok',
        check: 'probe',
        message: expect.stringMatching(/^ada answered in \d+ ?m?s: ready$/) as string,
        fix: null,
      },
      {
        level: 'error',
        check: 'probe',
        message: expect.stringMatching(/^bob did not answer \(.*\): exit code 4: no key$/) as string,
        fix: 'council agents check bob',
      },
      {
        level: 'error',
        check: 'probe',
        message: expect.stringMatching(
          /^cleo did not answer \(.*\): not logged in \(exit code 1\)\. It said: Please run tool login first$/,
        ) as string,
        fix: expect.stringContaining('log in with') as string,
      },
    ]);
    expect(
      launches(project)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['ada', 'bob', 'cleo']);
  });

  long('names every file that cannot be read, and goes on', async () => {
    const project = await newProject();
    addAgent(project, 'fine');
    project.write('COUNCIL.md', '---\nconcurrency: many\n---\n');
    project.write('agents/broken.md', '---\nname: [\n---\n');
    project.write('agents/latin.md', Buffer.from([0x2d, 0xe9, 0x0a]));
    project.write('agents/lost.md', '---\ncouncil: { command: [no-such-program] }\n---\n');
    project.write('agents/absent.md', '---\ncouncil: { runner: gemini }\n---\n');
    project.write('modes/mine.md', 'no mode\n');
    const pipes = ['agents/pipe.md', 'modes/pipe.md'].map((name) => join(project.root, name));
    execFileSync('mkfifo', pipes);
    const { code, of } = await doctor(project);
    expect(code).toBe(1);
    expect(of('config')).toMatchObject([
      { level: 'error', message: expect.stringContaining('concurrency') as string },
    ]);
    const agents = of('agents').map(({ level, message }) => `${level} ${message}`);
    for (const pattern of [
      /error .*broken\.md/,
      /error .*latin\.md/,
      /error lost: .*no-such-program/,
      /error absent: The program "gemini" cannot be launched.*npm install/,
    ])
      expect(agents).toContainEqual(expect.stringMatching(pattern));
    expect(of('modes').map(({ level, message }) => `${level} ${message}`)).toEqual([
      expect.stringMatching(/error .*mine\.md/),
      expect.stringMatching(/error .*pipe\.md/),
    ]);
    // No editor opens a pipe.
    const ofPipes = [...of('agents'), ...of('modes')].filter(({ message }) => message.includes('pipe.md'));
    expect(ofPipes.map(({ fix }) => fix)).toEqual(
      pipes.map(() => expect.not.stringContaining('Edit') as string),
    );
    expect(of('store')).toMatchObject([{ level: 'ok' }]);
  });

  long('says so when settings name somebody who is not there', async () => {
    const project = await newProject();
    project.write('COUNCIL.md', '---\nagents: [nobody]\nmode: nothing\n---\n');
    const { of } = await doctor(project);
    expect(of('config').map(({ level, fix }) => [level, fix])).toEqual([
      ['error', 'council agents add nobody'],
      ['error', 'council modes'],
    ]);
  });

  it('finds what an accident left in the store, before anything mends it', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'First', '--name', 'one']);
    await project.council(['start', 'Second', '--name', 'two']);
    const shared = join(project.root, 'memory/shared');
    fs.appendFileSync(join(shared, 'council-one.md'), 'by hand\n');
    fs.rmSync(join(shared, 'council-two.md'));
    const first = await doctor(project);
    expect(first.code).toBe(0);
    expect(first.of('store').map(({ level, fix }) => [level, fix])).toEqual([
      ['warning', 'council adopt --name one (takes it) or council restore --name one (drops it)'],
      ['warning', 'council status --name two'],
    ]);
    expect(first.of('schedule')).toMatchObject([{ level: 'warning' }]);
    expect((await doctor(project)).of('store')).toEqual(first.of('store'));
    await project.council(['status']);
    await project.council(['restore', '--name', 'one']);
    expect((await doctor(project)).of('store')).toMatchObject([{ level: 'ok' }]);
  });

  long('finds a store that cannot be written', async () => {
    const project = await newProject();
    const shared = join(project.root, 'memory/shared');
    fs.rmSync(join(shared, '.tmp'), { recursive: true, force: true });
    fs.writeFileSync(join(shared, '.tmp'), 'a file where a folder belongs');
    fs.writeFileSync(join(shared, '.versions'), 'here too');
    const { code, of } = await doctor(project);
    expect(code).toBe(1);
    expect(of('store')).toMatchObject([
      { level: 'error', message: expect.stringContaining('ENOTDIR') as string },
    ]);
    expect(of('file-system')).toMatchObject([{ level: 'error' }]);
  });

  it('finds a private folder that others can enter, and one inside the project', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Secret']);
    await project.council(['respond', 'ana'], { input: 'mine' });
    expect((await doctor(project)).of('private')).toMatchObject([{ level: 'ok' }]);
    fs.chmodSync(project.privateDir, 0o755);
    const open = await doctor(project);
    expect({ code: open.code, found: open.of('private') }).toMatchObject({
      code: 1,
      found: [{ level: 'error', fix: `chmod 700 ${project.privateDir}` }],
    });
    const inside = await doctor(project, [], { env: { XDG_STATE_HOME: project.root } });
    expect(inside.of('private')).toMatchObject([
      { level: 'error', fix: expect.stringContaining('XDG_STATE_HOME') as string },
    ]);
  });

  long('knows what install has written', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Scheduled']);
    const table = join(project.outside, 'crontab');
    const programs = {
      crontab: `if [ "$1" = -l ]; then /bin/cat '${table}'; else /bin/cat > '${table}'; fi`,
    };
    fs.writeFileSync(table, '');
    await project.council(['install'], { env: { PATH: pathWith(project, programs) } });
    expect((await doctor(project, [], { programs })).of('schedule')).toMatchObject([
      { level: 'ok', message: 'cron calls tick: */5 * * * *' },
    ]);
  });
});
