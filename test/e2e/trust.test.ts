import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, newProject, projectIn, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Status, Ticked } from '../helpers/documents.ts';
import { HAS_TERMINAL, stateOf } from '../helpers/look.ts';
import { overStdio } from '../helpers/mcp.ts';
import { answering, pathWith } from '../helpers/programs.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import { openTurn } from '../helpers/in-turn.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

interface Told {
  key: string;
  news: string;
  runs: string;
}
interface TrustList {
  project: { prepared: boolean } | null;
  items: { key: string; state: string }[];
  gone: { key: string }[];
}

/** The file that a notify command leaves behind: outside of the project, and there once something was run. */
const noticed = (project: Project): string => join(project.outside, 'noticed');

/** Has COUNCIL.md name a command that is told what happens. */
function addNotify(project: Project): void {
  const program = `require('node:fs').appendFileSync(${JSON.stringify(noticed(project))}, 'x')`;
  project.write('COUNCIL.md', `---\nnotify: ${JSON.stringify([process.execPath, '-e', program])}\n---\n`);
}

/** The project as somebody else gets it: cloned by git, under a user who has never seen it. */
function cloned(project: Project): Project {
  const git = (cwd: string, ...args: string[]): void => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd,
      env: project.env,
      encoding: 'utf8',
    });
    expect({ args, status, stderr: status === 0 ? '' : stderr }).toEqual({ args, status: 0, stderr: '' });
  };
  git(project.root, 'init', '-q');
  git(project.root, 'add', '-A');
  git(project.root, 'commit', '-qm', 'all of it');
  git(project.outside, 'clone', '-q', project.root, 'clone');
  const clone = projectIn(join(project.outside, 'somebody'), join(project.outside, 'clone'));
  fs.mkdirSync(clone.env.HOME!, { recursive: true });
  // Where a database keeps the project, somebody else works on it as well.
  clone.env.COUNCIL_DATABASE_URL = project.env.COUNCIL_DATABASE_URL;
  return clone;
}

/** A clone with an agent, a notify command and an active council that waits for the agent. */
async function hostile(): Promise<{ clone: Project; ran: () => string[] }> {
  const project = await newProject();
  addSpeaker(project, 'ada');
  addNotify(project);
  const started = await project.council(['start', 'Go?', '--mode', 'synthesis', '--open']);
  expect(started.code).toBe(0);
  const clone = cloned(project);
  fs.rmSync(noticed(project));
  return {
    clone,
    ran: () => [
      ...launches(project).map(({ id }) => id),
      ...(fs.existsSync(noticed(project)) ? ['notify'] : []),
    ],
  };
}

