import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, filesIn, newProject } from '../helpers/cli.ts';
import { findUnprintable } from '../helpers/unprintable.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'protocol');
const example = (name: string): string => fs.readFileSync(join(FIXTURES, name), 'utf8');

interface Line {
  ok: boolean;
  format: string;
  message?: { id: string; body?: string };
  error?: { code: string; segment: number; name: string; expected: string; received: string };
  text?: string;
  lost?: string[];
  warnings?: string[];
}
const linesIn = (stdout: string): Line[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const GOOD = 'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|call=web_search;query=AI';

describe.concurrent('council protocol', () => {
  it('parses, one result a line, anywhere and without writing anything', async () => {
    const project = await newProject({ init: false });
    const input = `${GOOD}\r\n\nM2|O1-W1|R|T1|P1|N|-|0|S1|B500|x\n`;
    const { code, stdout, stderr } = await project.council(['protocol', 'parse', '--json'], { input });
    expect(stderr).toBe('');
    expect(code).toBe(1);
    expect(linesIn(stdout)).toEqual([
      {
        ok: true,
        format: 'v5',
        message: {
          id: 'M1',
          from: 'O1',
          to: 'W1',
          kind: 'request',
          task: 'T1',
          priority: 'normal',
          state: 'N',
          depth: 0,
          context: 'S1',
          budget: 500,
          body: 'call=web_search;query=AI',
          data: { call: 'web_search', query: 'AI' },
        },
      },
      {
        ok: false,
        format: 'v5',
        error: {
          code: 'E13',
          segment: 2,
          name: 'route',
          expected: expect.stringContaining('FROM>TO') as string,
          received: 'O1-W1',
        },
      },
    ]);
    expect(filesIn(project.root)).toEqual([]);
  });

  it.each(['v1.txt', 'v2.txt', 'v3.txt', 'v4.txt', 'v5.txt', 'file.json', 'envelope/request.json'])(
    'recognises %s, from a file and from stdin',
    async (name) => {
      const project = await newProject({ init: false });
      const path = project.write('given', example(name));
      const named = await project.council(['protocol', 'parse', path, '--json']);
      const piped = await project.council(['protocol', 'parse', '--json', '-'], { input: example(name) });
      expect(named.code).toBe(0);
      expect(piped.stdout).toBe(named.stdout);
      const format = name.split(/[./]/)[0];
      expect(new Set(linesIn(named.stdout).map((line) => line.format))).toEqual(new Set([format]));
    },
  );

  it('validates lines as one conversation, and says in words what is wrong', async () => {
    const project = await newProject({ init: false });
    const [done, again] = ['M2|W1>O1|S|T1|P1|D|-|0|S1|B300|results=5', 'M3|W1>O1|U|T1|P1|R|-|0|S1|B300|x'];
    const input = [GOOD, done, again].join('\n');
    const { code, stdout } = await project.council(['protocol', 'validate'], { input });
    expect(code).toBe(1);
    expect(stdout).toBe(
      'line 3: v5 E15: segment 6 (state) must be nothing after D; received "D>R".\n3 messages: 2 valid, 1 not.\n',
    );
    const fine = await project.council(['protocol', 'validate'], { input: example('v4.txt') });
    expect(fine).toMatchObject({ code: 0, stdout: '12 messages: 12 valid, 0 not.\n' });
  });

  it('converts, with the lines on stdout and what is lost beside them', async () => {
    const project = await newProject({ init: false });
    const { code, stdout, stderr } = await project.council(['protocol', 'convert', '--to', 'v4'], {
      input: `${GOOD}\n`,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'M1|O1>W1|R|T1|P1|N|-|call=web_search;query=AI\n' });
    expect(stderr).toBe('line 1: v4 cannot carry context, budget.\n');
    const machine = await project.council(['protocol', 'convert', '--to', 'v4', '--json'], { input: GOOD });
    expect(linesIn(machine.stdout)).toEqual([
      {
        ok: true,
        format: 'v4',
        text: 'M1|O1>W1|R|T1|P1|N|-|call=web_search;query=AI',
        lost: ['context', 'budget'],
      },
    ]);
    const handoff = GOOD.replace('|R|', '|X|');
    const refused = await project.council(['protocol', 'convert', '--to', 'v4', '--json'], {
      input: handoff,
    });
    expect(refused.code).toBe(1);
    expect(linesIn(refused.stdout)[0]).toMatchObject({
      ok: false,
      format: 'v4',
      error: { code: 'E14', segment: 3 },
    });
  });

  it('converts a file of a channel with a map of names', async () => {
    const project = await newProject({ init: false });
    const file = project.write(
      'm.json',
      example('file.json').replace('"chat",\n  "content"', '"task_assign",\n  "content"'),
    );
    const map = project.write(
      'map.json',
      '{"claude-1":"O1","codex-1":"W1","msg-20260111-163315-claude-1-4c78":"M1"}',
    );
    const { stdout } = await project.council(['protocol', 'convert', file, '--to', 'v5', '--map', map]);
    expect(stdout).toBe('M1|O1>W1|R|-|-|-|-|0|-|-|Your message text here\n');
    const none = project.write('none.json', '[1]');
    const wrong = await project.council(['protocol', 'convert', file, '--to', 'v5', '--map', none]);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The map must be a JSON object') as string,
    });
  });

  it('explains every part', async () => {
    const project = await newProject({ init: false });
    const { stdout } = await project.council(['protocol', 'explain'], {
      input: 'M10|W1>O1|E|T1|P1|F|E33|1|S1|B50|desc=file not found',
    });
    expect(stdout).toMatch(/2 +route +W1>O1 +from worker 1 to orchestrator 1\n/);
    expect(stdout).toMatch(/7 +err +E33 +file not found\n/);
  });

  it('asks for signatures where it has a key', async () => {
    const project = await newProject({ init: false });
    const key = project.write('key', 'secret\n');
    const { code, stdout } = await project.council(['protocol', 'validate', '--key', key, '--json'], {
      input: GOOD,
    });
    expect(code).toBe(1);
    expect(linesIn(stdout)[0]).toMatchObject({ error: { code: 'E90', segment: 9 } });
  });

  it('signs lines, and takes what it has signed with that key only, in every action', async () => {
    const project = await newProject({ init: false });
    const [key, other] = [project.write('key', 'secret\n'), project.write('other', 'another\n')];
    const protocol = (args: string[], input: string) => project.council(['protocol', ...args], { input });
    const signed = await protocol(['sign', '--key', key], `${GOOD}\n${GOOD.replace('M1', 'M2')}\n`);
    expect(signed.code).toBe(0);
    expect(signed.stdout).toMatch(
      /^(M\d\|O1>W1\|R\|T1\|P1\|N\|-\|0\|S1:[0-9a-f]{4}:[0-9a-f]{8}\|B500\|.*\n){2}$/,
    );
    for (const args of [['validate'], ['parse'], ['explain'], ['convert', '--to', 'v4']]) {
      expect({ args, code: (await protocol([...args, '--key', key], signed.stdout)).code }).toEqual({
        args,
        code: 0,
      });
      expect({ args, code: (await protocol([...args, '--key', other], signed.stdout)).code }).toEqual({
        args,
        code: 1,
      });
      expect({ args, code: (await protocol([...args, '--key', key], GOOD)).code }).toEqual({ args, code: 1 });
    }
    const v4 = 'M1|O1>W1|R|T1|P1|N|-|call=web_search';
    const written = await protocol(['convert', '--to', 'v5', '--session', 'S1', '--key', key], v4);
    expect((await protocol(['validate', '--key', key], written.stdout)).code).toBe(0);
    expect((await protocol(['convert', '--to', 'v5', '--key', key, '--json'], v4)).stdout).toContain('"E90"');
    expect((await protocol(['sign', '--key', key, '--json'], GOOD.replace('|S1|', '|-|'))).stdout).toContain(
      '"E90"',
    );
    expect(await protocol(['sign'], GOOD)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--key') as string,
    });
  });

  it('says what is wrong with its arguments', async () => {
    const project = await newProject({ init: false });
    const cases: [string[], string][] = [
      [['protocol', 'convert'], 'convert needs the format to write'],
      [['protocol', 'parse', 'nowhere.txt'], 'There is no file'],
      [['protocol', 'translate'], 'must be parse, validate, convert'],
      [['protocol', 'parse', '--from', 'v6'], 'v1, v2, v3'],
    ];
    for (const [args, said] of cases) {
      const { code, stderr } = await project.council(args, { input: '' });
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stderr).toContain(said);
    }
  });

  it('prints nothing of a message that a terminal would obey', async () => {
    const project = await newProject({ init: false });
    const hostile = '\u001B[2J\u001B]0;owned\u0007\u202Eevil\u0085\u{E0041}';
    const input = [
      `M1|O1>W1|R|T1|P1|N|-|0|S1|B500|${hostile}`,
      `M1|${hostile}|R|T1|P1|N|-|0|S1|B500|a`,
      hostile,
    ].join('\n');
    for (const action of ['parse', 'validate', 'explain', 'convert'])
      for (const form of [[], ['--json']]) {
        const { stdout, stderr } = await project.council(['protocol', action, '--to', 'v5', ...form], {
          input,
        });
        expect(findUnprintable(stdout + stderr)).toEqual([]);
      }
    const { stdout } = await project.council(['protocol', 'parse', '--json'], { input });
    expect(linesIn(stdout)[0]!.message!.body).toBe(hostile);
  });

  it('reads what is larger than its memory, and goes on behind a line that never ends', async () => {
    const project = await newProject({ init: false });
    const path = join(project.outside, 'large.txt');
    const out = fs.openSync(path, 'w');
    fs.writeSync(out, `${'M1|'.repeat(20_000_000)}\n`);
    for (let session = 1; session <= 11; session++)
      for (let number = 1; number < 10_000; number++)
        fs.writeSync(out, `${GOOD.replace('M1|', `M${number}|`).replace('S1|', `S${session}|`)}\n`);
    fs.closeSync(out);
    const args = ['--max-old-space-size=40', CLI, 'protocol', 'validate', path];
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: project.root,
      env: project.env,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout).toBe(
      'line 1: v5 E10: segments must be at most 1048576 characters; received "more".\n109990 messages: 109989 valid, 1 not.\n',
    );
  });
});
