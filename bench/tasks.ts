import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { queueOf } from '../src/tasks/queue.ts';
import { choose, rank } from '../src/tasks/select.ts';
import { newTask } from '../src/tasks/task.ts';
import type { Figure } from './figure.ts';
import { CLI, pairwise, timeOne } from './measure.ts';

const TASKS = 20;
const AT_ONCE = 2;
const WORKER = "process.stdin.resume().on('end', () => console.log('done'));";

/** A project with two workers that answer at once, and a plan of independent tasks. */
function project(scratch: string, round: number): { root: string; env: NodeJS.ProcessEnv } {
  const root = join(scratch, `project-${round}`);
  mkdirSync(join(root, 'agents'), { recursive: true });
  const env = { PATH: process.env.PATH, HOME: scratch, XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch };
  execFileSync(process.execPath, [CLI, 'init', '--no-detect', '--yes'], { cwd: root, env, stdio: 'ignore' });
  writeFileSync(join(root, 'worker.js'), WORKER);
  for (const name of ['w1', 'w2'])
    writeFileSync(
      join(root, 'agents', `${name}.md`),
      `---\nname: ${name}\ncouncil:\n  command: ['\${NODE}', worker.js]\n---\n`,
    );
  writeFileSync(
    join(root, 'PLAN.md'),
    Array.from({ length: TASKS }, (_, at) => `- T${at + 1}: do it`).join('\n'),
  );
  return { root, env };
}

async function bare(scratch: string): Promise<number> {
  const program = join(scratch, 'worker.js');
  writeFileSync(program, WORKER);
  const once = (): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
      child.stdout.resume();
      child.on('close', () => resolve());
      child.stdin.end('do it\n');
    });
  const start = performance.now();
  let left = TASKS;
  const line = async (): Promise<void> => {
    while (left-- > 0) await once();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  return performance.now() - start;
}

const overhead: Figure = {
  name: 'task-plan',
  what: `a plan of ${TASKS} tasks for workers that answer at once, ${AT_ONCE} at a time`,
  against: 'the same programs spawned bare, as many at a time',
  goal: 2,
  measure: (scratch) =>
    pairwise(
      5,
      (round) => {
        const { root, env } = project(scratch, round);
        const args = [CLI, 'task', 'plan', 'PLAN.md', '--trust', '--concurrency', String(AT_ONCE)];
        return timeOne({ command: process.execPath, args, cwd: root, env });
      },
      () => bare(scratch),
    ),
};

const QUEUED = 10_000;

const scheduling: Figure = {
  name: 'task-schedule',
  what: `scheduling ${QUEUED} queued tasks for 8 workers, one after the other`,
  against: 'sorting as many tasks once',
  goal: 0,
  allowanceMs: 1000,
  measure() {
    const at = new Date(0).toISOString();
    const tasks = Array.from({ length: QUEUED }, (_, n) =>
      newTask(
        { id: `T${n + 1}`, session: 'S1', text: 'x', after: n < 8 ? [] : [`T${n - 7}`], needs: ['a'] },
        at,
      ),
    );
    const workers = Array.from({ length: 8 }, (_, n) => ({
      id: `w${n}`,
      wire: `W${n}`,
      capabilities: ['a', 'b'],
      running: 0,
      concurrency: 1,
      lastUsed: n,
      unavailable: null,
    }));
    const drain = (): number => {
      const start = performance.now();
      const queue = queueOf(tasks);
      for (let next = queue.next(0); next; next = queue.next(0)) {
        choose(rank(workers, next.needs));
        queue.put({ ...next, state: 'D' });
      }
      return performance.now() - start;
    };
    const sort = (): number => {
      const start = performance.now();
      tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return performance.now() - start;
    };
    return pairwise(20, drain, sort);
  },
};

/** The figures of tasks. */
export const taskFigures = [overhead, scheduling];