describe.concurrent('a project from elsewhere', () => {
  it('fault 15: runs nothing at any command before its owner has said so', async () => {
    const { clone, ran } = await hostile();
    const tick = await clone.council<Ticked>(['tick', '--json']);
    expect(tick.json.councils[0]).toMatchObject({
      launched: [],
      failed: [{ id: 'ada', kind: 'untrusted' }],
    });
    expect(tick.stderr).toMatch(/ada is waiting for trust .*council trust/);
    for (const args of [
      ['tick', '--until-idle'],
      ['run', '--resume'],
      ['run', 'Mine?', '--name', 'mine'],
      ['start', 'Mine?', '--name', 'mine'],
      ['start', 'Mine?', '--name', 'mine', '--agents', 'precision'],
      ['doctor', '--probe'],
      ['agents', 'check'],
      ['init'],
      ['trust'],
      ['trust', '--list'],
      ['extend', '1h'],
    ])
      await clone.council(args);
    expect((await clone.council(['cancel', '--why', 'enough'])).code).toBe(0);
    expect(ran()).toEqual([]);
  });

  it('fault 15: runs nothing under a heartbeat, which says once what waits', async () => {
    const { clone, ran } = await hostile();
    const beat = clone.launch(['heartbeat']);
    await until('the heartbeat has ticked', () => beat.output().includes('waiting for trust'));
    beat.child.kill('SIGTERM');
    await beat.ended;
    expect(beat.output().match(/waiting for trust/g)).toHaveLength(1);
    expect(ran()).toEqual([]);
  });

  it('fault 15: tells what waits, and refuses with exit 1 where nobody can be asked', async () => {
    const { clone } = await hostile();
    const refused = await clone.council<{ error: Failed['error'] & { untrusted: Told[] } }>([
      'run',
      '--resume',
      '--json',
    ]);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'untrusted' } } });
    expect(refused.json.error.untrusted.map(({ key, news }) => [key, news])).toEqual([
      ['agent:ada', 'new'],
      ['notify', 'new'],
    ]);
    const inWords = await clone.council(['start', 'Mine?', '--name', 'mine']);
    expect(inWords.code).toBe(1);
    expect(inWords.stderr).toMatch(/new +ada: .*speak\.\w+.*agents\/ada\.md/);
    expect(inWords.stderr).toMatch(/new +the notify command: .*whole environment/);
    expect(inWords.stderr).toContain('council trust --yes');
    expect((await clone.council<Status>(['status', '--json'])).json.councils).toHaveLength(1);
    const status = await clone.council<{ councils: { waitingForTrust: Told[] }[] }>(['status', '--json']);
    expect(status.json.councils[0]!.waitingForTrust.map(({ key }) => key)).toEqual(['agent:ada', 'notify']);
    expect((await clone.council(['status'])).stdout).toContain(
      'Waiting for trust: ada, the notify command (council trust)',
    );
    expect((await clone.council(['doctor'])).stdout).toMatch(/trust +Waiting for trust .*ada \(new\)/);
  });

  it('fault 15: runs once it is trusted, with council trust --yes or --trust, until that is revoked', async () => {
    const { clone, ran } = await hostile();
    expect((await clone.council(['trust'])).code).toBe(1);
    const said = await clone.council<{ trusted: Told[] }>(['trust', '--yes', '--json']);
    expect(said.json.trusted.map(({ key }) => key)).toEqual(['agent:ada', 'notify']);
    const listed = async () => (await clone.council<TrustList>(['trust', '--list', '--json'])).json;
    expect(await listed()).toMatchObject({
      project: { prepared: false },
      items: [
        { key: 'agent:ada', state: 'trusted' },
        { key: 'notify', state: 'trusted' },
      ],
    });
    expect((await clone.council<{ trusted: Told[] }>(['trust', '--json'])).json.trusted).toEqual([]);
    expect((await clone.council(['tick', '--until-idle'])).code).toBe(0);
    expect(ran()).toEqual(['ada', 'notify']);
    expect((await clone.council(['trust', '--revoke'])).code).toBe(0);
    expect(await listed()).toMatchObject({ project: null, items: [{ state: 'new' }, { state: 'new' }] });
    expect((await clone.council(['start', 'Again?'])).code).toBe(1);
    expect((await clone.council(['run', 'Again?', '--mode', 'synthesis', '--trust'])).code).toBe(0);
    expect(ran()).toEqual(['ada', 'ada', 'notify']);
    expect((await clone.council(['trust', '--yes', '--revoke'])).code).toBe(2);
  });

  long('fault 15: closes its phases all the same', async () => {
    const { clone, ran } = await hostile();
    addAgent(clone, 'ana');
    await clone.council(['excuse', 'ada', '--why', 'not trusted']);
    expect((await clone.council<Ticked>(['tick', '--until-idle', '--json'])).json.councils[0]).toMatchObject({
      archive: expect.stringMatching(/^conseils\//) as string,
    });
    expect(ran()).toEqual([]);
  });

  long('fault 15: is asked about when it was moved, copied, or another was put in its place', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    await project.council(['start', 'Go?']);
    const copy = projectIn(join(project.root, '..'), join(project.outside, 'copy'));
    fs.cpSync(project.root, copy.root, { recursive: true });
    copy.env.COUNCIL_DATABASE_URL = project.env.COUNCIL_DATABASE_URL;
    const waits = async (at: Project): Promise<boolean> =>
      (await at.council(['tick'])).stderr.includes('trust');
    expect(await waits(copy)).toBe(true);
    fs.rmSync(project.root, { recursive: true });
    fs.renameSync(copy.root, project.root);
    expect(await waits(project)).toBe(true);
    expect(launches(project)).toEqual([]);
  });

  long("fault 15: is a clone that leaves council's own files out, too", async () => {
    const bare = await newProject({ init: false });
    addSpeaker(bare, 'ada');
    const clone = cloned(bare);
    for (const args of [
      ['start', 'Go?'],
      ['run', 'Go?'],
    ])
      expect(await clone.council([...args, '--json'])).toMatchObject({
        code: 1,
        json: { error: { code: 'untrusted' } },
      });
    await clone.council(['init', '--no-detect']);
    expect((await clone.council(['run', 'Go?'])).code).toBe(1);
    expect(launches(bare)).toEqual([]);
  });

  long('fault 15: does not get a program of its own run by the search for agent programs', async () => {
    const { clone } = await hostile();
    fs.rmSync(join(clone.root, 'agents'), { recursive: true });
    const ran = join(clone.root, '..', 'ran');
    for (const folder of ['.', 'node_modules/.bin'])
      clone.write(join(folder, 'claude'), `#!/bin/sh\necho x >> '${ran}'\necho 2.1.0\n`);
    for (const folder of ['.', 'node_modules/.bin']) fs.chmodSync(join(clone.root, folder, 'claude'), 0o755);
    fs.mkdirSync(clone.outside, { recursive: true });
    const node = pathWith(clone);
    for (const PATH of [`.:${node}`, `:${node}`, `${clone.root}/node_modules/.bin:${node}`])
      for (const args of [['init'], ['doctor'], ['run', 'Go?', '--timeout', '1s', '--name', 'x']]) {
        const { stdout, stderr } = await clone.council(args, { env: { PATH } });
        expect(`${stdout}${stderr}`).toContain('it lies in the project');
      }
    expect(fs.existsSync(ran)).toBe(false);
  });

  long(
    "fault 15: lets council's own programs work at once, and the user's own agents when it is trusted",
    async () => {
      const { clone, ran } = await hostile();
      clone.write('COUNCIL.md', 'rules\n');
      const brief = clone.write(
        'brief.md',
        '# Which?\n\nThe blue one costs 3 EUR, the red one costs 4 EUR and lasts longer.\n',
      );
      const panel = ['run', '--panel', 'offline', '--brief', brief, '--name', 'panel'];
      expect(await clone.council(panel)).toMatchObject({ code: 0 });
      const home = join(clone.env.HOME!, '.claude/agents');
      fs.mkdirSync(home, { recursive: true });
      const mine = `---\nname: mine\ncouncil: { command: [/bin/echo, mine] }\n---\n`;
      fs.writeFileSync(join(home, 'mine.md'), mine);
      const start = ['start', 'Mine?', '--agents', 'mine', '--name', 'own', '--mode', 'synthesis'];
      const refused = await clone.council(start);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('your own') as string });
      expect((await clone.council([...start, '--trust'])).code).toBe(0);
      const { json } = await clone.council<Ticked>(['tick', '--name', 'own', '--json']);
      expect(json.councils[0]).toMatchObject({ launched: ['mine'] });
      expect(ran()).toEqual([]);
    },
  );
});

