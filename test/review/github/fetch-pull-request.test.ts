import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGitHubCaller } from '../../../src/review/github/call-gh.ts';
import { fetchPullRequest, listThreads, readPullRequest } from '../../../src/review/github/pull-request.ts';

import { createFakeGitHub } from '../../helpers/fake-github.ts';
import type { FakeGitHub } from '../../helpers/fake-github.ts';

let github: FakeGitHub;
beforeEach(() => {
  github = createFakeGitHub();
});
afterEach(() => github.remove());

const readOne = () => readPullRequest(createGitHubCaller(github.root, github.env), 7);

describe('a pull request', () => {
  it('is read with its commits, and with what people wrote', async () => {
    const pull = await readOne();
    expect(pull).toEqual({
      ...{
        number: 7,
        repository: 'octo/shop',
        url: 'https://github.invalid/octo/shop',
        viewer: 'github-actions[bot]',
      },
      ...{ title: 'Charge once', body: 'Please look.' },
      ...{ base: github.base, baseBranch: 'main', head: github.head },
    });
    const body = 'Is it called once?';
    github.change({
      threads: [1, 2, 3].map((line) => ({
        path: 'src/queue.ts',
        line,
        isResolved: line === 2,
        by: 'ana',
        body,
      })),
    });
    const threads = await listThreads(createGitHubCaller(github.root, github.env), pull);
    expect(threads.map(({ line, isResolved }) => [line, isResolved])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
    expect(threads[0]!.comments).toEqual([{ author: 'ana', isOwn: false, body }]);
  });

  it('is fetched without a checkout, a branch or a hook, and compared with where it left its base', async () => {
    const ran = join(github.root, '..', 'ran');
    fs.writeFileSync(join(github.root, '.git/hooks/reference-transaction'), `#!/bin/sh\ntouch '${ran}'\n`, {
      mode: 0o755,
    });
    const before = [
      github.git('for-each-ref'),
      github.git('status', '--porcelain'),
      github.git('rev-parse', 'HEAD'),
    ];
    expect(await fetchPullRequest(github.root, github.env, await readOne())).toBe(github.base);
    expect(github.git('cat-file', '-t', github.head)).toBe('commit');
    expect([
      github.git('for-each-ref'),
      github.git('status', '--porcelain'),
      github.git('rev-parse', 'HEAD'),
    ]).toEqual(before);
    expect(fs.existsSync(ran)).toBe(false);
  });

  it('that has moved on meanwhile is not reviewed', async () => {
    const pull = await readOne();
    await expect(
      fetchPullRequest(github.root, github.env, { ...pull, head: 'f'.repeat(40) }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of a repository that cannot be fetched is told with the reason', async () => {
    github.git('remote', 'set-url', 'origin', join(github.root, '..', 'away/octo/shop.git'));
    await expect(fetchPullRequest(github.root, github.env, await readOne())).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('refs/pull/7/head'),
    });
  });

  it('takes no address that names a program', async () => {
    github.git('remote', 'set-url', 'origin', `ext::sh -c touch% ran /octo/shop`);
    await expect(fetchPullRequest(github.root, github.env, await readOne())).rejects.toMatchObject({
      code: 'failed',
    });
    expect(fs.existsSync(join(github.root, 'ran'))).toBe(false);
  });
});
