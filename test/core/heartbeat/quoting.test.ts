import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteShellWord } from '../../../src/core/base/text.ts';
import {
  callsProgram,
  findCrontabLine,
  buildUnits,
  addJob,
  removeJob,
} from '../../../src/core/heartbeat/schedule.ts';
import type { Job } from '../../../src/core/heartbeat/schedule.ts';

/** Folder names with everything that a shell, a crontab or a unit file could trip over, but no line break. */
const AWKWARD = [
  'it\'s 100% "mine" & $HOME',
  'a\\',
  'a\\\\b',
  'a\\%b',
  '%h %n %%',
  '$(touch pwned) `touch pwned` ${HOME}',
  '\ttab',
  ' leads and trails ',
  '~',
  '#no comment',
  'é 日本 🦉 \u00a0',
  "'",
  '"',
  '\\',
  "'\\''",
  '; * ? [a] {b,c} ! < > |',
  '-rf',
  'a=b',
  '\u001b[31m',
];
const BREAKS = ['two\nlines', 'x\n* * * * * touch pwned\n', 'a\rb', '\n'];

const job = (root: string, more: Partial<Job> = {}): Job => ({
  root,
  node: '/usr/bin/node',
  entry: '/opt/council/dist/council.js',
  env: { PATH: '/usr/bin:/bin' },
  envFile: null,
  every: '*/5 * * * *',
  ...more,
});

/** Any path of a project: no NUL, which no path has. */
const path = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((name) => `/p/${name.replaceAll('\0', '')}`);
const odd = fc
  .array(fc.constantFrom(...'\'"\\%$ \tab~#'), { maxLength: 12 })
  .map((chars) => `/p/${chars.join('')}`);

/** What Vixie's cron and its heirs make of a command: \% is %, two backslashes are one, a bare % would end it. */
function asCronReads(command: string): string {
  expect(command).not.toMatch(/(?<!\\)%/);
  return command.replace(/\\([%\\])/g, '$1');
}

/** The words of commands as sh takes them, each command on its own. */
function wordsOf(commands: string[]): string[][] {
  const script = commands.map((command) => `printf '%s\\0' ${command}; printf '\\n\\0'`).join('\n');
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-s'], {
    input: script,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

/** The words of the block's command, up to its redirection. */
const lineOf = (made: Job): string =>
  /^(?:\S+ ){5}(.*) >\/dev\/null$/s.exec(findCrontabLine(addJob('', made), made.root)!)![1]!;

describe('fault 21: a folder in a crontab', () => {
  it('reaches sh as it is, whether cron takes the backslash before % or leaves it', () => {
    const roots = [
      ...AWKWARD.map((name) => `/p/${name}`),
      ...fc.sample(fc.oneof(path, odd), 400).filter((root) => !/[\n\r]/.test(root)),
    ];
    for (const read of [asCronReads, (command: string) => command]) {
      const commands = roots.map((root) => read(lineOf(job(root, { env: { XDG_STATE_HOME: root } }))));
      const got = wordsOf(commands);
      for (const [at, root] of roots.entries()) {
        expect(got[at]).toEqual([
          `XDG_STATE_HOME=${root}`,
          '/usr/bin/node',
          '/opt/council/dist/council.js',
          'tick',
          '--root',
          root,
        ]);
      }
    }
  });

  it('is one line in a block of three, is found again, and goes without a trace', () => {
    for (const name of AWKWARD) {
      const made = job(`/p/${name}`);
      const crontab = addJob('MAILTO=me\n', made);
      expect(crontab.split('\n')).toHaveLength(5);
      expect(callsProgram(findCrontabLine(crontab, made.root)!, made.entry)).toBe(true);
      expect(addJob(crontab, made)).toBe(crontab);
      expect(removeJob(crontab, made.root)).toBe('MAILTO=me\n');
    }
    const awkward = job('/p', { node: "/it's 100%/node" });
    expect(callsProgram(findCrontabLine(addJob('', awkward), '/p')!, awkward.node)).toBe(true);
  });

  it('is refused with a line break in it, and so is every other word of that line', () => {
    for (const name of BREAKS) {
      const refused = expect.objectContaining({
        code: 'usage',
        message: expect.not.stringContaining('\n') as string,
        hint: expect.stringContaining('--systemd') as string,
      }) as Error;
      for (const bad of [
        job(`/p/${name}`),
        job('/p', { node: name }),
        job('/p', { entry: name }),
        job('/p', { env: { PATH: name } }),
      ])
        expect(() => addJob('', bad)).toThrow(refused);
    }
    expect(addJob('', job('/p', { every: ' 1\n2\t*  * * ' }))).toContain('\n1 2 * * * PATH=');
  });
});

/** The values of a unit's key, with quotes and C escapes taken as systemd.syntax(7) says, then %% and, for ExecStart, $$. */
function valuesOf(content: string, key: string): string[] {
  const lines = content.split('\n').filter((line) => line.startsWith(`${key}=`));
  return lines.flatMap((line) => {
    const words = [...line.slice(key.length + 1).matchAll(/"((?:[^"\\]|\\.)*)"(?: |$)/g)];
    expect(words.map(([word]) => word).join('')).toBe(line.slice(key.length + 1));
    return words.map(([, word], at) => {
      const plain = word!
        .replace(/\\(x[0-9a-f]{2}|.)/g, (_, c: string) =>
          c.length === 3
            ? String.fromCharCode(parseInt(c.slice(1), 16))
            : ({ n: '\n', r: '\r', t: '\t' }[c] ?? c),
        )
        .replace(/%(.)/g, (_, c: string) => (c === '%' ? '%' : `<specifier ${c}>`));
      return key === 'ExecStart' && at > 0
        ? plain.replace(/\$(.)/g, (_, c: string) => (c === '$' ? '$' : `<variable ${c}>`))
        : plain;
    });
  });
}

