import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { redact } from '../../../src/core/agents/runners/redact.ts';
import { loadReviewWords } from '../../../src/review/words.ts';
import { createGitHubCaller } from '../../../src/review/github/call-gh.ts';
import { postReview, publishReview, requirePostable } from '../../../src/review/publish-review.ts';
import type { PostResult } from '../../../src/review/publish-review.ts';
import type { Finding, Place, Review } from '../../../src/review/report.ts';
import { createFakeGitHub } from '../../helpers/fake-github.ts';
import { sampleFinding, sampleReview } from '../../helpers/review-sample.ts';

const github = createFakeGitHub();
beforeEach(() => github.reset());
afterAll(() => github.remove());

/** The hunk of the pull request, as git counts it. */
const FILES: Review['files'] = [
  {
    path: 'src/queue.ts',
    change: 'modified',
    hunks: [
      { oldStart: 17, oldLines: 7, newStart: 17, newLines: 7 },
      { oldStart: 27, oldLines: 7, newStart: 27, newLines: 6 },
    ],
  },
];
const at = (start: number, end = start, side: Place['side'] = 'new'): Place => ({
  ...{ file: 'src/queue.ts', side, start, end },
});

const post = (findings: Finding[], given: Partial<Review> = {}): Promise<PostResult> =>
  postReview(
    createGitHubCaller(github.root, github.env),
    sampleReview(findings, { head: github.head, files: FILES, ...given }),
    { number: 7, words: loadReviewWords('en'), clean: (text) => redact(text, ['s3cret-value']) },
  );

describe('whether a review is posted', () => {
  const app = (answer: string | undefined) => ({
    ...{
      cwd: github.root,
      root: github.root,
      env: github.env,
      features: [],
      via: 'cli' as const,
      startedAt: 0,
    },
    ...{ note: () => undefined, progress: () => undefined, setResumeCommand: () => undefined },
    interruption: () => new AbortController().signal,
    ask: answer === undefined ? undefined : async () => answer,
  });
  const publish = (answer: string) =>
    publishReview(app(answer), { pr: 7, yes: false }, sampleReview([], { head: github.head }), 'en');

  it('is asked on a terminal', async () => {
    expect(await publish('')).toEqual(['Nothing was posted.']);
    expect(github.read().calls).toEqual([]);
    expect(await publish('y')).toEqual(['Pull request 7: summary created; comments on lines: 0.']);
  });

  it('is settled before anything is paid for', () => {
    const usage = expect.objectContaining({ code: 'usage' }) as Error;
    expect(() => requirePostable(app('y'), { pr: undefined, yes: true })).toThrow(usage);
    expect(() => requirePostable(app(undefined), { pr: 7, yes: false })).toThrow(usage);
    expect(() => requirePostable(app('y'), { pr: 7, yes: false })).not.toThrow();
    expect(() => requirePostable(app(undefined), { pr: 7, yes: true })).not.toThrow();
  });
});

