import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAgent } from '../../../../src/core/agents/agent.ts';
import {
  buildChildEnvironment,
  createCommandFinder,
  expandPlaceholders,
} from '../../../../src/core/agents/runners/find-command.ts';
import { PRESETS } from '../../../../src/core/agents/runner-kind.ts';
import { redact } from '../../../../src/core/agents/runners/redact.ts';
import { createRunner } from '../../../../src/core/agents/runners/runner.ts';

describe('createRunner', () => {
  it('launches commands, and refuses to launch a human', () => {
    const command = parseAgent('---\ncouncil: { command: [node] }\n---\n', 'agents/sage.md', 'project');
    expect(createRunner(command).speak).toBeTypeOf('function');
    for (const runner of PRESETS) expect(createRunner({ ...command, runner }).speak).toBeTypeOf('function');
    const human = parseAgent('', 'agents/marie.md', 'project');
    expect(() => createRunner(human)).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('council respond marie') }),
    );
  });
});

describe('buildChildEnvironment', () => {
  it('lets council win over declared names, and declared names over the allowlist', () => {
    const parent = {
      HOME: '/home/x',
      LC_TIME: 'fr',
      LCX: 'no',
      XDG_STATE_HOME: '/s',
      XDG_DATA_HOME: '/d',
      A: '1',
      B: '2',
      C: undefined,
    };
    expect(buildChildEnvironment(parent, ['A', 'C'], { A: 'ours', HOME: '/h' })).toEqual({
      HOME: '/h',
      LC_TIME: 'fr',
      XDG_STATE_HOME: '/s',
      XDG_DATA_HOME: '/d',
      A: 'ours',
    });
  });
});

describe('redact', () => {
  it.each([
    ['key sk-proj-abcdefgh1234 refused', 'key [redacted] refused'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted]'],
    ['Authorization: Basic YW5hOnNlY3JldC1zZWNyZXQ=', 'Authorization: Basic [redacted]'],
    ['a basic misunderstanding', 'a basic misunderstanding'],
    ['GET /v1?api_key=abcdef123456&n=1', 'GET /v1?api_key=[redacted]&n=1'],
    ['{"x-api-key": "abcdef123456"}', '{"x-api-key": "[redacted]"}'],
    ['api_key: undefined, set api_key=OPENAI_API_KEY', 'api_key: undefined, set api_key=OPENAI_API_KEY'],
    ['gsk_abcdefgh1234 hf_abcdefgh1234', '[redacted] [redacted]'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
    ['github_pat_11ABCDEFG0abcdefghij', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE!', '[redacted]!'],
    ['jwt eyJhbGciOiJIUzI1.eyJzdWIiOiIx.SflKxw', 'jwt [redacted]'],
    ['xoxb-123456789-abc', '[redacted]'],
    ['COUNCIL_TOKEN=council_aYrIpDKNgLfew9qqvd4uGJLb4nnUcQhq0fwmaypATkk', 'COUNCIL_TOKEN=[redacted]'],
    ['connect http://ana:secret@proxy:3128 failed', 'connect http://[redacted]@proxy:3128 failed'],
    ['see http://localhost:8080/a@b', 'see http://localhost:8080/a@b'],
    ['the bearer of bad news, task-force, risk-averse', 'the bearer of bad news, task-force, risk-averse'],
  ])('%j becomes %j', (text, clean) => {
    expect(redact(text, [])).toBe(clean);
  });

  it('replaces known values, the longest first, and leaves short ones', () => {
    expect(redact('a hunter2-long b hunter2 c 1 $&', ['hunter2', '1', '', 'hunter2-long', '$&'])).toBe(
      'a [redacted] b [redacted] c 1 $&',
    );
  });
});

describe('placeholders', () => {
  it('expands two names and nothing else', () => {
    expect(expandPlaceholders('${NODE}')).toBe(process.execPath);
    expect(expandPlaceholders('a/${COUNCIL_HOME}/b')).toBe(
      `a/${join(import.meta.dirname, '..', '..', '..', '..')}/b`,
    );
    expect(expandPlaceholders('$NODE ${node} ${HOME} ~ $$')).toBe('$NODE ${node} ${HOME} ~ $$');
  });
});

describe('createCommandFinder', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'council-path-'));
    mkdirSync(join(folder, 'bin', 'directory'), { recursive: true });
    for (const [name, mode] of [
      ['bin/tool', 0o755],
      ['bin/text', 0o644],
      ['here.sh', 0o755],
    ] as const) {
      writeFileSync(join(folder, name), '#!/bin/sh\n');
      chmodSync(join(folder, name), mode);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds executable files on PATH or by their path, as a launch would', () => {
    const find = createCommandFinder(folder, { PATH: `/nowhere:${join(folder, 'bin')}` });
    expect(find('tool')).toBe(join(folder, 'bin', 'tool'));
    expect(find('./here.sh')).toBe(join(folder, 'here.sh'));
    expect(find('bin/tool')).toBe(join(folder, 'bin', 'tool'));
    expect(find('${NODE}')).toBe(process.execPath);
    for (const missing of ['text', 'directory', 'here.sh', 'gone', './gone', 'bin/text'])
      expect(find(missing)).toBeUndefined();
    expect(createCommandFinder(folder, {})('tool')).toBeUndefined();
  });
});
