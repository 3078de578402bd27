import { describe, expect, it } from 'vitest';
import { requireSealed, findWaysPastSeal } from '../../../src/postgres/store/inspect-server.ts';
import { connected, migratedSchema, runOn, sharedPostgres } from '../../helpers/postgres/shared.ts';

const server = await sharedPostgres();
const place = server && (await migratedSchema(server));

const look = (url: string): Promise<string[]> =>
  connected(url, async (client) =>
    (await findWaysPastSeal(runOn(client), place!.schema)).map(({ role, way }) => `${role}: ${way}`),
  );

/** With these statements carried out by a superuser, and undone afterwards. */
async function having(done: string, undone: string, work: () => Promise<void>): Promise<void> {
  await connected(server!.url, (root) => root.query(done));
  try {
    await work();
  } finally {
    await connected(server!.url, (root) => root.query(undone));
  }
}

describe.skipIf(!server)('a role that could read sealed texts', () => {
  it('is not the one that was given what council needs', async () => {
    expect(await look(place!.appUrl)).toEqual([]);
    await connected(place!.appUrl, (client) => requireSealed(runOn(client), place!.schema));
  });

  it('is a superuser, and one that migrates', async () => {
    expect(await look(server!.url)).toContain('postgres: is a superuser');
    expect((await look(place!.ownerUrl)).join()).toMatch(/can become the role that owns|may make roles/);
    const refused = connected(server!.url, (root) => requireSealed(runOn(root), place!.schema));
    await expect(refused).rejects.toMatchObject({
      code: 'unsafe_private_dir',
      message: 'This council would not be blind: the role postgres is a superuser.',
    });
  });

  it.each([
    [
      'a member of the owner',
      'GRANT S_sealer TO A',
      'REVOKE S_sealer FROM A',
      'can become the role that owns',
    ],
    [
      'a reader of everything',
      'GRANT pg_read_all_data TO A',
      'REVOKE pg_read_all_data FROM A',
      'may read or change',
    ],
    [
      'a writer of everything',
      'GRANT pg_write_all_data TO A',
      'REVOKE pg_write_all_data FROM A',
      'may read or change',
    ],
    [
      'a reader of the table',
      'GRANT SELECT (bytes) ON S_sealed.texts TO A',
      'REVOKE SELECT (bytes) ON S_sealed.texts FROM A',
      'may read or change',
    ],
    [
      'a trigger on it',
      'GRANT TRIGGER ON S_sealed.texts TO A',
      'REVOKE TRIGGER ON S_sealed.texts FROM A',
      'may read or change',
    ],
    [
      'everybody a reader',
      'GRANT SELECT ON S_sealed.texts TO PUBLIC',
      'REVOKE SELECT ON S_sealed.texts FROM PUBLIC',
      'may read or change',
    ],
    [
      'a maker of functions',
      'GRANT CREATE ON SCHEMA S_sealed TO A',
      'REVOKE CREATE ON SCHEMA S_sealed FROM A',
      'may put something beside',
    ],
    ['a replica', 'ALTER ROLE A REPLICATION', 'ALTER ROLE A NOREPLICATION', 'may copy the whole server'],
    [
      'a reader of files',
      'GRANT pg_read_server_files TO A',
      'REVOKE pg_read_server_files FROM A',
      'may read the files',
    ],
    [
      'a superuser by membership',
      'CREATE ROLE S_root SUPERUSER; GRANT S_root TO A',
      'REVOKE S_root FROM A; DROP ROLE S_root',
      'is a superuser',
    ],
  ])('is %s', async (_name, done, undone, way) => {
    const here = (sql: string): string =>
      sql.replaceAll('S_', `${place!.schema}_`).replace(/\bA\b/g, place!.app);
    await having(here(done), here(undone), async () => {
      expect((await look(place!.appUrl)).join()).toContain(way);
      await connected(place!.appUrl, (client) =>
        expect(requireSealed(runOn(client), place!.schema)).rejects.toMatchObject({
          code: 'unsafe_private_dir',
        }),
      );
    });
    expect(await look(place!.appUrl)).toEqual([]);
  });
});
