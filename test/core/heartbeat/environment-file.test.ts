import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  renderEnvironmentFile,
  readEnvironmentFile,
} from '../../../src/core/app/schedule/schedule-variables.ts';

const AWKWARD = {
  PLAIN: 'sk-abc_123',
  EMPTY: '',
  QUOTES: `it's "quoted"`,
  SHELL: '$HOME `id` $(id) \\$x \\" \\\\ \\n !! # ; & | > ~ *',
  LINES: 'one\ntwo\n\n# three="3"\nEVIL="x"\n',
  SPACES: '  both ends\t',
  ENDS: 'a backslash at the end\\',
  WIDE: 'clé 🔑',
};

let dir = '';
beforeAll(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'council-env-'));
});
afterAll(() => fs.rmSync(dir, { recursive: true }));

/** What a shell makes of it. */
function sourced(text: string, shell: string): Record<string, string> {
  const file = join(dir, 'variables.env');
  fs.writeFileSync(file, text);
  const { stdout, stderr } = spawnSync(
    shell,
    ['-c', `set -a; . "$0"; exec "$1" -p 'JSON.stringify(process.env)'`, file, process.execPath],
    { env: {}, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, string>;
}

describe('the file with the variables of a schedule', () => {
  it.each(['/bin/sh', '/bin/bash'].filter((path) => fs.existsSync(path)))(
    'fault 13: is read by %s as it was meant',
    (shell) => {
      expect(sourced(renderEnvironmentFile('/tmp/a\nb', AWKWARD), shell)).toMatchObject(AWKWARD);
      expect(Object.keys(sourced(renderEnvironmentFile('/x', AWKWARD), shell))).not.toContain('EVIL');
    },
  );

  it('fault 13: is read back as it was written', () => {
    const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/);
    const value = fc.string({ unit: fc.constantFrom('a', '"', '\\', '$', '`', '\n', ' ', '=', 'é') });
    fc.assert(
      fc.property(fc.dictionary(name, value), (variables) => {
        expect(readEnvironmentFile(renderEnvironmentFile('/x', variables))).toEqual({ ...variables });
      }),
    );
  });
});
