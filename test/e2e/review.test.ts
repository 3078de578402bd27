import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Review } from '../../src/review/report.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { addSpeaker, launches, setScript } from '../helpers/speakers.ts';
import { finding, idOf } from '../review/repository.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const BEFORE = 'export async function run(job) {\n  await chargeOnce(job);\n}\n';
const AFTER =
  'export async function run(job) {\n  await charge(job);\n  await charge(job, { again: true });\n}\n';
const TWICE = finding('major', 'queue.js:9', 'await charge(job, { again: true });', 'charges twice');
const LEAK = finding('minor', 'queue.js:1', 'export async function run(job) {', 'no types, says bob');
const INVENTED = finding('blocker', 'queue.js:2', 'await refund(job, amount);', 'refunds twice');
/** The numbers of the first two. */
const [F1, F2] = [
  idOf('queue.js', 'await charge(job, { again: true });'),
  idOf('queue.js', 'export async function run(job) {'),
];
const NOTHING = 'Nothing found.\nLooked at: all of it.\n';

async function projectWithChange(): Promise<Project> {
  const project = await newProject();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      cwd: project.root,
    });
  git('init', '-q', '-b', 'main');
  project.write('queue.js', BEFORE);
  git('add', '-A');
  git('commit', '-qm', 'one');
  project.write('queue.js', AFTER);
  project.write('package-lock.json', '{}\n');
  git('add', '-A');
  git('commit', '-qm', 'two');
  return project;
}

