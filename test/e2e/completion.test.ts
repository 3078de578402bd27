// `council completion install` in the real shells: what it writes, and what the Tab key then offers.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { onTerminal, terminal } from '../helpers/pty.ts';
import { addAgent } from '../helpers/speakers.ts';

interface Installed {
  shell: string;
  file: string;
  changed: boolean;
  start: { file: string; lines: string[]; present: boolean; changed: boolean } | null;
}

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).error === undefined;

/** A project with two agents and an open council, and `council` on the path of its shells. */
async function project(): Promise<Project> {
  const made = await newProject();
  for (const id of ['ada', 'ben']) addAgent(made, id);
  await made.council(['start', 'Which one?', '--agents', 'ada,ben', '--name', 'which']);
  await made.council(['channel', 'create', 'team-a']);
  // A name that a shell would obey.
  fs.mkdirSync(join(made.root, 'conseils'), { recursive: true });
  fs.writeFileSync(join(made.root, 'conseils/2026-01-01-$(touch obeyed).md'), '---\nschema: 2\n---\n');
  const bin = join(made.outside, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(join(bin, 'council'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, {
    mode: 0o755,
  });
  made.env.PATH = `${bin}:${made.env.PATH}`;
  return made;
}

const textOf = (file: string): string => fs.readFileSync(file, 'latin1');

describe.concurrent('council completion install', () => {
  it('writes the script, leaves the start file alone without a yes, and adds to it with one, once', async () => {
    const made = await project();
    const rc = join(made.env.HOME!, '.zshrc');
    // Not UTF-8, as an old file may be.
    fs.writeFileSync(rc, Buffer.from('alias été="ls -l"', 'latin1'), { mode: 0o600 });
    const install = (...more: string[]) =>
      made.council<Installed>(['completion', 'install', 'zsh', '--json', ...more]);
    const first = (await install()).json;
    expect(first).toMatchObject({ changed: true, start: { file: rc, present: false, changed: false } });
    expect(textOf(rc)).toBe('alias été="ls -l"');
    const said = await made.council(['completion', 'install', 'zsh']);
    for (const line of first.start!.lines) expect(said.stdout).toContain(line);
    expect((await install('--yes')).json).toMatchObject({
      changed: false,
      start: { present: true, changed: true },
    });
    const once = textOf(rc);
    expect(once).toMatch(
      /^alias été="ls -l"\n# >>> council completion >>>\n[^]*\n# <<< council completion <<<\n$/,
    );
    expect((await install('--yes')).json).toMatchObject({ changed: false, start: { changed: false } });
    expect(textOf(rc)).toBe(once);
    expect(fs.statSync(rc).mode & 0o777).toBe(0o600);

    // What stands behind a beginning without an end is its owner's.
    const mine = '# >>> council completion >>>\nmine\nexport X=1\n';
    fs.writeFileSync(rc, `${mine}${once}`, 'latin1');
    await made.council(['completion', 'uninstall', 'zsh']);
    expect(textOf(rc)).toBe(`${mine}alias été="ls -l"\n`);
    fs.writeFileSync(rc, once, 'latin1');
    await made.council(['completion', 'install', 'zsh']);

    const gone = await made.council<Installed>(['completion', 'uninstall', 'zsh', '--json']);
    expect(gone.json).toMatchObject({ file: first.file, changed: true, start: { changed: true } });
    expect(textOf(rc)).toBe('alias été="ls -l"\n');
    expect(fs.existsSync(first.file)).toBe(false);
    const again = await made.council(['completion', 'uninstall', 'zsh']);
    expect({ code: again.code, stdout: again.stdout }).toEqual({
      code: 0,
      stdout: `Not there: ${first.file}\n`,
    });
  });

  it('asks on a terminal, and writes through a link to where the start file lies', async () => {
    const made = await project();
    const real = join(made.outside, 'dotfiles-zshrc');
    const rc = join(made.env.HOME!, '.zshrc');
    fs.writeFileSync(real, '# mine\n');
    fs.symlinkSync(real, rc);
    const shown = onTerminal(made, ['completion', 'install'], { env: { SHELL: '/bin/zsh' } });
    await shown.shows('Add them? [y/N]');
    shown.type('y\r');
    expect((await shown.ended).code).toBe(0);
    expect(fs.lstatSync(rc).isSymbolicLink()).toBe(true);
    expect(textOf(real)).toContain('# mine\n# >>> council completion >>>\n');
  });

  it('takes the shell of the user, and says so where it knows none for it', async () => {
    const made = await project();
    const installed = await made.council<Installed>(['completion', 'install', '--json'], {
      env: { SHELL: '/usr/bin/fish' },
    });
    expect(installed.json).toMatchObject({ shell: 'fish', start: null });
    const refused = await made.council(['completion', 'install'], { env: { SHELL: '/bin/tcsh' } });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('no completion for tcsh');
    expect(refused.stderr).toContain('council completion install bash');
  });
});

describe.concurrent('the Tab key', () => {
  it.skipIf(!isThere('bash'))('offers names in bash', async () => {
    const made = await project();
    await made.council(['completion', 'install', 'bash', '--yes']);
    await made.council(['task', 'run', 'Nobody can', '--needs', 'fly']);
    const ask = join(import.meta.dirname, '../helpers/ask-approval.ts');
    spawnSync(process.execPath, [ask, made.root, 'w1', '1', 'deploy'], { env: made.env });
    const complete = (words: string): string =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _council; echo "\${COMPREPLY[@]}"`;
    // Where bash-completion is at work, it loads the script when it is wanted.
    const load = 'declare -F _council >/dev/null || . ~/.local/share/bash-completion/completions/council';
    const lines = [
      load,
      complete('council agents show b'),
      complete('council view --name w'),
      complete('council channel show te'),
      complete('council send ada hello --channel te'),
      complete('council task show T'),
      complete('council audit --task T'),
      complete('council approvals approve a'),
      complete('council show 2'),
    ];
    const { stdout } = spawnSync('bash', ['-ic', lines.join('\n')], {
      encoding: 'utf8',
      cwd: made.root,
      env: made.env,
    });
    expect(stdout.split('\n').slice(0, 7)).toEqual(['ben', 'which', 'team-a', 'team-a', 'T1', 'T1', 'a1']);
    expect(filesIn(made.root).filter((name) => name.includes('obeyed') && !name.includes('$('))).toEqual([]);
  });

  it.skipIf(!isThere('fish'))('offers names in fish, without a start file', async () => {
    const made = await project();
    await made.council(['completion', 'install', 'fish']);
    const offered = (line: string): string[] =>
      spawnSync('fish', ['-c', `complete -C '${line}'`], {
        encoding: 'utf8',
        cwd: made.root,
        env: made.env,
      })
        .stdout.split('\n')
        .map((one) => one.split('\t')[0]!);
    expect(offered('council rev')).toContain('reveal');
    expect(offered('council respond be')).toContain('ben');
    expect(offered('council view --name w')).toContain('which');
  });

  it.skipIf(!isThere('zsh'))('offers names in zsh', async () => {
    const made = await project();
    await made.council(['completion', 'install', 'zsh', '--yes']);
    const shell = terminal('zsh', ['-i'], made, { env: { PS1: '> ', ZDOTDIR: undefined } });
    await shell.shows('>');
    shell.type('council view b\t');
    await shell.shows('council view ben');
    shell.type('\x15council agents rem\t');
    await shell.shows('council agents remove');
    shell.type('\x15exit\r');
    await shell.ended;
  });
});
