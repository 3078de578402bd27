import { expect, it } from 'vitest';
import { withWorkers } from '../helpers/scripted-workers.ts';

/** A worker as a shell script; it reads its prompt unless it says otherwise. */
async function play(script: string): Promise<{ lines: string[]; state: string; result: string | null }> {
  const project = await withWorkers({});
  project.write('work.sh', script);
  project.write('agents/ada.md', '---\nname: ada\ncouncil:\n  command: [sh, work.sh]\n---\n');
  const { json } = await project.council<{ task: { state: string; result: string | null } }>([
    'task',
    'run',
    'do it',
    '--json',
  ]);
  const exchange = await project.exchange('T1');
  return { lines: exchange.slice(1), state: json.task.state, result: json.task.result };
}

const done = (data: string) => `M2|W1>O1|S|T1|P1|D|-|0|S1|-|${data}`;

it.each([
  ['in colour', `cat >/dev/null; printf '\\033[31m${done('ok=1')}\\033[0m\\n'`, [done('ok=1')]],
  [
    'twice in one write, and ends without a line end',
    `cat >/dev/null; printf 'M2|W1>O1|U|T1|P1|R|-|0|S1|-|progress=1%%\\nM3|W1>O1|S|T1|P1|D|-|0|S1|-|ok=1'`,
    ['M2|W1>O1|U|T1|P1|R|-|0|S1|-|progress=1%', 'M3|W1>O1|S|T1|P1|D|-|0|S1|-|ok=1'],
  ],
  [
    'in pieces, slowly',
    `cat >/dev/null; printf 'M2|W1>O1|S|T'; sleep 0.3; printf '1|P1|D|-|0|S1|-|'; sleep 0.3; echo ok=1`,
    [done('ok=1')],
  ],
  [
    'with the line ends of Windows',
    `cat >/dev/null; printf 'fine\\r\\n${done('ok=1')}\\r\\n'`,
    [done('ok=1')],
  ],
  ['though it never read its prompt', `printf '${done('ok=1')}\\n'`, [done('ok=1')]],
  [
    'and leaves a process behind that holds its output',
    `cat >/dev/null; (sleep 30; echo late) & echo '${done('ok=1')}'`,
    [done('ok=1')],
  ],
  ['behind a broken line', `cat >/dev/null; echo 'M9|W1>O1|S|T1'; echo '${done('ok=1')}'`, [done('ok=1')]],
])('a worker that answers %s is understood', async (_, script, lines) => {
  expect(await play(script)).toMatchObject({ state: 'D', lines });
});

it.each([
  ['prints without end', `cat >/dev/null; yes 'many words'`, 'E99', 'desc=output exceeds 1 MiB'],
  ['is killed amid its answer', `cat >/dev/null; echo half; kill -9 $$`, 'E99', 'desc=ended by SIGKILL'],
  ['says nothing', 'cat >/dev/null', 'E99', 'desc=printed nothing'],
  [
    'complains',
    `cat >/dev/null; echo 'boom: no such thing' >&2; exit 3`,
    'E99',
    'desc=exit code 3: boom: no such thing',
  ],
])('a worker that %s has failed', async (_, script, code, data) => {
  const { state, lines } = await play(script);
  expect(state).toBe('F');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`M2|O1>W1|E|T1|P1|F|${code}|0|S1|-|${data ?? ''}`);
});

it('asks a worker that breaks off in its line once more', async () => {
  const { state, lines } = await play(`cat >/dev/null; printf 'M2|W1>O1|S|T1|P1'`);
  expect(state).toBe('F');
  expect(lines.map((line) => line.replace(/desc=.*/, ''))).toEqual([
    'M2|O1>W1|E|T1|P1|R|E10|0|S1|-|',
    'M3|O1>W1|E|T1|P1|F|E10|0|S1|-|',
  ]);
});

it('keeps a report that can be read of a worker that prints NUL', async () => {
  const project = await withWorkers({});
  project.write('work.sh', `cat >/dev/null; printf 'twelve\\0words\\n'`);
  project.write('agents/ada.md', '---\nname: ada\ncouncil:\n  command: [sh, work.sh]\n---\n');
  await project.council(['task', 'run', 'count']);
  const shown = await project.council(['task', 'show', 'S1']);
  expect(shown.stderr).toBe('');
  expect(shown.stdout).toContain('twelve\ufffdwords');
  expect((await project.council(['search', 'twelve'])).stdout).toContain('(report)');
});
