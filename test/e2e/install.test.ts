import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, newProject, projectIn } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Status } from '../helpers/documents.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const OTHERS = 'MAILTO=me\n# mine\n0 3 * * * /usr/bin/backup --all\n';

/** A project whose path has everything a shell and a crontab could trip over, and programs that stand in for the system's. */
async function awkwardProject(name = 'it\'s 100% "mine" & $HOME \\\\ \\%'): Promise<Project> {
  const { outside } = await newProject({ init: false });
  const project = projectIn(outside, join(outside, name));
  for (const dir of [project.root, project.outside, join(outside, 'bin')])
    fs.mkdirSync(dir, { recursive: true });
  const program = (name: string, script: string) =>
    fs.writeFileSync(join(outside, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  program(
    'crontab',
    `if [ "$1" = -l ]; then cat '${outside}/crontab' 2>/dev/null || { echo "no crontab for me" >&2; exit 1; }; else cat > '${outside}/crontab'; fi`,
  );
  program('systemctl', `echo "$@" >> '${outside}/systemctl'`);
  project.env.PATH = [join(outside, 'bin'), project.env.PATH!].join(delimiter);
  await project.council(['init']);
  addSpeaker(project, 'ada');
  await project.council(['start', 'Installed?', '--mode', 'synthesis']);
  return project;
}

describe.concurrent('install and uninstall', () => {
  it('writes one marked block with absolute paths, which works in the bare environment of cron', async () => {
    const project = await awkwardProject();
    const crontab = join(project.root, '..', 'crontab');
    fs.writeFileSync(crontab, OTHERS);
    const dry = await project.council<{ dryRun: boolean; crontab: string }>([
      'install',
      '--dry-run',
      '--json',
    ]);
    expect({ code: dry.code, dryRun: dry.json.dryRun, untouched: fs.readFileSync(crontab, 'utf8') }).toEqual({
      code: 0,
      dryRun: true,
      untouched: OTHERS,
    });
    expect((await project.council(['install', '--dry-run'])).stdout).toBe(dry.json.crontab);
    expect((await project.council(['install'])).code).toBe(0);
    expect((await project.council(['install', '--every', '*/7 * * * *'])).code).toBe(0);
    const text = fs.readFileSync(crontab, 'utf8');
    expect(text.startsWith(OTHERS)).toBe(true);
    const block = text.slice(OTHERS.length).split('\n');
    expect(block).toHaveLength(4);
    expect(block[0]).toBe(`# council begin ${project.root}`);
    expect(block[2]).toBe(`# council end ${project.root}`);
    const [, command] = /^\*\/7 \* \* \* \* (.*)$/.exec(block[1]!)!;
    for (const part of [process.execPath, CLI, `XDG_STATE_HOME=${project.env.XDG_STATE_HOME}`])
      expect(command).toContain(part);
    // As cron does it: an escaped % is a %, two backslashes are one, the shell is sh, and there is next to no environment.
    expect(command).not.toMatch(/(?<!\\)%/);
    const { status, stderr } = spawnSync('/bin/sh', ['-c', command!.replace(/\\([%\\])/g, '$1')], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', HOME: '/nowhere' },
      encoding: 'utf8',
    });
    expect({ status, stderr: stderr.replace(/^active-conversation: .*\n/gm, '') }).toEqual({
      status: 0,
      stderr: '',
    });
    expect(launches(project)).toHaveLength(1);
    expect(
      (await project.council<Status>(['status', '--json'])).json.councils[0]!.participants.ada!.status,
    ).toBe('RESPONDED');

    const would = await project.council(['uninstall', '--dry-run']);
    expect(would.stdout).toBe(OTHERS);
    expect(fs.readFileSync(crontab, 'utf8')).toBe(text);
    expect((await project.council(['uninstall', '--json'])).json).toEqual({
      dryRun: false,
      crontab: OTHERS,
      changed: true,
    });
    expect(fs.readFileSync(crontab, 'utf8')).toBe(OTHERS);
    expect((await project.council(['uninstall', '--json'])).json).toMatchObject({ changed: false });
  });

  long('works where there is no crontab yet, and leaves a block alone that was cut', async () => {
    const project = await awkwardProject();
    const crontab = join(project.root, '..', 'crontab');
    await project.council(['install']);
    expect(fs.readFileSync(crontab, 'utf8')).toMatch(/^# council begin .*\n.*\n# council end .*\n$/);
    fs.writeFileSync(crontab, fs.readFileSync(crontab, 'utf8').replace(/# council end.*\n/, ''));
    const cut = await project.council<Failed>(['uninstall', '--json']);
    expect({ code: cut.code, error: cut.json.error.code }).toEqual({ code: 1, error: 'failed' });
  });

  long('shows what it would write on a machine without a crontab', async () => {
    const project = await awkwardProject();
    const env = { PATH: join(project.root, '..', 'nothing') };
    const dry = await project.council(['install', '--dry-run'], { env });
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^# council begin .*\n\*\/5 .*\n# council end .*\n$/) as string,
    });
    const real = await project.council<Failed>(['install', '--json'], { env });
    expect({ code: real.code, error: real.json.error }).toMatchObject({
      code: 1,
      error: { code: 'failed', hint: expect.stringContaining('heartbeat') as string },
    });
  });

  long('writes a systemd user timer, and takes it away', async () => {
    const project = await awkwardProject();
    const dry = await project.council<{ files: { name: string; path: string; content: string }[] }>([
      'install',
      '--systemd',
      '--dry-run',
      '--json',
    ]);
    const [service, timer] = dry.json.files;
    expect(service!.path).toMatch(
      new RegExp(`^${join(project.env.XDG_CONFIG_HOME!, 'systemd/user')}/council-[0-9a-f]{12}\\.service$`),
    );
    expect(fs.existsSync(service!.path)).toBe(false);
    const escaped = (word: string): string =>
      word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$');
    for (const part of [
      'Type=oneshot',
      `"${process.execPath}" "${CLI}" "tick" "--root" "${escaped(project.root)}"`,
      `Environment="XDG_STATE_HOME=${project.env.XDG_STATE_HOME}"`,
    ])
      expect(service!.content).toContain(part);
    expect(timer!.content).toMatch(
      /\[Timer\]\nOnCalendar=\*:0\/5\nPersistent=true\n\n\[Install\]\nWantedBy=timers.target/,
    );
    expect((await project.council(['install', '--systemd'])).code).toBe(0);
    expect([service!, timer!].map((file) => fs.readFileSync(file.path, 'utf8'))).toEqual([
      service!.content,
      timer!.content,
    ]);
    const called = () =>
      fs
        .readFileSync(join(project.root, '..', 'systemctl'), 'utf8')
        .trim()
        .split('\n');
    expect(called()).toEqual(['--user daemon-reload', `--user enable --now ${timer!.name}`]);
    expect((await project.council(['uninstall', '--systemd', '--dry-run'])).stdout).toContain(timer!.path);
    expect(fs.existsSync(timer!.path)).toBe(true);
    expect((await project.council(['uninstall', '--systemd'])).code).toBe(0);
    expect([service!, timer!].filter((file) => fs.existsSync(file.path))).toEqual([]);
    expect(called().slice(2)).toEqual([`--user disable --now ${timer!.name}`, '--user daemon-reload']);
    const both = await project.council<Failed>([
      'install',
      '--systemd',
      '--every',
      '0 * * * *',
      '--dry-run',
      '--json',
    ]);
    expect({ code: both.code, error: both.json.error.code }).toEqual({ code: 2, error: 'usage' });
  });

  it('fault 21: refuses a folder with a line break for a crontab, and has systemd quote it', async () => {
    const project = await awkwardProject('two\n* * * * * touch pwned\n');
    const crontab = join(project.root, '..', 'crontab');
    fs.writeFileSync(crontab, OTHERS);
    for (const args of [['install'], ['install', '--dry-run']]) {
      const run = await project.council<Failed>([...args, '--json']);
      expect({ args, code: run.code, error: run.json.error.code }).toEqual({ args, code: 2, error: 'usage' });
      expect(run.json.error.hint).toContain('--systemd');
    }
    expect(fs.readFileSync(crontab, 'utf8')).toBe(OTHERS);
    const { json, code } = await project.council<{ files: { content: string }[] }>([
      'install',
      '--systemd',
      '--dry-run',
      '--json',
    ]);
    expect(code).toBe(0);
    for (const { content } of json.files) expect(content).not.toMatch(/^\*/m);
    expect(json.files[0]!.content).toContain('two\\n* * * * * touch pwned\\n"');
  });

  it('fault 13: leaves lines that are not UTF-8 as they are, byte for byte', async () => {
    const project = await awkwardProject('l’été');
    const crontab = join(project.root, '..', 'crontab');
    const others = Buffer.concat([
      Buffer.from('# déjà vu 🦞\n0 3 * * * /opt/caf'),
      Buffer.from([0xe9, 0x20, 0xc3, 0x0a, 0xed, 0xb3, 0xa9, 0x0a]),
      Buffer.from('# last\n'),
    ]);
    fs.writeFileSync(crontab, others);
    for (const args of [['install'], ['install', '--every', '*/7 * * * *']])
      expect((await project.council(args)).code).toBe(0);
    const bytes = fs.readFileSync(crontab);
    expect(bytes.subarray(0, others.length).equals(others)).toBe(true);
    expect(bytes.subarray(others.length).toString()).toMatch(
      /^# council begin .*l’été\n.*\n# council end .*\n$/,
    );
    expect((await project.council(['install', '--dry-run'])).stdout).toContain('# last\n# council begin');
    expect((await project.council(['uninstall'])).code).toBe(0);
    expect(fs.readFileSync(crontab).equals(others)).toBe(true);
  });

  it('fault 13: takes no relative XDG_CONFIG_HOME: it would lie in the project', async () => {
    const project = await awkwardProject('relative');
    const env = { XDG_CONFIG_HOME: 'conf', ADA_KEY: 'sk-ada-1234567890' };
    addSpeaker(project, 'ada', {}, { env: ['ADA_KEY'] });
    const install = ['install', '--systemd', '--env', 'ADA_KEY', '--json'];
    const { code, json } = await project.council<{ files: string[]; variables: { path: string } }>(install, {
      env,
    });
    expect(code).toBe(0);
    for (const path of [...json.files, json.variables.path])
      expect(path.startsWith(join(project.env.HOME!, '.config/'))).toBe(true);
    expect(fs.existsSync(join(project.root, 'conf'))).toBe(false);
  });
});
