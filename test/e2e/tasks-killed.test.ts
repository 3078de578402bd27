import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { playKilled } from '../helpers/killed-plan.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';

const FAILPOINT = pathToFileURL(join(import.meta.dirname, '../helpers/failpoint.ts')).href;

it(
  'finishes each task of a plan once, in their order, though the orchestrator is killed',
  { timeout: 120_000 },
  async () => {
    expect.hasAssertions();
    await playKilled({ tasks: 24, kills: 2 });
  },
);

const TASKS = 'memory/shared/.versions/.tasks';
/** Where `task run` is killed: as it makes session and task, and as it writes each line of the audit trail. */
const MOMENTS = [
  ...[2, 3, 4, 5].map((at) => ({ at, kinds: 'link,rename', under: TASKS })),
  ...[1, 3].map((at) => ({ at, kinds: 'write', under: 'memory/audit' })),
];

it.each(MOMENTS)(
  'goes on after a kill at $kinds $at below $under: ticks run, nothing is done twice, and all of it is recorded once',
  async ({ at, kinds, under }) => {
    const project = await withWorkers({ ada: { steps: [{ say: 'twelve' }] } });
    const env = {
      NODE_OPTIONS: `--import=${FAILPOINT}`,
      NODE_NO_WARNINGS: '1',
      FAIL_AT: String(at),
      FAIL_KINDS: kinds,
      FAIL_UNDER: join(project.root, under),
    };
    expect((await project.council(['task', 'run', 'count'], { env })).signal).toBe('SIGKILL');
    const tick = await project.council(['tick', '--until-idle']);
    expect(tick, tick.stderr).toMatchObject({ code: 0 });
    expect((await project.council(['audit', 'verify'])).code).toBe(0);
    const { json } = await project.council<{ tasks: { state: string; result: string }[] }>([
      'task',
      'list',
      '--all',
      '--json',
    ]);
    for (const task of json.tasks) expect(task).toMatchObject({ state: 'D', result: 'twelve' });
    const trail = join(project.root, 'memory/audit/trail.ndjson');
    const entries = fs.existsSync(trail) ? fs.readFileSync(trail, 'utf8') : '';
    const count = (what: string): number => entries.split(`"what":"${what}"`).length - 1;
    // Whoever was told of no task may have asked in vain; none is done that nobody has asked for.
    expect(count('task.asked')).toBeGreaterThanOrEqual(json.tasks.length);
    expect(count('task.ended')).toBe(json.tasks.length);
    // What was stopped before it had a session does not hide what was done last.
    expect((await project.council(['task', 'run', 'again'])).code).toBe(0);
    expect((await project.council(['task', 'list'])).stdout).toContain('again');
  },
);