describe.concurrent("a project of one's own", () => {
  long('fault 15: trusts what is seated there by hand, as it stands then, without a question', async () => {
    const inited = await newProject();
    addSpeaker(inited, 'ada');
    expect((await inited.council(['run', 'Go?', '--mode', 'synthesis'])).code).toBe(0);
    addSpeaker(inited, 'bob');
    expect((await inited.council(['start', 'Go?'])).code).toBe(0);
    expect((await inited.council<Ticked>(['tick', '--json'])).json.councils[0]!.launched).toHaveLength(2);

    const fresh = await newProject({ init: false });
    await fresh.council(['start', 'Go?', '--agents', 'precision', '--name', 'first']);
    addSpeaker(fresh, 'ada');
    expect((await fresh.council(['run', 'Go?', '--mode', 'synthesis'])).code).toBe(0);

    const added = await newProject({ init: false });
    await added.council(['agents', 'add', 'echo', '--', '/bin/echo', 'hi']);
    expect((await added.council<TrustList>(['trust', '--list', '--json'])).json).toMatchObject({
      project: { prepared: true },
      items: [{ key: 'agent:echo', state: 'trusted' }],
    });
  });

  it('fault 15: asks again at a tick when a command, its variables or the notify command changed', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    addNotify(project);
    await project.council(['start', 'Go?', '--open']);
    fs.rmSync(noticed(project));
    const asItWas = project.read('agents/ada.md').toString();
    addSpeaker(project, 'ada', {}, { env: ['SECRET'] });
    const tick = await project.council(['tick']);
    expect(tick.stdout).toContain('waiting for trust: ada');
    expect((await project.council(['doctor'])).stdout).toContain('ada (changed)');
    addSpeaker(project, 'ada', {}, { command: ['/bin/sh', '-c', 'echo other'] });
    expect((await project.council(['tick'])).stdout).toContain('waiting for trust: ada');
    expect(launches(project)).toEqual([]);
    project.write('agents/ada.md', `${asItWas}\nAnd be brief.\n`);
    project.write('COUNCIL.md', '---\nnotify: [/bin/sh, -c, "echo > noticed"]\n---\n');
    const closing = await project.council(['tick', '--until-idle']);
    expect(launches(project).length).toBeGreaterThan(0);
    expect(closing.stderr).toContain('the notify command is waiting for trust (/bin/sh -c "echo > noticed")');
    expect(fs.existsSync(join(project.root, 'noticed'))).toBe(false);
  });

  long('fault 15: is not what somebody decides who sits at a council', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    const env = openTurn(project, 'ana');
    for (const args of [
      ['start', 'Go?'],
      ['run', 'Go?', '--trust'],
    ])
      expect(await project.council([...args, '--json'], { env })).toMatchObject({
        code: 1,
        json: { error: { code: 'forbidden' } },
      });
    expect((await project.council(['trust', '--yes', '--json'], { env })).json).toMatchObject({
      error: { code: 'forbidden' },
    });
    const client = await overStdio('v1', project, env);
    const started = await client.call<Failed>('start', { topic: 'Go?', agents: ['ada'] });
    expect(started).toMatchObject({ isError: true, json: { error: { code: 'forbidden' } } });
    const trusting = await client.call<Failed>('start', { topic: 'Go?', agents: ['ada'], trust: true });
    expect(trusting).toMatchObject({ isError: true, json: { error: { code: 'usage' } } });
    await client.close();
    expect((await project.council(['agents', 'add', 'echo', '--', '/bin/echo'], { env })).code).toBe(1);
    expect((await project.council<TrustList>(['trust', '--list', '--json'])).json.items).toMatchObject([
      { key: 'agent:ada', state: 'new' },
    ]);
    expect(launches(project)).toEqual([]);
  });

  long('fault 15: seats the programs that init has found', async () => {
    const project = await newProject({ init: false });
    const env = { PATH: pathWith(project, { llm: answering('0.27.1') }) };
    await project.council(['init'], { env });
    expect((await project.council<TrustList>(['trust', '--list', '--json'])).json.items).toEqual([
      expect.objectContaining({ key: 'agent:llm', state: 'trusted' }),
    ]);
  });
});

