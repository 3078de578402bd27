import { describe, expect, it } from 'vitest';
import { migrate } from '../../../src/postgres/store/migrate.ts';
import { MIGRATIONS } from '../../../src/postgres/store/migrations/tables.ts';
import type { Migration } from '../../../src/postgres/store/migrations/migration.ts';
import { connected, runOn, sharedPostgres, testSchema } from '../../helpers/postgres/shared.ts';

const server = await sharedPostgres();
const numbers = MIGRATIONS.map(({ number }) => number);

const later: Migration = {
  number: 9000,
  title: 'a later table',
  beside: '7.0.0',
  sql: ({ schema }) => `CREATE TABLE ${schema}.later (id integer)`,
};

describe.skipIf(!server)('migrations', () => {
  it('are numbered upwards, and each says what may go on beside it', () => {
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const { beside } of MIGRATIONS) expect(beside).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('make everything once, and then have nothing left to do', async () => {
    const { schema, app, ownerUrl, appUrl } = await testSchema(server!);
    const options = { schema, appRole: app, dryRun: false };
    const first = await connected(ownerUrl, (owner) => migrate(runOn(owner), options));
    expect(first).toMatchObject({ schema, at: numbers.at(-1), roles: [app] });
    expect(first.applied.map(({ number }) => number)).toEqual(numbers);
    const second = await connected(ownerUrl, (owner) => migrate(runOn(owner), { schema, dryRun: false }));
    expect(second).toMatchObject({ applied: [], at: numbers.at(-1), roles: [app] });
    await connected(appUrl, async (client) => {
      await client.query(
        `SELECT * FROM ${schema}.heads JOIN ${schema}.versions USING (project, key, revision)`,
      );
      await client.query(`SELECT ${schema}_sealed.seal_list('none')`);
    });
  });

  it('may be begun twice at once: both succeed, and one of them does it', async () => {
    const { schema, app, ownerUrl } = await testSchema(server!);
    const both = await Promise.all(
      [1, 2].map(() =>
        connected(ownerUrl, (owner) => migrate(runOn(owner), { schema, appRole: app, dryRun: false })),
      ),
    );
    expect(both.map(({ applied }) => applied.length).sort()).toEqual([0, numbers.length]);
  });

  it('tell in a dry run what they would do, and leave nothing', async () => {
    const { schema, app, ownerUrl } = await testSchema(server!);
    await connected(ownerUrl, async (owner) => {
      const told = await migrate(runOn(owner), { schema, appRole: app, dryRun: true });
      expect(told).toMatchObject({ at: numbers.at(-1), roles: [app] });
      const { rows } = await owner.query(
        `SELECT nspname::text AS name FROM pg_namespace WHERE starts_with(nspname, $1)
         UNION ALL SELECT rolname FROM pg_roles WHERE rolname = $1 || '_sealer'`,
        [schema],
      );
      expect(rows).toEqual([]);
    });
  });

  it('give a role what it needs and no more, also for tables that come later', async () => {
    const { schema, app, owner, ownerUrl, appUrl } = await testSchema(server!);
    await connected(ownerUrl, (one) => migrate(runOn(one), { schema, appRole: app, dryRun: false }));
    await connected(ownerUrl, async (one) => {
      await one.query(`GRANT TRUNCATE ON ${schema}.heads TO ${app}`);
      await migrate(runOn(one), { schema, dryRun: false });
    });
    const refused = [
      `DELETE FROM ${schema}.versions`,
      `DELETE FROM ${schema}.heads`,
      `TRUNCATE ${schema}.heads`,
      `CREATE TABLE ${schema}.own (id integer)`,
      `INSERT INTO ${schema}.migrations (number, title, beside) VALUES (8, '', '')`,
      `UPDATE ${schema}.messages SET text = ''`,
      `UPDATE ${schema}.access_tokens SET role = 'admin'`,
      `DELETE FROM ${schema}.access_tokens`,
      `SELECT * FROM ${schema}_sealed.texts`,
      `SELECT * FROM ${schema}_sealed.tours`,
      `CREATE FUNCTION ${schema}_sealed.own() RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
      `SET ROLE ${schema}_sealer`,
      `SET ROLE ${owner}`,
    ];
    await connected(appUrl, async (client) => {
      for (const sql of refused)
        await expect(client.query(sql), sql).rejects.toMatchObject({ code: '42501' });
    });
  });

  it('let nobody become the owner of the sealed texts afterwards, who migrates included', async () => {
    const { schema, ownerUrl } = await testSchema(server!);
    await connected(ownerUrl, async (owner) => {
      await migrate(runOn(owner), { schema, dryRun: false });
      await expect(owner.query(`SET ROLE ${schema}_sealer`)).rejects.toMatchObject({ code: '42501' });
      await expect(owner.query(`SELECT * FROM ${schema}_sealed.texts`)).rejects.toMatchObject({
        code: '42501',
      });
    });
  });

  it('refuse a schema that a newer council has been at, by name', async () => {
    const { schema, ownerUrl } = await testSchema(server!);
    await connected(ownerUrl, async (owner) => {
      await migrate(runOn(owner), { schema, dryRun: false, migrations: [...MIGRATIONS, later] });
      await expect(migrate(runOn(owner), { schema, dryRun: false })).rejects.toMatchObject({
        code: 'failed',
        message: `The schema ${schema} has been through migration 9000 (a later table), which this council does not know.`,
      });
      const added = await migrate(runOn(owner), {
        schema,
        dryRun: false,
        migrations: [...MIGRATIONS, later, { ...later, number: 9001, sql: () => 'SELECT 1' }],
      });
      expect(added.applied).toEqual([{ number: 9001, title: 'a later table', beside: '7.0.0' }]);
    });
  });

  it('change nothing where one of them fails', async () => {
    const { schema, ownerUrl } = await testSchema(server!);
    await connected(ownerUrl, async (owner) => {
      const broken = { ...later, sql: () => 'SELECT nothing_of_that_name' };
      await expect(
        migrate(runOn(owner), { schema, dryRun: false, migrations: [...MIGRATIONS, broken] }),
      ).rejects.toMatchObject({ code: '42703' });
      expect(await migrate(runOn(owner), { schema, dryRun: true })).toMatchObject({ at: numbers.at(-1) });
      const { rows } = await owner.query('SELECT to_regnamespace($1) AS there', [schema]);
      expect(rows).toEqual([{ there: null }]);
    });
  });

  it('say what a superuser has to do where the owner may not make roles', async () => {
    const { schema, owner, ownerUrl } = await testSchema(server!);
    await connected(server!.url, (root) => root.query(`ALTER ROLE ${owner} NOCREATEROLE`));
    const attempt = (): Promise<unknown> =>
      connected(ownerUrl, (client) => migrate(runOn(client), { schema, dryRun: false }));
    await expect(attempt()).rejects.toMatchObject({
      code: 'failed',
      message: `${owner} may not do this here: CREATE ROLE "${schema}_sealer" NOLOGIN`,
      hint: `Only the owner of the database migrates it. For ${owner}, if that is the owner, a superuser does once: CREATE ROLE "${schema}_sealer" NOLOGIN; GRANT "${schema}_sealer" TO ${owner}`,
    });
    await connected(server!.url, (root) =>
      root.query(`CREATE ROLE "${schema}_sealer" NOLOGIN; GRANT "${schema}_sealer" TO ${owner}`),
    );
    expect(await attempt()).toMatchObject({ at: numbers.at(-1) });
  });

  it('refuse a role that is not there, and one for the sealed texts that can log in', async () => {
    const { schema, ownerUrl } = await testSchema(server!);
    await connected(ownerUrl, async (owner) => {
      await expect(
        migrate(runOn(owner), { schema, appRole: `${schema}_no"body`, dryRun: false }),
      ).rejects.toMatchObject({
        message: `There is no role ${schema}_no"body on this server.`,
        hint: `CREATE ROLE "${schema}_no""body" LOGIN PASSWORD '…'`,
      });
      await owner.query(`CREATE ROLE ${schema}_sealer LOGIN`);
      await expect(migrate(runOn(owner), { schema, dryRun: false })).rejects.toMatchObject({
        message: `The role ${schema}_sealer is to own the sealed texts, but somebody can log in as it.`,
      });
    });
  });
});
