import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, vi } from 'vitest';
import { connected, sharedPostgres, testSchema } from '../../helpers/postgres/shared.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';

const server = await sharedPostgres();
const HELPERS = join(import.meta.dirname, '..', '..', 'helpers', 'postgres');

describe.skipIf(!server)('the server of the tests', () => {
  it('speaks UTF-8, sorts by bytes, and listens on this machine only', async () => {
    const settings = await connected(server!.url, async (client) => {
      const { rows } = await client.query<{ name: string; setting: string }>(
        `SELECT name, setting FROM pg_settings
          WHERE name IN ('server_encoding', 'listen_addresses', 'unix_socket_directories', 'fsync')
         UNION ALL SELECT 'collate', datcollate FROM pg_database WHERE datname = current_database()`,
      );
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    });
    expect(settings).toEqual({
      server_encoding: 'UTF8',
      collate: 'C',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'on',
    });
  });

  it('has two roles for each file that asks, and neither is a superuser', async () => {
    const { ownerUrl, appUrl } = await testSchema(server!);
    for (const url of [ownerUrl, appUrl])
      await connected(url, async (client) => {
        const { rows } = await client.query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
        expect(rows).toEqual([{ rolsuper: false }]);
      });
  });

  it('leaves nothing behind when the one that started it is killed', async () => {
    const owner = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { startPostgres } = await import(process.argv[1]);
         const { port, folder } = await startPostgres();
         console.log(JSON.stringify({ port, folder }));
         setInterval(() => {}, 1000);`,
        join(HELPERS, 'server.ts'),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
    const { port, folder } = JSON.parse(line) as { port: number; folder: string };
    expect(await answers(port)).toBe(true);
    owner.kill('SIGKILL');
    await vi.waitFor(() => expect(fs.existsSync(folder)).toBe(false), PATIENCE_MS);
    expect(await answers(port)).toBe(false);
  });
});

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
