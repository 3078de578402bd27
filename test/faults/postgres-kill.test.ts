// The server is killed again and again while eight processes commit: what was acknowledged stands, once.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/core/base/ids.ts';
import { startPostgres } from '../helpers/postgres/server.ts';
import type { PostgresServer } from '../helpers/postgres/server.ts';
import { connected, migratedSchema, sharedPostgres } from '../helpers/postgres/shared.ts';

const PROCESSES = 8;
const COMMITS = Number(process.env.COUNCIL_FAULT_COMMITS ?? 1000);
const KILLS = 10;
const there = await sharedPostgres();
let server: PostgresServer | undefined;
afterAll(() => server?.stop());

/** A process that commits, and what it has printed. */
function writer(url: string, name: string): { lines(): string[]; ended: Promise<number | null> } {
  const path = join(import.meta.dirname, '../helpers/postgres/writer.ts');
  const child = spawn(
    process.execPath,
    [path, url, `key-${Number(name.slice(1)) % 3}`, name, String(COMMITS)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  return {
    lines: () => out.split('\n').filter(Boolean),
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
}

describe.skipIf(!there)('kill -9 of the server', () => {
  it(`loses nothing of ${PROCESSES} processes × ${COMMITS} commits`, { timeout: 900_000 }, async () => {
    server = await startPostgres();
    const { schema, appUrl } = await migratedSchema(server);
    const writers = Array.from({ length: PROCESSES }, (_, at) => writer(appUrl, `w${at}`));
    const lines = (): string[] => writers.flatMap((one) => one.lines());
    for (let kill = 1; kill <= KILLS; kill++) {
      const wanted = (PROCESSES * COMMITS * kill) / (KILLS + 1);
      while (lines().length < wanted) await new Promise((resolve) => setTimeout(resolve, 5));
      await server.kill();
      await server.start();
    }
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(Array(PROCESSES).fill(0));

    const rows = await connected(server.url, async (client) => {
      const sql = `SELECT key, revision, hash FROM "${schema}".versions ORDER BY key, revision`;
      return (await client.query<{ key: string; revision: number; hash: string }>(sql)).rows;
    });
    const times = new Map<string, number>();
    for (const { hash } of rows) times.set(hash, (times.get(hash) ?? 0) + 1);
    const told = (word: string): string[] =>
      lines().flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
    expect(told('acknowledged').filter((token) => times.get(sha256(token)) !== 1)).toEqual([]);
    expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
    expect(told('acknowledged').length + told('uncertain').length).toBe(PROCESSES * COMMITS);
    for (const key of new Set(rows.map((row) => row.key))) {
      const revisions = rows.filter((row) => row.key === key).map(({ revision }) => revision);
      expect(revisions).toEqual(revisions.map((_, at) => at + 1));
    }
    console.log(
      `${told('acknowledged').length} acknowledged, ${told('uncertain').length} uncertain, ${rows.length} revisions, ${KILLS} kills`,
    );
  });
});
