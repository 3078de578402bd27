import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed } from '../helpers/documents.ts';
import { onTerminal } from '../helpers/pty.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';

const KEYS = { NOVA_KEY: 'sk-nova-"$`\\-1234567890', ECHO_KEY: 'sk-echo-abcdefgh12345678' };

interface Installed {
  crontab: string;
  variables: { path: string; names: string[] };
}
interface Finding {
  level: string;
  check: string;
  message: string;
  fix: string | null;
}

/** Agents that log in by a variable each, one that needs none, and programs that stand in for the system's. */
async function project(): Promise<Project> {
  const made = await newProject();
  const bin = join(made.outside, 'bin');
  fs.mkdirSync(bin);
  const program = (name: string, script: string): void =>
    fs.writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const tab = join(made.outside, 'crontab');
  program(
    'crontab',
    `if [ "$1" = -l ]; then cat '${tab}' 2>/dev/null || { echo "no crontab for me" >&2; exit 1; }; else cat > '${tab}'; fi`,
  );
  program('systemctl', 'echo active');
  made.env.PATH = [bin, made.env.PATH!].join(delimiter);
  for (const [id, key] of [
    ['nova', 'NOVA_KEY'],
    ['echo', 'ECHO_KEY'],
  ] as const)
    addAgent(made, id, {
      runner: 'command',
      command: [
        '/bin/sh',
        '-c',
        `cat > /dev/null; [ -n "$${key}" ] || { echo "not logged in" >&2; exit 1; }; echo ready`,
      ],
      env: [key],
    });
  addAgent(made, 'plain', { runner: 'command', command: ['/bin/sh', '-c', 'cat > /dev/null; echo ready'] });
  return made;
}

const crontabOf = (made: Project): string => fs.readFileSync(join(made.outside, 'crontab'), 'utf8');
const fileOf = (made: Project): string => {
  const dir = join(made.env.XDG_CONFIG_HOME!, 'council');
  return join(
    dir,
    fs.readdirSync(dir).find((name) => name.endsWith('.env'))!,
  );
};
const hasFile = (made: Project): boolean => {
  const dir = join(made.env.XDG_CONFIG_HOME!, 'council');
  return fs.existsSync(dir) && fs.readdirSync(dir).some((name) => name.endsWith('.env'));
};