describe('a review at GitHub', () => {
  it('is one summary, and comments on the lines of what blocks', async () => {
    const posted = await post([
      sampleFinding({ id: 'F1', fingerprint: 'aa', place: at(20) }),
      sampleFinding({ id: 'F2', fingerprint: 'bb', place: at(30, 30, 'old') }),
      sampleFinding({ id: 'F3', standing: 'contested', place: at(20) }),
    ]);
    expect(posted).toMatchObject({ summary: 'created', lines: 2, refused: null });
    const { comments, threads, reviews } = github.read();
    expect(comments.map(({ body }) => body.split('\n')[0])).toEqual(['<!-- council-review -->']);
    expect(comments[0]!.body).toContain('<b>F3</b>');
    expect(reviews).toEqual([{ commit_id: github.head, body: loadReviewWords('en').comment.elsewhere }]);
    expect(threads.map(({ line, body }) => [line, body.split('\n').slice(0, 2)])).toEqual([
      [20, ['<!-- council-finding aa -->', '**F1**, major: retries are not idempotent']],
      [30, ['<!-- council-finding bb -->', '**F2**, major: retries are not idempotent']],
    ]);
  });

  it.each(['', 'x'])('is cut without half a character (%j)', async (before) => {
    const text = before + '🪺'.repeat(2000);
    const wording = { ...sampleFinding().wordings[0]!, text };
    const wordings = Array.from({ length: 30 }, () => wording);
    await post([sampleFinding({ quote: text, wordings, place: at(20) })]);
    const { comments, threads } = github.read();
    expect(threads[0]!.body.length).toBe(60_000);
    for (const { body } of [...comments, ...threads]) expect(body.isWellFormed()).toBe(true);
  });

  it('comments on no line that GitHub refuses: a place is cut to its hunk, and outside of all it stays in the summary', async () => {
    const posted = await post([
      sampleFinding({ fingerprint: 'aa', place: at(1, 40) }),
      sampleFinding({ fingerprint: 'bb', place: at(2, 3) }),
      sampleFinding({ fingerprint: 'cc', place: { ...at(20), file: 'src/other.ts' } }),
      sampleFinding({ fingerprint: 'dd', place: undefined }),
    ]);
    expect(posted).toMatchObject({ summary: 'created', lines: 1, refused: null });
    expect(github.read().threads.map(({ line }) => line)).toEqual([23]);
  });

  it('posted again adds nothing; changed, it edits the summary and comments on what is new alone', async () => {
    const first = sampleFinding({ fingerprint: 'aa', place: at(20) });
    await post([first]);
    expect(await post([first])).toMatchObject({ summary: 'unchanged', lines: 0, refused: null });
    const more = sampleFinding({ fingerprint: 'bb', place: at(21) });
    expect(await post([first, more])).toMatchObject({ summary: 'edited', lines: 1 });
    const { comments, threads, reviews, edits } = github.read();
    expect([comments.length, threads.length, reviews.length, edits]).toEqual([1, 2, 2, 1]);
  });

  it('opens no second thread for what people have resolved, on whatever page of threads it stands', async () => {
    const findings = [20, 21, 22].map((line, index) =>
      sampleFinding({ fingerprint: `f${index}`, place: at(line) }),
    );
    await post(findings);
    github.change({ threads: github.read().threads.map((thread) => ({ ...thread, isResolved: true })) });
    expect(await post(findings)).toMatchObject({ lines: 0 });
    expect(github.read().threads.map(({ isResolved }) => isResolved)).toEqual([true, true, true]);
  });

  it('edits no comment of others, whatever marker stands in it, and finds its own on any page', async () => {
    const marked = '<!-- council-review -->\nmine';
    const chatter = Array.from({ length: 120 }, (_, id) => ({
      id,
      by: id % 2 ? 'octo' : null,
      body: marked,
    }));
    github.change({ comments: chatter });
    const finding = sampleFinding({ fingerprint: 'aa', place: at(20) });
    github.change({
      threads: [
        {
          path: 'src/queue.ts',
          line: 20,
          isResolved: true,
          by: 'github-actions',
          body: '<!-- council-finding aa -->',
        },
      ],
    });
    expect(await post([finding])).toMatchObject({ summary: 'created', lines: 1 });
    expect(await post([finding, sampleFinding()])).toMatchObject({ summary: 'edited' });
    const { comments } = github.read();
    expect(comments).toHaveLength(121);
    expect(comments.slice(0, 120)).toEqual(chatter);
  });

  it('is refused where the head has moved on, and nothing is posted', async () => {
    github.push({ 'src/queue.ts': 'other\n' });
    await expect(post([sampleFinding()])).rejects.toMatchObject({ code: 'conflict' });
    expect(github.read()).toMatchObject({ comments: [], reviews: [] });
  });

  it('says what GitHub refused: the token of a fork may not write', async () => {
    github.change({ readOnly: true });
    const posted = await post([sampleFinding({ place: at(20) })]);
    expect(posted).toMatchObject({ summary: 'refused', lines: 0 });
    expect(posted.refused).toContain('HTTP 403');
    expect(posted.body).toContain('Council review: 1 finding blocks');
    expect(github.read()).toMatchObject({ comments: [], reviews: [] });
  });

  it('says what GitHub refused: a line that is none of the change, with the summary in place', async () => {
    const files = [{ ...FILES[0]!, hunks: [{ oldStart: 1, oldLines: 40, newStart: 1, newLines: 39 }] }];
    const posted = await post([sampleFinding({ place: at(3) })], { files });
    expect(posted).toMatchObject({ summary: 'created', lines: 0 });
    expect(posted.refused).toContain('(HTTP 422) ["Line could not be resolved"]');
    expect(github.read().threads).toEqual([]);
  });

  it('posts no secret', async () => {
    const wordings = [
      {
        by: 'claude',
        severity: 'major' as const,
        title: 't',
        text: 'It logs s3cret-value and ghp_abcdefghijklmnopqrstuv.',
      },
    ];
    await post([sampleFinding({ place: at(20), quote: 'key = "s3cret-value"', wordings })]);
    const { comments, threads } = github.read();
    for (const { body } of [...comments, ...threads]) {
      expect(body).toContain('[redacted]');
      expect(body).not.toMatch(/s3cret-value|ghp_/);
    }
  });

  it('says that nobody is logged in, and that there is no such pull request', async () => {
    github.env.GH_TOKEN = 'expired';
    await expect(post([])).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('Bad credentials'),
    });
    github.env.GH_TOKEN = 'valid';
    github.change({ number: 8 });
    await expect(post([])).rejects.toMatchObject({ message: expect.stringContaining('Could not resolve') });
  });
});
