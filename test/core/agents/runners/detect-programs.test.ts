import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectPrograms, PROGRAMS } from '../../../../src/core/agents/runners/detect-programs.ts';
import { PRESETS } from '../../../../src/core/agents/runner-kind.ts';
import { runs } from '../../../helpers/cli.ts';

let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'council-detect-'));
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const program = (name: string, script: string): void =>
  fs.writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

describe('detecting agent programs', () => {
  it('knows how to ask each preset', () => {
    expect(PROGRAMS.map(({ preset }) => preset)).toEqual([...PRESETS]);
  });

  it('reports version, model or reason, and ends what hangs', async () => {
    const pids = join(dir, 'pids');
    program('claude', 'echo "2.1.0 (Claude Code)"');
    program('codex', `echo $$ >> '${pids}'; sleep 60 & echo $! >> '${pids}'; wait`);
    program('gemini', 'echo "cannot start" >&2; exit 1');
    program(
      'ollama',
      'if [ "$1" = list ]; then echo "no server" >&2; exit 1; fi; echo "ollama version is 0.5.7"',
    );
    program('llm', 'echo "llm, version 0.27.1"');
    fs.writeFileSync(join(dir, 'opencode'), 'not executable');
    const found = await detectPrograms({
      cwd: dir,
      env: { PATH: `${dir}:/usr/bin:/bin` },
      signal: new AbortController().signal,
      answerMs: 1500,
    });
    const facts = Object.fromEntries(
      found
        .filter(({ path }) => path.startsWith(dir))
        .map(({ program: { binary }, version, problem }) => [binary, version ?? problem]),
    );
    expect(facts).toEqual({
      claude: '2.1.0',
      codex: '"codex --version": no answer within 2s',
      gemini: '"gemini --version": exit code 1: cannot start',
      ollama: '0.5.7',
      llm: '0.27.1',
    });
    expect(found.find(({ program: { binary } }) => binary === 'ollama')).toMatchObject({
      model: null,
      problem: 'no models are known: exit code 1: no server',
    });
    const left = fs.readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    expect(left).toHaveLength(2);
    expect(left.filter(runs)).toEqual([]);
  });
});
