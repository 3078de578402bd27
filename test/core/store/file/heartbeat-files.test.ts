import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHeartbeatFiles } from '../../../../src/core/store/file/heartbeat-files.ts';
import { heartbeat } from '../../../contracts/heartbeats.ts';
import { scratch } from '../scratch.ts';

it('reads a row once, and anew when it was renewed', async () => {
  const dir = scratch();
  const rows = openHeartbeatFiles(dir);
  const hosts = async () => (await rows.list()).map(({ host }) => host);
  await rows.renew(heartbeat('a', { host: 'first' }));
  const path = join(dir, '.versions', '.heartbeats', 'a.json');
  const at = Math.floor(Date.now() / 1000);
  fs.utimesSync(path, at, at);
  expect(await hosts()).toEqual(['first']);
  // Of the same file, size and time: only who reads it again sees that it is another row.
  fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('first', 'other'));
  fs.utimesSync(path, at, at);
  expect(await hosts()).toEqual(['first']);
  await rows.renew(heartbeat('a', { host: 'third' }));
  expect(await hosts()).toEqual(['third']);
});
