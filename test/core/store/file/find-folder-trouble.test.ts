import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { findFolderTrouble } from '../../../../src/core/store/file/find-folder-trouble.ts';
import { CHECK_TIMEOUT_MS } from '../../../../src/core/store/local/wait-for-check.ts';

it('blames no folder for the time in which this process was busy', async () => {
  const trouble = findFolderTrouble(tmpdir());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CHECK_TIMEOUT_MS + 100);
  expect(await trouble).toBeUndefined();
});
