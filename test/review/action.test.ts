import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listOptions } from '../../src/core/cli/options.ts';
import { specs } from '../../src/program/specs.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): unknown => parse(fs.readFileSync(join(ROOT, name), 'utf8'));

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}
interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: Step[] };
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: { review: { if: string; steps: Step[] } };
}

const action = read('action.yml') as Action;
const EXAMPLES = ['docs/ci/after-label.yml', 'docs/ci/after-tests.yml'];
const steps = [
  action.runs.steps,
  ...EXAMPLES.map((name) => (read(name) as Workflow).jobs.review.steps),
].flat();

describe('the action and its example workflows', () => {
  it('install this version', () => {
    const { version } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(action.inputs.version!.default).toBe(version);
    for (const name of EXAMPLES)
      expect(fs.readFileSync(join(ROOT, name), 'utf8')).toContain(`council@v${version}`);
  });

  it('put nothing of an event into a script, and check out nothing of the change', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with)).toEqual(
      EXAMPLES.map(() => ({ 'fetch-depth': 0, 'persist-credentials': false })),
    );
  });

  it.each(EXAMPLES)('%s may read the code and write to pull requests, and nothing else', (name) => {
    const { on, permissions, jobs } = read(name) as Workflow;
    expect(permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    expect(Object.keys(on)).toEqual([expect.stringMatching(/^(?:pull_request_target|workflow_run)$/)]);
    expect(jobs.review.if).toMatch(/label\.name == 'council-review'|conclusion == 'success'/);
    const given = jobs.review.steps.find(({ uses }) => uses?.includes('/council@'))!.with!;
    for (const input of Object.keys(given)) expect(Object.keys(action.inputs)).toContain(input);
  });

  it('call review with options that it has', () => {
    const folder = fs.mkdtempSync(join(tmpdir(), 'council-action-'));
    try {
      fs.writeFileSync(join(folder, 'council'), '#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/called"\n', {
        mode: 0o755,
      });
      execFileSync('bash', ['-eo', 'pipefail', '-c', action.runs.steps.at(-1)!.run!], {
        env: {
          ...{
            PATH: `${folder}:${process.env.PATH}`,
            RUNNER_TEMP: folder,
            GITHUB_OUTPUT: join(folder, 'output'),
          },
          ...{ AGENTS: 'a b,$(touch x)', PULL_REQUEST: '7', FAIL_ON: 'minor', BUDGET_USD: '2', POST: 'true' },
        },
      });
      const called = fs.readFileSync(join(folder, 'called'), 'utf8').trim().split('\n');
      expect(called).toEqual([
        ...['review', '--pr', '7', '--agents', 'a b,$(touch x)', '--fail-on', 'minor', '--budget-usd', '2'],
        ...['--post', '--format', 'github', '--output', join(folder, 'council.sarif'), '--yes'],
      ]);
      const known = listOptions(specs.find(({ name }) => name === 'review')!.fields).map(
        ({ flags }) => /--[\w-]+/.exec(flags)![0],
      );
      expect(called.filter((word) => word.startsWith('--')).filter((word) => !known.includes(word))).toEqual(
        [],
      );
      expect(fs.readFileSync(join(folder, 'output'), 'utf8')).toBe(
        `sarif=${join(folder, 'council.sarif')}\n`,
      );
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
