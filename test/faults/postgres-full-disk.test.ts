// A server whose disk is full: what does not fit is refused, what was acknowledged stays, and it goes on once there is space.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { CouncilError } from '../../src/core/base/errors.ts';
import { openPostgres } from '../../src/postgres/store/open.ts';
import { parseDatabaseAddress } from '../../src/postgres/store/place.ts';
import { whyNoMount } from '../helpers/mounts.ts';
import { startPostgres } from '../helpers/postgres/server.ts';
import type { PostgresServer } from '../helpers/postgres/server.ts';
import { connected, migratedSchema, sharedPostgres } from '../helpers/postgres/shared.ts';

const whyNot = whyNoMount();
const there = whyNot === '' && (await sharedPostgres());
const MEGABYTE = 1_048_576;
const disks: string[] = [];
let server: PostgresServer | undefined;
afterAll(async () => {
  await server?.stop();
  for (const disk of disks) {
    execFileSync('umount', [disk]);
    fs.rmdirSync(disk);
  }
});

/** A disk of its own under a folder. */
function diskOf(size: string): string {
  const disk = fs.mkdtempSync(join(tmpdir(), 'council-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'council-test', disk]);
  disks.push(disk);
  return disk;
}

/** Takes all but so many bytes of a disk; returns what gives them back. */
function fill(disk: string, but: number): () => void {
  const ballast = join(disk, '.ballast');
  const { bavail, bsize } = fs.statfsSync(disk);
  fs.writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - but)));
  return () => fs.rmSync(ballast, { force: true });
}

describe.skipIf(!there)(`a full disk of the server${whyNot && ` (skipped: ${whyNot})`}`, () => {
  it('refuses the commit that does not fit, loses nothing that was acknowledged, and goes on', async () => {
    const disk = diskOf('256m');
    server = await startPostgres({ parent: disk, settings: ['max_wal_size=64MB', 'autovacuum=off'] });
    const { appUrl } = await migratedSchema(server);
    const place = parseDatabaseAddress(appUrl, 'the test', { secret: true });
    const opening = { place, direct: place, size: 1, actor: 'tester', readFacts: () => ({}) };
    const { database, documents } = await openPostgres({ ...opening, readConversation: () => undefined });
    const store = documents('council');
    const text = (n: number): string => `${n} ${Buffer.alloc(MEGABYTE, `${n} text `).toString()}`;
    await store.commit('k', text(1), 0);
    const free = fill(disk, 6 * MEGABYTE);

    // Whether tables or the log of the server come to their end first: what is acknowledged is there.
    let acknowledged = 1;
    let refused: CouncilError | undefined;
    while (!refused && acknowledged < 40)
      try {
        acknowledged = await store.commit('k', text(acknowledged + 1), acknowledged);
      } catch (error) {
        expect(error).toBeInstanceOf(CouncilError);
        refused = error as CouncilError;
      }
    expect(refused?.hint).toBeDefined();
    expect(['io', 'commit_uncertain']).toContain(refused?.code);
    console.log(`${acknowledged} acknowledged, then ${refused?.code}: ${refused?.message}`);

    free();
    // A server whose log had no room has ended itself: its owner starts it again.
    await vi
      .waitFor(() => connected(server!.url, (client) => client.query('SELECT 1')), 5000)
      .catch(async () => {
        await server!.end();
        await server!.start();
      });
    const { revision } = (await store.read('k'))!;
    // One that was told as uncertain may be there.
    expect([acknowledged, ...(refused?.code === 'commit_uncertain' ? [acknowledged + 1] : [])]).toContain(
      revision,
    );
    const kept = (await store.versions('k')).filter(({ bytes }) => bytes > 0);
    expect(kept.at(-1)?.revision).toBe(revision);
    for (const one of kept)
      expect((await store.readVersion('k', one.revision)) === text(one.revision), `${one.revision}`).toBe(
        true,
      );
    expect(await store.commit('k', 'there is room again', revision)).toBe(revision + 1);
    await database.end();
  });
});
