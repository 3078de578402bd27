import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectIn } from '../../helpers/cli.ts';
import { createFakeGitHub } from '../../helpers/fake-github.ts';
import { addSpeaker, launches, setScript } from '../../helpers/speakers.ts';
import type { Script } from '../../helpers/speakers.ts';
import { idOf } from '../repository.ts';
import { IS_SHORT } from '../../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const FOUND = `### major correctness: charges twice
src/queue.ts:20
> await charge(job)
Fails when the first call times out after charging, @octo.
Fix: send a key.`;
const NOTHING = 'Nothing found. I looked at what is called twice.';

/** The numbers of what is found here. */
const ids = {
  twice: idOf('src/queue.ts', 'await charge(job)'),
  comment: idOf('src/queue.ts', '// A job is charged once.', 'documentation'),
};

const github = createFakeGitHub();
const project = projectIn(join(github.root, '..'), github.root);
project.env.PATH = `${github.env.PATH!.split(':')[0]!}:${project.env.PATH}`;
Object.assign(project.env, { FAKE_GITHUB: github.env.FAKE_GITHUB, GH_TOKEN: 'valid-token-of-github' });
afterAll(() => github.remove());

const say = (text: string): Script => ({ COLLECT: { say: text }, CHALLENGE: { say: 'Nothing to judge.' } });
const letSay = (text: string): void => {
  for (const id of ['ada', 'bob']) setScript(project, id, say(text));
};
const review = (...args: string[]) =>
  project.council(['review', '--pr', '7', '--agents', 'ada,bob', '--trust', '--quiet', ...args]);

beforeAll(async () => {
  for (const dir of [project.outside, project.env.HOME!]) fs.mkdirSync(dir, { recursive: true });
  await project.council(['init', '--no-detect']);
  for (const id of ['ada', 'bob']) addSpeaker(project, id);
});

describe('a pull request reviewed on the command line', () => {
  it('is not posted where nobody can be asked, and that costs nothing', async () => {
    const { code, stderr } = await review('--post');
    expect([code, launches(project)]).toEqual([2, []]);
    expect(stderr).toContain('council review --pr 7 --post --yes');
  });

  it('is read by everybody, posted, printed for GitHub and written as SARIF', async () => {
    letSay(FOUND);
    const sarif = join(project.outside, 'review.sarif');
    const { code, stdout, stderr } = await review('--post', '--yes', '--format', 'github', '--output', sarif);
    expect(code, stderr).toBe(1);
    expect(stdout).toMatch(/^::stop-commands::[\w-]+\n/);
    expect(stdout).toContain(
      `\n::error file=src/queue.ts,line=20,endLine=20,title=${ids.twice} major%3A charges twice::`,
    );
    expect(
      (JSON.parse(fs.readFileSync(sarif, 'utf8')) as { runs: { results: unknown[] }[] }).runs[0]!.results,
    ).toHaveLength(1);
    const { comments, threads, reviews } = github.read();
    expect(comments[0]!.body).toContain('Council review: 1 finding blocks');
    expect(threads.map(({ line }) => line)).toEqual([20]);
    expect(reviews.map(({ commit_id }) => commit_id)).toEqual([github.head]);
    expect(stderr).toContain('Pull request 7: summary created; comments on lines: 1.');
    const { input } = launches(project)[0]!;
    expect(input).toContain('> Charge once\n> \n> Please look.');
    expect(github.git('rev-parse', 'HEAD')).toBe(github.base);
  });

  long('goes on from the last review with what that left open, and so from one to the next', async () => {
    letSay(
      `### minor documentation: says nothing\nsrc/queue.ts:1\n> // A job is charged once.\nIt repeats the code.`,
    );
    const text = github.git('show', `${github.head}:src/queue.ts`);
    github.push({ 'src/queue.ts': `// A job is charged once.\n${text}\n` });
    const moved = await review('--since', 'last', '--post', '--yes');
    expect(moved.code, moved.stderr).toBe(1);
    expect(moved.stdout).toContain(`Still there, in another place: ${ids.twice}.`);
    expect(moved.stdout).toContain('src/queue.ts:21');
    expect(moved.stdout).toMatch(/\nArchive: \S+ \([^)]*s\)\n$/);

    letSay(NOTHING);
    const head = github.push({
      'src/queue.ts': `// A job is charged once.\n${text.replace('charge(job)', 'charge(job, key)')}\n`,
    });
    const fixed = await review('--since', 'last', '--post', '--yes');
    expect(fixed.code, fixed.stderr).toBe(0);
    expect(fixed.stdout).toContain(`No longer there since the last review: ${ids.twice}.`);
    expect(fixed.stdout).toContain(`### ${ids.comment} minor, documentation: says nothing`);
    expect(fixed.stderr).toContain('Pull request 7: summary edited; comments on lines: 0.');
    const { comments, threads, edits } = github.read();
    expect([comments.length, threads.length, edits]).toEqual([1, 1, 2]);
    expect(comments[0]!.body).toContain(head.slice(0, 12));
  });

  long('with nothing new says again how it stands, and launches nobody', async () => {
    const before = launches(project).length;
    const { code, stdout, stderr } = await review('--since', 'last', '--post', '--yes');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`### ${ids.comment} minor, documentation: says nothing`);
    expect(launches(project)).toHaveLength(before);
  });

  long(
    'goes to the page of the workflow run where GitHub refuses it, with the exit code of the verdict',
    async () => {
      letSay(FOUND);
      github.reset();
      github.change({ readOnly: true });
      project.env.GITHUB_STEP_SUMMARY = join(project.outside, 'summary.md');
      const { code, stderr } = await review('--post', '--yes');
      expect(code, stderr).toBe(1);
      expect(stderr).toContain('HTTP 403');
      expect(fs.readFileSync(project.env.GITHUB_STEP_SUMMARY, 'utf8')).toContain(
        'Council review: 1 finding blocks',
      );
    },
  );
});