describe.concurrent('council review', () => {
  it('blocks by what two hold, refutes what was invented, and archives it as findings', async () => {
    const project = await projectWithChange();
    addSpeaker(project, 'ana', { COLLECT: { say: TWICE + INVENTED }, CHALLENGE: { say: `${F1}: confirm` } });
    addSpeaker(project, 'bob', { COLLECT: { say: LEAK }, CHALLENGE: { say: `${F2}: confirm\n` } });
    addSpeaker(project, 'cy', {
      COLLECT: { say: NOTHING },
      CHALLENGE: { say: `${F1}: note\n${F2}: reject\n> await charge(job);\nIt is idempotent.` },
    });
    const { code, json } = await project.council<Review>(['review', 'HEAD~1..HEAD', '--json']);
    expect(code).toBe(1);
    expect([json.verdict, json.leftOut]).toEqual(['block', [{ path: 'package-lock.json', reason: 'lock' }]]);
    expect(
      json.findings.map(({ id, standing, place, finders }) => [id, standing, place?.start, finders]),
    ).toEqual([
      [F2, 'contested', 1, ['bob']],
      [F1, 'blocking', 3, ['ana']],
      [idOf('queue.js', 'await refund(job, amount);'), 'refuted', undefined, ['ana']],
    ]);
    const asked = launches(project);
    // Nobody sees what was invented, or who has found what.
    const crossed = asked
      .filter(({ phase }) => phase === 'CHALLENGE')
      .map(({ input }) => input.split('findings of others')[1]!.split('## Who you are')[0]!);
    expect(crossed).toHaveLength(3);
    for (const input of crossed) expect(input).not.toMatch(/refund|\bana\b|\bbob\b/);
    const list = await project.council(['list']);
    expect(list.stdout).toContain('Blocked: 1 finding blocks, 1 is contested');
    const shown = await project.council(['show']);
    expect(shown.stdout).toContain('charges twice');
    // A heading "blocker" is a severity, and no form.
    expect(shown.stdout).not.toContain('Blocking issues');
    const exported = await project.council(['export', 'last', '--format', 'html']);
    expect(exported.stdout.match(/<article class="item /g)).toHaveLength(3);
    expect(exported.stdout).toMatch(/<fieldset class="facet">\s*<legend>Standing<\/legend>/);
  });

  long('asks once more who cannot be read, and ends with 3 where too few can', async () => {
    const project = await projectWithChange();
    addSpeaker(
      project,
      'ana',
      { COLLECT: { say: 'It looks good to me.' }, any: { say: 'I said so.' } },
      { repair: 1 },
    );
    addSpeaker(project, 'bob', { COLLECT: { say: 'Hm.' }, any: { say: TWICE } }, { repair: 1 });
    const { code, json } = await project.council<Review>(['review', 'HEAD~1..HEAD', '--json']);
    expect([code, json.verdict, json.reviewers.map(({ status }) => status)]).toEqual([
      3,
      'none',
      ['unreadable', 'read'],
    ]);
    // Nobody is asked to judge where there can be no verdict.
    expect(
      launches(project)
        .map(({ phase }) => phase)
        .sort(),
    ).toEqual(['', '', 'COLLECT', 'COLLECT']);
  });

  long('passes what nobody objects to, without a cross-round, and files and diffs as well', async () => {
    const project = await projectWithChange();
    for (const id of ['ana', 'bob']) addSpeaker(project, id, { COLLECT: { say: NOTHING } });
    project.write('plan.md', '# Plan\n\nWe move to object storage.\n');
    const passed = await project.council(['review', 'plan.md', '--output', 'review.txt']);
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining('Passed: nothing blocks')]);
    expect(fs.readFileSync(join(project.root, 'review.txt'), 'utf8')).toContain('Passed');
    const diff = execFileSync('git', ['diff', 'HEAD~1', 'HEAD'], { cwd: project.root });
    const given = await project.council<Review>(['review', '--from-diff', '-', '--json'], { input: diff });
    expect([given.code, given.json.files.map(({ path }) => path)]).toEqual([0, ['queue.js']]);
    expect(launches(project).map(({ phase }) => phase)).toEqual(Array(4).fill('COLLECT'));
    expect(launches(project)[0]?.input).toContain('    3 + We move to object storage.');
  });

  long('goes on from the last review that came to a verdict', async () => {
    const project = await projectWithChange();
    const say = (text: string): void => {
      for (const id of ['ana', 'bob']) setScript(project, id, { COLLECT: { say: text }, any: { say: text } });
    };
    for (const id of ['ana', 'bob']) addSpeaker(project, id, { COLLECT: { say: NOTHING } });
    const first = await project.council<Review>(['review', 'HEAD~1..HEAD', '--json']);
    project.write('queue.js', `${AFTER}dropTables();\n`);
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-qam', 'three'], {
      cwd: project.root,
    });
    const review = async (text: string): Promise<Review> => {
      say(text);
      return (await project.council<Review>(['review', '--since', 'last', '--json'])).json;
    };
    // What nobody could read was not reviewed.
    expect([await review('Hm.'), await review(NOTHING)]).toMatchObject([
      { verdict: 'none', base: first.json.head },
      { verdict: 'pass', base: first.json.head },
    ]);
    expect((await project.council(['list'])).stdout).toContain('left open is not in here');
  });

  it('goes on where it was interrupted, and ends with the exit code of its verdict', async () => {
    const project = await projectWithChange();
    for (const id of ['ana', 'bob']) addSpeaker(project, id, { COLLECT: { say: TWICE } });
    addSpeaker(project, 'cy', { COLLECT: { hang: true } });
    const args = ['review', 'HEAD~1..HEAD'];
    const going = project.launch(args);
    await until(
      'two have answered',
      () =>
        ['ana', 'bob'].every((id) => going.output().includes(`${id} responded`)) &&
        launches(project).length === 3,
    );
    going.child.kill('SIGINT');
    const { code, stderr } = await going.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining('the same command and --resume')]);
    setScript(project, 'cy', { COLLECT: { say: NOTHING } });
    const resumed = await project.council([...args, '--resume']);
    expect([resumed.code, resumed.stdout]).toEqual([1, expect.stringContaining('1 finding blocks')]);
    const asked = launches(project).filter(({ phase }) => phase === 'COLLECT');
    expect(asked.map(({ id }) => id).sort()).toEqual(['ana', 'bob', 'cy', 'cy']);
  });

  long('shows what it would do, and refuses what it cannot', async () => {
    const project = await projectWithChange();
    addSpeaker(project, 'ana');
    const alone = { code: 3, stderr: expect.stringContaining('--agents ana,codex') as string };
    expect(await project.council(['review', 'HEAD~1..HEAD'])).toMatchObject(alone);
    addSpeaker(project, 'bob');
    expect(await project.council(['review', 'HEAD~1..HEAD', '--agents', 'ana'])).toMatchObject(alone);
    const plan = await project.council(['review', 'HEAD~1..HEAD', '--dry-run', '--focus', 'security']);
    expect([plan.code, plan.stdout]).toEqual([
      0,
      expect.stringContaining('Review of HEAD~1..HEAD: 1 file in 1 part.'),
    ]);
    expect(plan.stdout).toContain('Look above all at: security.');
    expect(plan.stdout).not.toContain('position:');
    expect(launches(project)).toEqual([]);
    expect((await project.council(['review', '--server', 'http://localhost:1'])).stderr).toContain(
      'council review works in the folder of the project',
    );
    for (const args of [
      ['nowhere..HEAD'],
      ['--staged', 'HEAD'],
      ['queue.js', 'none.js'],
      ['--output', 'no/r.md'],
    ])
      expect(await project.council(['review', ...args])).toMatchObject({ code: 2 });
  });
});