describe.concurrent('the variables of a schedule', () => {
  it('fault 13: go into a file for its user alone, and their values nowhere else', async () => {
    const made = await project();
    const said = await made.council<Installed>(['install', '--yes', '--json'], { env: KEYS });
    expect(said).toMatchObject({ code: 0 });
    expect(said.json.variables.names).toEqual(['ECHO_KEY', 'NOVA_KEY']);
    expect(said.json.variables.path).toBe(fileOf(made));
    expect(fs.statSync(fileOf(made)).mode & 0o777).toBe(0o600);
    const text = await made.council(['install', '--yes'], { env: KEYS });
    expect(text.stdout).toContain('ECHO_KEY, NOVA_KEY');
    for (const printed of [said.raw.toString(), text.raw.toString(), crontabOf(made)])
      for (const key of ['sk-nova', 'sk-echo']) expect(printed).not.toContain(key);
    expect(crontabOf(made)).toContain(`. ${fileOf(made)} `);
  });

  it('fault 13: are there when cron runs the line', async () => {
    const made = await project();
    addSpeaker(made, 'nova', {}, { env: ['NOVA_KEY'] });
    await made.council(['start', 'Why?', '--agents', 'nova', '--mode', 'synthesis']);
    await made.council(['install', '--env', 'NOVA_KEY'], { env: KEYS });
    const line = crontabOf(made)
      .split('\n')
      .find((one) => one.startsWith('*/5'))!;
    const command = line.split(' ').slice(5).join(' ').replaceAll('\\%', '%');
    const env = { PATH: '/usr/bin:/bin', HOME: made.env.HOME, SHELL: '/bin/sh' };
    expect(spawnSync('/bin/sh', ['-c', command], { cwd: '/', env }).status).toBe(0);
    expect(launches(made)[0]!.env.NOVA_KEY).toBe(KEYS.NOVA_KEY);
  });

  it('fault 13: are asked for on a terminal, by name, and given as they are answered', async () => {
    const made = await project();
    for (const [answer, names] of [
      ['no', []],
      ['NOVA_KEY', ['NOVA_KEY']],
      // Just Enter: as it was.
      ['', ['NOVA_KEY']],
      ['yes', ['ECHO_KEY', 'NOVA_KEY']],
    ] as const) {
      const shown = onTerminal(made, ['install'], { env: KEYS });
      await shown.shows('Write all of them?');
      const lines = (await shown.lines()).join('\n');
      expect(lines).toContain('ECHO_KEY (echo)');
      expect(lines).toContain('NOVA_KEY (nova)');
      shown.type(`${answer}\r`);
      expect(await shown.ended).toEqual({ code: 0, signal: 0 });
      expect(shown.raw()).not.toMatch(/sk-(nova|echo)/);
      expect(hasFile(made)).toBe(names.length > 0);
      const written = names.length > 0 ? fs.readFileSync(fileOf(made), 'utf8') : '';
      expect([...written.matchAll(/^(\w+)=/gm)].map(([, name]) => name).sort()).toEqual(names);
    }
    const left = onTerminal(made, ['install'], { env: KEYS });
    await left.shows('Write all of them?');
    left.type('\x03');
    expect((await left.ended).code).toBe(130);
  });

  it('fault 13: are left out unasked in a script, which is told so, and kept at the next install', async () => {
    const made = await project();
    const first = await made.council<Installed>(['install', '--json'], { env: KEYS });
    expect(first.json.variables.names).toEqual([]);
    expect(first.stderr).toContain('ECHO_KEY (echo), NOVA_KEY (nova)');
    expect(first.stderr).toContain('council install --env ECHO_KEY,NOVA_KEY');
    expect(hasFile(made)).toBe(false);
    await made.council(['install', '--env', 'NOVA_KEY'], { env: KEYS });
    // The key is not set any more, and still known to the file.
    const again = await made.council<Installed>(['install', '--every', '0 * * * *', '--json']);
    expect(again.json.variables.names).toEqual(['NOVA_KEY']);
    const unknown = await made.council<Failed>(['install', '--env', 'NO_SUCH', '--json'], { env: KEYS });
    expect(unknown).toMatchObject({ code: 2, json: { error: { code: 'usage' } } });
    const dry = await made.council(['install', '--dry-run', '--env', 'none'], { env: KEYS });
    expect(dry.stdout).not.toContain('.env');
    expect(hasFile(made)).toBe(true);
    await made.council(['uninstall']);
    expect(hasFile(made)).toBe(false);
  });

  it('fault 13: stand in the unit of systemd as a file, too, until both schedules are gone', async () => {
    const made = await project();
    await made.council(['install', '--systemd', '--yes'], { env: KEYS });
    const dir = join(made.env.XDG_CONFIG_HOME!, 'systemd/user');
    const service = fs.readFileSync(
      join(
        dir,
        fs.readdirSync(dir).find((name) => name.endsWith('.service'))!,
      ),
      'utf8',
    );
    expect(service).toContain(`\nEnvironmentFile=${fileOf(made)}\n`);
    expect(service).not.toContain('sk-');
    await made.council(['install'], { env: KEYS });
    await made.council(['uninstall', '--systemd']);
    expect(hasFile(made)).toBe(true);
    await made.council(['uninstall']);
    expect(hasFile(made)).toBe(false);
  });

  it.each(['cron', 'systemd'] as const)(
    'fault 13: doctor --probe says who would not log in as %s runs it',
    async (by) => {
      const made = await project();
      const flags = by === 'systemd' ? ['--systemd'] : [];
      await made.council(['install', '--env', 'NOVA_KEY', ...flags], { env: KEYS });
      const looked = await made.council<{ findings: Finding[] }>(['doctor', '--probe', '--json'], {
        env: KEYS,
      });
      const said = looked.json.findings.filter(({ check }) => check === 'schedule');
      expect(said.filter(({ message }) => message.startsWith(`as ${by} runs it`))).toMatchObject([
        {
          level: 'error',
          message: expect.stringContaining('echo did not answer') as string,
          fix: `council install${by === 'systemd' ? ' --systemd' : ''} --env NOVA_KEY,ECHO_KEY`,
        },
        { level: 'ok', message: expect.stringContaining('nova answered') as string },
        { level: 'ok', message: expect.stringContaining('plain answered') as string },
      ]);
      // In the user's own environment everybody answers.
      expect(looked.json.findings.filter(({ check, level }) => check === 'probe' && level !== 'ok')).toEqual(
        [],
      );
      expect(looked.code).toBe(1);
      expect(looked.raw.toString()).not.toMatch(/sk-(nova|echo)/);
      await made.council(['install', '--yes', ...flags], { env: KEYS });
      const mended = await made.council<{ findings: Finding[] }>(['doctor', '--probe', '--json'], {
        env: KEYS,
      });
      expect(
        mended.json.findings.filter(({ check, level }) => check === 'schedule' && level === 'error'),
      ).toEqual([]);
    },
  );

  it('fault 13: doctor finds a file that is gone, and one that others can read', async () => {
    const made = await project();
    await made.council(['install', '--yes'], { env: KEYS });
    fs.chmodSync(fileOf(made), 0o644);
    const open = await made.council<{ findings: Finding[] }>(['doctor', '--json'], { env: KEYS });
    expect(open.json.findings).toContainEqual(
      expect.objectContaining({ check: 'schedule', level: 'error', fix: `chmod 600 ${fileOf(made)}` }),
    );
    fs.rmSync(fileOf(made));
    const gone = await made.council<{ findings: Finding[] }>(['doctor', '--probe', '--json'], { env: KEYS });
    expect(gone.json.findings).toContainEqual(
      expect.objectContaining({
        check: 'schedule',
        level: 'error',
        message: expect.stringContaining('cannot be tried') as string,
      }),
    );
  });
});
