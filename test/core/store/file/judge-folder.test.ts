import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { judgeFolder } from '../../../../src/core/store/file/judge-folder.ts';
import { JUDGED_WITHIN_MS } from '../../../../src/core/store/local/judge-in-time.ts';

it('blames no folder for the time in which this process was busy', async () => {
  const judged = judgeFolder(tmpdir());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, JUDGED_WITHIN_MS + 100);
  expect(await judged).toBeUndefined();
});