/** Whether `run` refuses here because nobody has trusted what it would run; it must have run nothing then. */
async function refuses(project: Project, ...flags: string[]): Promise<boolean> {
  const before = launches(project).length;
  const args = ['run', 'Go?', '--mode', 'synthesis', '--name', 'asked', '--json', ...flags];
  const { code, json } = await project.council<Failed>(args);
  const isRefused = code === 1 && json.error.code === 'untrusted';
  if (isRefused) expect(launches(project)).toHaveLength(before);
  return isRefused;
}

/** What a user does whose git fetches from somebody else: settings that say so, in every spelling. */
const REMOTES: Record<string, string> = {
  'config: a remote': '[remote "origin"]\n\turl = x\n',
  'config: in another case': '[core]\n\tbare = false\n[Remote "x"]\n\turl = x\n',
  'config: in the old form': '[remote.x]\n\turl = x\n',
  'config: after another section': '[core] [remote "x"] url = x\n',
  'config: in another file': '[include]\n\tpath = more\n',
  'config: in another file, by a condition': '[includeIf "gitdir:/"]\n\tpath = more\n',
  'config: of a branch': '[branch "main"]\n\tremote = /some/where\n',
  'config.worktree: of this work tree': '[remote "x"]\n\turl = x\n',
  'FETCH_HEAD: a pull from no remote': '',
  'remotes/x: a file of its own': 'URL: x\n',
};

