import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAccessTokenFiles } from '../../src/server/access/token.ts';
import { memoryAccessTokens } from '../helpers/memory-drivers.ts';
import { accessTokensContract } from '../contracts/access-tokens.ts';
import { scratch } from '../core/store/scratch.ts';

function onDisk() {
  const dir = scratch();
  const projectRoot = join(dir, 'project');
  fs.mkdirSync(projectRoot);
  const make = (state = join(dir, 'state')) =>
    openAccessTokenFiles({ env: { XDG_STATE_HOME: state }, projectRoot });
  return { dir, projectRoot, make };
}

accessTokensContract('memory', () => {
  const one = memoryAccessTokens();
  return { one, again: one };
});
accessTokensContract('file', () => {
  const { make } = onDisk();
  return { one: make(), again: make() };
});

const TOKEN = {
  id: '0000000a',
  role: 'admin',
  sha256: 'a'.repeat(64),
  council: null,
  conversationId: null,
  as: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  createdBy: 'ada@here',
  expiresAt: null,
  revokedAt: null,
};

it('keeps access tokens where only their owner can read them, and never inside of the project', async () => {
  const { dir, projectRoot, make } = onDisk();
  await make().add(TOKEN);
  const files = fs
    .readdirSync(join(dir, 'state'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, 'state', name));
  const modes = files.map((file) => [fs.statSync(file).isFile(), fs.statSync(file).mode & 0o077] as const);
  expect(modes.filter(([isFile]) => isFile)).toHaveLength(1);
  if (process.platform !== 'win32') expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
  expect(fs.readdirSync(projectRoot)).toEqual([]);
  await expect(make(join(projectRoot, 'state')).add(TOKEN)).rejects.toMatchObject({
    code: 'unsafe_private_dir',
  });
});

it('counts a token whose file is damaged as one that was made and opens nothing', async () => {
  const { dir, make } = onDisk();
  await make().add(TOKEN);
  const [name] = fs
    .readdirSync(join(dir, 'state'), { recursive: true, encoding: 'utf8' })
    .filter((one) => one.endsWith('.json'));
  fs.writeFileSync(join(dir, 'state', name!), '{"role": "admin", "sha');
  expect(await make().list()).toMatchObject([
    { id: TOKEN.id, role: '', sha256: '', expiresAt: '1970-01-01T00:00:00.000Z' },
  ]);
});
