import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { everythingReadable, isIn } from '../../helpers/postgres/readable.ts';
import { connected, logOf, migratedSchema, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { sealer } from '../../helpers/postgres/sealing.ts';

const server = await sharedPostgres();
const place = server && (await migratedSchema(server));

describe.skipIf(!server)('while a round is open, a sealed text is nowhere', () => {
  it('in what council may read, tables, views, statistics and activity', async () => {
    const canary = `canary-${randomUUID()}`;
    const council = randomUUID();
    await connected(place!.appUrl, async (client) => {
      const seal = sealer(client, place!, council);
      for (let i = 0; i < 200; i++) await seal.put(1, `sealed-${i}`, `${canary} ${i} `.repeat(1 + (i % 50)));
      await connected(server!.url, (root) => root.query(`ANALYZE ${place!.schema}_sealed.texts`));
      // Another one is just being sealed, and yet another waits for it.
      await connected(place!.appUrl, async (writing) => {
        await writing.query('BEGIN');
        await sealer(writing, place!, council).put(1, 'writing', `${canary} writing`);
        const waiting = seal.put(1, 'writing', `${canary} waiting`).catch((error: unknown) => error);
        await connected(place!.appUrl, async (reader) => {
          const { relations, text } = await everythingReadable(reader);
          expect(relations).toBeGreaterThan(100);
          expect(text).toContain('seal_put');
          expect(isIn(canary, text)).toBe(false);
        });
        await writing.query('ROLLBACK');
        expect(await waiting).toBe(true);
      });
      // The search would have found it: that is what a superuser sees.
      await connected(server!.url, async (root) => {
        expect(isIn(canary, (await everythingReadable(root)).text)).toBe(true);
      });
    });
    expect(isIn(canary, logOf(server!))).toBe(false);
  });

  it('in an error, a notice or the log, however a call fails', async () => {
    const canary = `canary-${randomUUID()}`;
    const council = randomUUID();
    const seen: string[] = [];
    const failed = (error: unknown): void => {
      const { message, stack } = error as Error;
      seen.push(message, stack ?? '', JSON.stringify(error));
    };
    await connected(place!.appUrl, async (client) => {
      client.on('notice', (notice) => seen.push(notice.message ?? '', JSON.stringify(notice)));
      await client.query(
        'SET client_min_messages = debug5; SET debug_print_plan = on; SET debug_print_parse = on',
      );
      const seal = sealer(client, place!, council);
      await seal.put(1, 'ana', canary);
      const S = `${place!.schema}_sealed`;
      const calls: [sql: string, values: unknown[]][] = [
        [`SELECT ${S}.seal_put($1, 1, 'ana', $2)`, [council, Buffer.from(`${canary} other`)]],
        [`SELECT ${S}.seal_put($1, 1, $3, $2)`, [council, Buffer.from(canary), 'n'.repeat(300)]],
        [`SELECT ${S}.seal_put($1, NULL, 'ben', $2)`, [council, Buffer.from(canary)]],
        [
          `SELECT ${S}.seal_put($1, 1, 'ben', $2, $3)`,
          [council, Buffer.from(canary), Buffer.alloc(65, canary)],
        ],
        [`SELECT ${S}.seal_reveal($1, 1)`, [council]],
        [`SELECT ${S}.seal_same($1, 'ana', $2)`, [council, Buffer.from('a guess')]],
        [`SELECT ${S}.seal_close($1, 1, $2)`, [council, 'w'.repeat(300)]],
        [`INSERT INTO ${S}.texts (bytes) VALUES ($1)`, [Buffer.from(canary)]],
        [`EXPLAIN (ANALYZE, VERBOSE) SELECT ${S}.seal_size($1, 'ana')`, [council]],
      ];
      for (const [sql, values] of calls) await client.query(sql, values).catch(failed);
      for (const setting of [
        "statement_timeout = '1ms'",
        "lock_timeout = '1ms'",
        "work_mem = '64kB'",
        'default_transaction_read_only = on',
      ]) {
        await client.query(`SET ${setting}`);
        for (const [sql, values] of calls) await client.query(sql, values).catch(failed);
        await client
          .query('RESET statement_timeout; RESET lock_timeout; RESET default_transaction_read_only')
          .catch(failed);
      }
      await client.query('SET client_min_messages = notice');
    });
    expect(seen.length).toBeGreaterThan(20);
    // What a caller has sent comes back in no error; what another has sealed, in nothing at all.
    const told = seen.join('\n');
    expect(told).toMatch(/no other transaction has closed the round/);
    expect(isIn(canary, told)).toBe(false);
    expect(isIn(canary, logOf(server!))).toBe(false);
  });
});
