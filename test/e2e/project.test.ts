import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, projectIn } from '../helpers/cli.ts';
import type { Failed, Started, State, Status, Ticked, Viewed } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { pathWith } from '../helpers/programs.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

describe.concurrent('the project', () => {
  it('is prepared by init, which can be run again and overwrites nothing', async () => {
    const project = await newProject({ init: false });
    const env = { PATH: pathWith(project) };
    const first = await project.council<{ root: string; created: string[] }>(['init', '--json'], { env });
    expect(first.json).toEqual({
      root: project.root,
      created: ['memory/shared/', 'conseils/', 'agents/', 'COUNCIL.md', '.gitattributes', '.gitignore'],
      agents: [],
      notSeated: [],
    });
    project.write('COUNCIL.md', 'my own rules');
    fs.appendFileSync(join(project.root, '.gitignore'), 'mine\n');
    const second = await project.council<{ created: string[] }>(['init', '--json'], { env });
    expect({ code: second.code, created: second.json.created }).toEqual({ code: 0, created: [] });
    expect(project.read('COUNCIL.md').toString()).toBe('my own rules');
    expect(project.read('.gitignore').toString()).toMatch(/\.versions\/[\s\S]*mine\n$/);
    expect(project.read('.gitattributes').toString()).toContain('conseils/*.md -text');
  });

  it('is found from a folder below, by --root and by COUNCIL_ROOT, in this order', async () => {
    const project = await newProject();
    const other = await newProject();
    for (const [at, topic] of [
      [project, 'Here'],
      [other, 'There'],
    ] as const) {
      addAgent(at, 'ana');
      await at.council(['start', topic]);
    }
    const below = join(project.root, 'a/b/c');
    fs.mkdirSync(below, { recursive: true });
    const topics = async (args: string[], options: Parameters<typeof project.council>[1]) =>
      (await project.council<Status>(['status', '--json', ...args], options)).json.councils.map(
        (c) => c.topic,
      );
    expect(await topics([], { cwd: below })).toEqual(['Here']);
    expect(await topics([], { cwd: below, env: { COUNCIL_ROOT: other.root } })).toEqual(['There']);
    expect(await topics(['--root', '../..'], { cwd: below, env: { COUNCIL_ROOT: '' } })).toEqual([]);
    expect(
      await topics(['--root', project.root], { cwd: other.root, env: { COUNCIL_ROOT: other.root } }),
    ).toEqual(['Here']);
    expect(await topics([], { cwd: project.outside, env: { COUNCIL_ROOT: '../project' } })).toEqual(['Here']);
    const nowhere = await project.council(['status', '--json'], {
      env: { COUNCIL_ROOT: '/nonexistent/folder' },
    });
    expect(nowhere).toMatchObject({ code: 2, json: { error: { code: 'no_project' } } });
    const fromBelow = await project.council(['respond', 'ana', '--file', 'text.md', '--json'], {
      cwd: below,
    });
    expect(fromBelow.code).toBe(2);
    fs.writeFileSync(join(below, 'text.md'), 'found beside me');
    expect((await project.council(['respond', 'ana', '--file', 'text.md'], { cwd: below })).code).toBe(0);
  });

  it('is prepared by start and run where there is none', async () => {
    const started = await newProject({ init: false });
    addAgent(started, 'ana');
    const { code, stderr, json } = await started.council<Started>(['start', 'From nothing', '--json']);
    expect({ code, path: json.path }).toEqual({
      code: 0,
      path: join(started.root, 'memory/shared/council-active-conversation.md'),
    });
    expect(stderr).toContain(`Prepared this folder for councils`);
    expect(fs.existsSync(join(started.root, 'COUNCIL.md'))).toBe(true);
    const ran = await newProject({ init: false });
    addSpeaker(ran, 'ada');
    expect((await ran.council(['run', 'From nothing', '--mode', 'synthesis', '--trust'])).code).toBe(0);
    expect(fs.readdirSync(join(ran.root, 'conseils'))).toHaveLength(1);
  });

  it('is not prepared by a question that is refused', async () => {
    const project = await newProject({ init: false });
    const refused = [
      ['usage', 'start'],
      ['usage', 'run'],
      ['usage', 'run', '--resume'],
      ['usage', 'start', 'x', '--panel', 'online'],
      ['usage', 'run', '--brief', 'nowhere.md'],
      ['usage', 'run', 'x', '--rule', 'none-of-these'],
      ['invalid_id', 'run', 'x', '--name', 'Not a name'],
      ['invalid_config', 'start', 'x', '--timeout', 'soon'],
      ['unknown_agent', 'start', 'x', '--agents', 'nobody-of-that-name'],
    ];
    await Promise.all(
      refused.map(async ([error, ...args]) => {
        const { code, json } = await project.council<Failed>([...args, '--json']);
        expect({ args, code, error: json.error.code }).toEqual({ args, code: 2, error });
      }),
    );
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  long('is not prepared where COUNCIL.md cannot be used', async () => {
    const project = await newProject({ init: false });
    project.write('COUNCIL.md', '---\ntimeout: soon\n---\nBe brief.\n');
    for (const args of [
      ['start', 'Which one?', '--agents', 'ada'],
      ['run', 'Which one?', '--agents', 'ada'],
      ['agents', 'add', 'ada', '--runner', 'human'],
    ]) {
      const refused = await project.council(args);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain('COUNCIL.md');
      expect(refused.stderr).not.toContain('Prepared');
      expect(fs.readdirSync(project.root)).toEqual(['COUNCIL.md']);
    }
  });

  it('goes on with the only active council, whatever its name', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    const none = await project.council<Failed>(['run', '--resume', '--json']);
    expect(none).toMatchObject({ code: 2, json: { error: { code: 'unknown_council' } } });
    await project.council(['start', 'Elsewhere', '--name', 'other', '--mode', 'synthesis']);
    expect((await project.council(['run', '--resume'])).code).toBe(0);
    expect(fs.readdirSync(join(project.root, 'conseils'))).toHaveLength(1);
  });

  long(
    'takes --json and --root also before the command, and leaves those of other programs alone',
    async () => {
      const project = await newProject();
      const other = await newProject();
      addAgent(project, 'ana');
      await project.council(['start', 'Here']);
      const topics = async (args: string[]) =>
        (await other.council<Status>(args)).json.councils.map(({ topic }) => topic);
      expect(await topics(['--json', 'status'])).toEqual([]);
      expect(await topics(['--json', '--root', project.root, 'status'])).toEqual(['Here']);
      expect(await topics([`--root=${project.root}`, 'status', '--json'])).toEqual(['Here']);
      expect((await other.council<Failed>(['--json', 'nope'])).json.error.code).toBe('usage');
      const added = await project.council(['agents', 'add', 'bob', '--', 'program', '--json']);
      expect(added.stdout).toMatch(/^Added bob/);
      expect(project.read('agents/bob.md').toString()).toContain('--json');
    },
  );

  long('takes flags before the environment before COUNCIL.md before the defaults', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob', 'maman', 'papa']) addAgent(project, id);
    const start = async (
      name: string,
      args: string[] = [],
      env: Record<string, string> = {},
    ): Promise<State> => {
      await project.council(['start', 'x', '--name', name, ...args], { env });
      return (await project.council<Status>(['status', '--name', name, '--json'])).json.councils[0]!;
    };
    const facts = ({ mode, coordinator, participants, timeoutAt, createdAt, lang }: State) => ({
      mode,
      coordinator,
      who: Object.keys(participants),
      minutes: (Date.parse(timeoutAt) - Date.parse(createdAt)) / 60_000,
      lang,
    });
    expect(facts(await start('defaults'))).toEqual({
      mode: 'debate',
      coordinator: null,
      who: ['ana', 'bob', 'maman', 'papa'],
      minutes: 60,
      lang: 'en',
    });
    project.write(
      'COUNCIL.md',
      '---\nmode: prd\ncoordinator: maman\nagents: [ana, maman]\ntimeout: 10m\nlang: fr\n---\nThe rules of this house.\n',
    );
    const fromFile = { mode: 'prd', coordinator: 'maman', who: ['ana'], minutes: 10, lang: 'fr' };
    expect(facts(await start('file'))).toEqual(fromFile);
    const env = {
      COUNCIL_MODE: 'analysis',
      COUNCIL_COORDINATOR: 'papa',
      COUNCIL_AGENTS: 'ana,bob',
      COUNCIL_TIMEOUT: '20m',
      COUNCIL_LANG: 'en',
    };
    expect(facts(await start('environment', [], env))).toEqual({
      mode: 'analysis',
      coordinator: 'papa',
      who: ['ana', 'bob'],
      minutes: 20,
      lang: 'en',
    });
    const flags = [
      '--mode',
      'review',
      '--coordinator',
      'bob',
      '--agents',
      'maman,papa',
      '--timeout',
      '30m',
      '--lang',
      'fr',
    ];
    expect(facts(await start('flags', flags, env))).toEqual({
      mode: 'review',
      coordinator: 'bob',
      who: ['maman', 'papa'],
      minutes: 30,
      lang: 'fr',
    });
    expect(facts(await start('nobody', ['--coordinator', '']))).toEqual({
      ...fromFile,
      coordinator: null,
      who: ['ana', 'maman'],
    });
    expect(
      (await project.council<Viewed>(['view', 'ana', '--name', 'file', '--json'])).json.prompt,
    ).toContain('The rules of this house.');
  });

  it('goes on in a fresh clone, where there is no history', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    const { json: opened } = await project.council<Started>(['start', 'Cloned', '--open', '--json']);
    await project.council(['respond', 'ana'], { input: 'said before\r\nthe clone' });
    const git = (cwd: string, ...args: string[]) => {
      const { status, stderr } = spawnSync(
        'git',
        ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'core.autocrlf=true', ...args],
        { cwd, env: project.env, encoding: 'utf8' },
      );
      expect({ args, status, stderr: status === 0 ? '' : stderr }).toEqual({ args, status: 0, stderr: '' });
    };
    git(project.root, 'init', '-q');
    git(project.root, 'add', '-A');
    git(project.root, 'commit', '-qm', 'state');
    git(project.outside, 'clone', '-q', project.root, 'clone');
    const clone = projectIn(join(project.outside, 'elsewhere'), join(project.outside, 'clone'));
    expect(fs.existsSync(join(clone.root, 'memory/shared/.versions'))).toBe(false);
    const [state] = (await clone.council<Status>(['status', '--json'])).json.councils;
    expect(state).toMatchObject({ conversationId: opened.conversationId, revision: 2, edited: false });
    expect(await clone.council(['respond', 'bob', '--json'], { input: 'said in the clone' })).toMatchObject({
      code: 0,
      json: { accepted: true, revision: 3 },
    });
    await clone.council(['excuse', 'ana', '--why', 'gone']);
    await clone.council(['tick', '--no-launch']);
    const { json } = await clone.council<{ archive: string }>(['cancel', '--why', 'enough', '--json']);
    const archive = await exported(clone, json.archive);
    expect(archive.contributions.map((c) => c.sha256)).toEqual([
      hash('said before\r\nthe clone'),
      hash('said in the clone'),
    ]);
    expect((await project.council<Ticked>(['tick', '--no-launch', '--json'])).json.councils[0]).toMatchObject(
      { to: 'COLLECT' },
    );
  });
});