describe.concurrent("a folder that only looks like one's own", () => {
  long('fault 15: has its agents asked about that were there before it was prepared', async () => {
    for (const prepare of [
      [],
      ['init', '--no-detect'],
      ['start', 'First?', '--name', 'first', '--agents', 'precision'],
    ]) {
      const project = await newProject({ init: false });
      addSpeaker(project, 'ada');
      if (prepare.length > 0) expect((await project.council(prepare)).code).toBe(0);
      expect({ prepare, refused: await refuses(project) }).toEqual({ prepare, refused: true });
      expect(await refuses(project, '--trust')).toBe(false);
    }
  });

  long('fault 15: is none that held a link, a hidden agent or COUNCIL.md when it was prepared', async () => {
    const linked = await newProject({ init: false });
    fs.mkdirSync(join(linked.root, 'agents'));
    fs.symlinkSync('../later.md', join(linked.root, 'agents/ada.md'));
    const folder = await newProject({ init: false });
    fs.mkdirSync(join(folder.root, 'later'));
    fs.mkdirSync(join(folder.root, '.opencode'));
    fs.symlinkSync('../later', join(folder.root, '.opencode/agent'));
    const hidden = await newProject({ init: false });
    addSpeaker(hidden, 'ada');
    fs.mkdirSync(join(hidden.root, '.opencode'));
    fs.renameSync(join(hidden.root, 'agents'), join(hidden.root, '.opencode/agents'));
    addAgent(hidden, 'ada');
    const settings = await newProject({ init: false });
    fs.symlinkSync('later.md', join(settings.root, 'COUNCIL.md'));
    for (const project of [linked, folder, hidden, settings])
      expect((await project.council(['init', '--no-detect'])).code).toBe(0);

    addSpeaker(settings, 'ada');
    settings.write('later.md', 'rules\n');
    // Through the link.
    addSpeaker(linked, 'ada');
    expect(fs.existsSync(join(linked.root, 'later.md'))).toBe(true);
    addSpeaker(folder, 'ada');
    fs.renameSync(join(folder.root, 'agents/ada.md'), join(folder.root, 'later/ada.md'));
    fs.rmSync(join(hidden.root, 'agents/ada.md'));
    for (const project of [linked, folder, hidden, settings])
      expect(await refuses(project, '--agents', 'ada')).toBe(true);
  });

  long('fault 15: is asked about what a git remote may have brought since', async () => {
    const origin = await newProject({ init: false });
    origin.write('README.md', 'Nothing to run.\n');
    const clone = cloned(origin);
    expect((await clone.council(['init', '--no-detect'])).code).toBe(0);
    const git = (cwd: string, ...args: string[]): unknown =>
      spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, env: clone.env });
    addSpeaker(origin, 'ada');
    git(origin.root, 'add', '-A');
    git(origin.root, 'commit', '-qm', 'ada');
    git(clone.root, 'pull', '-q');
    expect(fs.existsSync(join(clone.root, 'agents/ada.md'))).toBe(true);
    expect(await refuses(clone)).toBe(true);
    expect((await clone.council(['doctor', '--probe'])).stdout).toContain('ada (new)');
    expect(launches(origin)).toEqual([]);
    expect((await clone.council(['trust', '--list'])).stdout).toContain('it has a git remote');
    // What council writes there for its user is trusted, and not what it becomes afterwards.
    await clone.council(['agents', 'add', 'echo', '--', '/bin/echo', 'hi']);
    expect(await refuses(clone, '--agents', 'echo')).toBe(false);
    const file = clone.read('agents/echo.md').toString();
    clone.write('agents/echo.md', file.replace('/bin/echo', '/bin/false'));
    expect(await refuses(clone, '--agents', 'echo')).toBe(true);
  });

  long('fault 15: has a git remote in whatever spelling its settings have it', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    const inGit = (name: string): string => join('.git', name.split(':')[0]!);
    expect(spawnSync('git', ['init', '-q'], { cwd: project.root, env: project.env }).status).toBe(0);
    const before = project.read('.git/config');
    for (const [name, text] of Object.entries(REMOTES)) {
      project.write(inGit(name), text);
      expect({ name, refused: await refuses(project) }).toEqual({ name, refused: true });
      fs.rmSync(join(project.root, inGit(name)));
      project.write('.git/config', before);
    }
    expect(await refuses(project)).toBe(false);
  });

  it('fault 15: is not made by an agent inside its turn', async () => {
    for (const args of [
      ['init', '--no-detect'],
      ['start', 'Mine?', '--agents', 'precision'],
    ]) {
      const project = await newProject({ init: false });
      await project.council(args, { env: openTurn(project, 'ana') });
      addSpeaker(project, 'ada');
      expect({ args, refused: await refuses(project) }).toEqual({ args, refused: true });
    }
  });

  long(
    'fault 15: is told what waits there when somebody is added, and how to trust without a terminal',
    async () => {
      const { clone } = await hostile();
      const added = await clone.council(['agents', 'add', 'eve', '--', '/bin/echo']);
      expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('Added eve') as string });
      expect(added.stderr).toMatch(/Not run before it is trusted: eve\. .*council trust/);
      const { code, stderr } = await clone.council(['trust']);
      expect(code).toBe(1);
      expect(stderr).toMatch(/no terminal.*council trust --yes/);
      expect(stderr).not.toContain('it asks');
    },
  );
});