describe('fault 21: a folder in the units of systemd', () => {
  it('comes back from their rules as it was, line breaks included, and no line is anything else', () => {
    const names = [...AWKWARD, ...BREAKS].map((name) => `/p/${name}`);
    for (const root of [...names, ...fc.sample(fc.oneof(path, odd), 400)]) {
      const made = job(root, { env: { A: root, B: '$PATH' }, node: '/opt/a $b %c/node' });
      const [service, timer] = buildUnits(made, 'id');
      expect(valuesOf(service!.content, 'ExecStart')).toEqual([
        made.node,
        made.entry,
        'tick',
        '--root',
        root,
      ]);
      expect(valuesOf(service!.content, 'Environment')).toEqual([`A=${root}`, 'B=$PATH']);
      for (const { content } of [service!, timer!])
        for (const line of content.split('\n')) expect(line).toMatch(/^(\[\w+\]|[A-Z]\w+=.*[^\\]|)$/s);
    }
  });

  it('refuses a program that systemd would not start', () => {
    for (const node of ['/a"b/node', "/a'b/node", '/a\\b/node', '/a\nb/node'])
      expect(() => buildUnits(job('/p', { node }), 'id')).toThrow(
        expect.objectContaining({ code: 'usage' }) as Error,
      );
  });

  let dir = '';
  beforeAll(() => {
    dir = fs.mkdtempSync(join(tmpdir(), 'council-units-'));
  });
  afterAll(() => fs.rmSync(dir, { recursive: true }));
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

  it.runIf(hasSystemd)('passes systemd-analyze verify', () => {
    const node = join(dir, 'no de$x 100%');
    fs.writeFileSync(node, '#!/bin/sh\n', { mode: 0o755 });
    const files = [...AWKWARD, ...BREAKS].flatMap((name, at) => {
      const root = `/p/${name}`;
      return buildUnits(job(root, { node, env: { A: root } }), String(at)).map((unit) => {
        fs.writeFileSync(join(dir, unit.name), unit.content);
        return join(dir, unit.name);
      });
    });
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--user', '--man=no', ...files],
      { encoding: 'utf8', env: { ...process.env, XDG_RUNTIME_DIR: dir } },
    );
    // Also what systemd merely ignores is printed, with the file it stands in.
    expect({ status, said: (stdout + stderr).split('\n').filter((line) => line.includes(dir)) }).toEqual({
      status: 0,
      said: [],
    });
  });
});

describe('fault 21: a path in a command that people copy', () => {
  it('is one word of bash, whatever is in it', () => {
    const all = [...AWKWARD, ...BREAKS, ...fc.sample(fc.oneof(path, odd), 200)];
    const script = `printf '%s\\0' ${all.map(quoteShellWord).join(' ')}`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stdout.split('\0').slice(0, -1)).toEqual(all);
    // eslint-disable-next-line no-control-regex
    expect(all.map(quoteShellWord).join('')).not.toMatch(/[\u0000-\u001f\u007f]/);
  });
});
