// The command that plays recorded councils, on a few that were made up.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

it('counts recorded councils by every rule, and by how the decision came about', async () => {
  const { stdout } = await run('npm', ['run', '-s', 'replay', '--', 'test/fixtures/replay'], { cwd: ROOT });
  for (const line of [
    '# 5 recorded councils',
    '| majority | 2 | 1 | 2 | 67 % |',
    '| majority | 3 | 1 | 1 | 75 % |',
    '| blind-first, no move explained | 4 | 0 | 1 | 100 % |',
    // What a row says of its moves counts in both.
    '| blind-first, all explained | 3 | 1 | 1 | 75 % |',
    '| blind-first, no move explained | blind-stood | 1 | 1 (100 %) | 1 |',
    '| majority | overturned | 2 | 1 (50 %) | 1 |',
  ])
    expect(stdout.split('\n')).toContain(line);
});

it('says which line of which file is no recorded council, and how it is called', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'council-replay-'));
  try {
    writeFileSync(join(folder, 'rows.jsonl'), '\n{"truth":"x","first":["x"],"last":[]}\n');
    const replay = (...given: string[]) =>
      run(process.execPath, ['bench/replay.ts', ...given], { cwd: ROOT });
    await expect(replay(folder)).rejects.toThrow('rows.jsonl, line 2, is no recorded council');
    await expect(replay()).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm run replay') as string,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
