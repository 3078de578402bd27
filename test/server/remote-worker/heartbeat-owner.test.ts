import { expect, it } from 'vitest';
import { requireOwnRow } from '../../../src/server/remote-worker/worker-ports.ts';
import { memoryHeartbeats } from '../../helpers/memory-drivers.ts';
import { heartbeat } from '../../contracts/heartbeats.ts';

function rowsAt() {
  const clock = { now: 0 };
  const rows = memoryHeartbeats(() => clock.now);
  const renew = async (id: string, token: string): Promise<void> => {
    const row = heartbeat(id, { token });
    await requireOwnRow(rows, row);
    await rows.renew(row);
  };
  return { clock, rows, renew, ids: async () => (await rows.list()).map(({ id }) => id) };
}

it('a token has no more heartbeats than it may have, and keeps out no other one', async () => {
  const { clock, rows, renew, ids } = rowsAt();
  await renew('other', 'second');
  for (let count = 0; count < 256; count++) await renew(`w${count}`, 'first');
  await expect(renew('more', 'first')).rejects.toMatchObject({ code: 'conflict' });
  await renew('w7', 'first');
  await renew('more', 'second');
  // Those that are dead leave their places, and nobody else's.
  clock.now = 29_000;
  for (const id of ['other', 'w7'])
    await rows.renew(heartbeat(id, { token: id === 'w7' ? 'first' : 'second' }));
  clock.now = 31_000;
  await renew('new', 'first');
  expect(await ids()).toEqual(['more', 'new', 'other', 'w7']);
});

it('says of itself what a row holds, and no more', async () => {
  const { rows } = rowsAt();
  const row = (count: number) =>
    heartbeat('large', {
      agents: Object.fromEntries(Array.from({ length: count }, (_, at) => [`agent-${at}`, 'a'.repeat(64)])),
    });
  await requireOwnRow(rows, row(500));
  await expect(requireOwnRow(rows, row(1000))).rejects.toMatchObject({ code: 'too_large' });
});
