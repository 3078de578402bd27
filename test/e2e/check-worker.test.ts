// `council protocol check-worker` with real programs, in both modes.
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';

/** Answers each line for it with a success; `says` may change what it prints. */
const worker = (says = 'line', more = ''): string => `
import { createInterface } from 'node:readline';
let n = 100;
${more}
createInterface({ input: process.stdin }).on('line', (row) => {
  const [m, route, type, task, , , , depth, ctx, budget] = row.split('|');
  if (!/^M\\d+$/.test(m) || type === 'E' || type === 'U') return;
  const [from, to] = route.split('>');
  if (process.env.COUNCIL_WIRE_ID !== to) return;
  const line = 'M' + ++n + '|' + to + '>' + from + '|S|' + task + '|P1|D|-|' + depth + '|' + ctx + '|' + budget + '|results=5';
  console.log(${says});
});
`;

describe.concurrent('council protocol check-worker', () => {
  it('says that a worker is right, in words and as one document', async () => {
    const project = await newProject({ init: false });
    project.write('w.mjs', worker());
    const check = ['protocol', 'check-worker', '--input', 'line'];
    const words = await project.council([...check, '--', process.execPath, 'w.mjs']);
    expect(words).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('line: 9 of 9 conversations are right.') as string,
    });
    const json = await project.council<{ ok: boolean; conversations: unknown[] }>([
      ...check,
      '--json',
      '--',
      process.execPath,
      'w.mjs',
    ]);
    expect(json.json).toMatchObject({ ok: true, silent: [] });
    expect(json.json.conversations).toHaveLength(9);
  });

  it('says what is wrong, with the code and the line', async () => {
    const project = await newProject({ init: false });
    project.write('w.mjs', worker("line.replace('|D|', '|F|')"));
    const { code, stdout } = await project.council([
      'protocol',
      'check-worker',
      '--',
      process.execPath,
      'w.mjs',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /prompt: a request and its answer: wrong\n {2}E15: segment 6 \(state\).*\n {4}M101\|W1>O1\|S\|T1\|P1\|F/,
    );
    expect(stdout).toContain('line: 1 of 9 conversations are right.');
  });

  it('ends a worker that says nothing, and whatever it has started', async ({ expect }) => {
    const project = await newProject({ init: false });
    project.write(
      'w.mjs',
      `import { spawn } from 'node:child_process';
       import fs from 'node:fs';
       fs.writeFileSync('pid', String(spawn('sleep', ['1000'], { stdio: 'ignore' }).pid));
       setInterval(() => {}, 1000);`,
    );
    const args = [
      'protocol',
      'check-worker',
      '--timeout',
      '2s',
      '--input',
      'prompt',
      '--',
      process.execPath,
      'w.mjs',
    ];
    const { code, stdout } = await project.council(args);
    expect(code).toBe(1);
    expect(stdout).toContain('E21: no answer in time');
    const pid = Number(fs.readFileSync(`${project.root}/pid`, 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('says which program it cannot start, and that it needs one', async () => {
    const project = await newProject({ init: false });
    const none = await project.council(['protocol', 'check-worker']);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('after --') as string });
    const missing = await project.council(['protocol', 'check-worker', '--', 'no-such-program-here']);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be started') as string,
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