/** Runs a command on a terminal of its own, and types `answer` when it asks. */
async function asked(
  project: Project,
  args: string[],
  answer: string,
): Promise<{ code: number | null; screen: string }> {
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: project.root, env: project.env });
  let screen = '';
  let isAnswered = false;
  child.stdout.on('data', (bytes: Buffer) => {
    screen += bytes.toString();
    if (isAnswered || !/Trust this\? \[y\/N\]|Approuver \? \[o\/N\]/.test(screen)) return;
    isAnswered = true;
    child.stdin.write(answer);
  });
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return { code, screen };
}

describe.runIf(HAS_TERMINAL).concurrent('on a terminal', () => {
  it('fault 15: asks once, with the list of what would run', async () => {
    const { clone, ran } = await hostile();
    const no = await asked(clone, ['run', '--resume'], '\n');
    expect(no.code).toBe(1);
    expect(no.screen).toMatch(/new +ada: .*speak\.\w+/);
    expect(no.screen.match(/new +the notify command: /g)).toHaveLength(1);
    expect(no.screen.split('[y/N]')[1]).toMatch(/^\s*(council: )?Nothing was trusted\.\s+\S/);
    expect(ran()).toEqual([]);
    const yes = await asked(clone, ['run', '--resume'], 'y\n');
    expect(yes.code).toBe(0);
    expect(ran()).toEqual(['ada', 'notify']);
    const again = await asked(clone, ['run', 'Again?', '--mode', 'synthesis'], 'n\n');
    expect(again).toMatchObject({ code: 0, screen: expect.not.stringContaining('Trust this?') as string });
  });

  it('asks in French where the project is French, and takes oui', async () => {
    const { clone, ran } = await hostile();
    clone.env.LC_ALL = 'fr_FR.UTF-8';
    const yes = await asked(clone, ['run', '--resume'], 'oui\n');
    expect(yes.screen).toContain('Cela s’exécuterait avec vos droits :');
    expect(yes.code).toBe(0);
    expect(ran()).toEqual(['ada', 'notify']);
  });

  long('fault 15: asks at council trust, and takes Ctrl-C for no', async () => {
    const { clone } = await hostile();
    expect((await asked(clone, ['trust'], '\u0003')).code).toBe(130);
    const no = await asked(clone, ['trust'], 'no\n');
    expect(no.code).toBe(1);
    expect(no.screen).toContain('Nothing was trusted.');
    expect(no.screen).not.toContain('council trust (it asks)');
    expect((await asked(clone, ['trust'], '\u0004')).code).toBe(1);
    expect((await clone.council<TrustList>(['trust', '--list', '--json'])).json.project).toBeNull();
    expect((await asked(clone, ['trust'], 'yes\n')).code).toBe(0);
    expect((await stateOf(clone)) as object).not.toHaveProperty('waitingForTrust');
  });
});
