import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { newProject } from './cli.ts';

interface Planned {
  id: string;
  state: string;
  result: string | null;
  startedAt: string;
  endedAt: string;
  after: string[];
  attempts: number;
  report: string;
}

/**
 * A plan with dependencies on eight workers, whose orchestrator is killed again and again: each time when so many more tasks have begun
 * as chance says. Whoever goes on, plan or tick, takes its turn.
 */
export async function playKilled({ tasks, kills }: { tasks: number; kills: number }): Promise<void> {
  const project = await newProject();
  fs.mkdirSync(project.outside, { recursive: true });
  const log = `${project.outside}/log`;
  project.write(
    'work.sh',
    `cat > /dev/null\necho "$COUNCIL_TASK" >> '${log}'\nsleep 0.05\necho "done $COUNCIL_TASK"\n`,
  );
  for (let n = 1; n <= 8; n++)
    project.write(`agents/w${n}.md`, `---\nname: w${n}\ncouncil:\n  command: [sh, work.sh]\n---\n`);
  const rows = Array.from({ length: tasks }, (_, at) => {
    const after = [at - 7, at % 3 === 0 ? at - 4 : 0].filter((n) => n > 0).map((n) => `T${n}`);
    return `- T${at + 1}: do ${at + 1}${after.length > 0 ? `\n  - after: ${after.join(', ')}` : ''}`;
  });
  project.write('PLAN.md', rows.join('\n'));
  const begun = (): number =>
    fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trimEnd().split('\n').length : 0;

  for (let kill = 0; kill < kills; kill++) {
    const before = begun();
    const args = kill % 2 === 0 ? ['task', 'plan', 'PLAN.md'] : ['tick', '--until-idle'];
    const running = project.launch([...args, '--concurrency', '8']);
    const more = 1 + Math.floor(Math.random() * (tasks / kills));
    const isOver = { now: false };
    void running.ended.then(() => (isOver.now = true));
    while (!isOver.now && begun() < before + more) await wait(5);
    await wait(Math.random() * 100);
    running.child.kill('SIGKILL');
    await running.ended;
  }
  const last = await project.council(['task', 'plan', 'PLAN.md', '--concurrency', '8']);
  expect(last.code, last.stderr).toBe(0);
  const { json } = await project.council<{ tasks: Planned[] }>(['task', 'list', '--all', '--json']);
  expect(json.tasks).toHaveLength(tasks);
  const known = new Map(json.tasks.map((task) => [task.id, task]));
  for (const task of json.tasks) {
    expect(task).toMatchObject({ state: 'D', result: `done ${task.id}` });
    expect(project.read(task.report).toString()).toContain(`Task ID: S1/${task.id}\n`);
    // Nothing begins before what it comes after is done, and so nothing that is done can have run again.
    for (const id of task.after) expect(known.get(id)!.endedAt <= task.startedAt).toBe(true);
  }
  expect(begun()).toBeLessThanOrEqual(json.tasks.reduce((sum, { attempts }) => sum + attempts, 0));
  // What was to be written down when it was killed is there as well, once.
  expect((await project.council(['audit', 'verify'])).code).toBe(0);
  const ended = project
    .read('memory/audit/trail.ndjson')
    .toString()
    .split('\n')
    .flatMap((line) => (/"task\.ended".*"task":"([^"]+)"/.exec(line) ?? []).slice(1));
  expect(ended.toSorted()).toEqual(json.tasks.map(({ id }) => `S1/${id}`).toSorted());
  const { json: log1 } = await project.council<{ lines: { kind: string }[] }>([
    'task',
    'log',
    'T1',
    '--json',
  ]);
  expect(log1.lines.filter(({ kind }) => kind === 'response')).toHaveLength(1);
}
