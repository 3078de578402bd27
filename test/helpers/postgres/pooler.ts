// A PgBouncer in transaction mode before a server, where that program is installed.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from './ports.ts';
import type { PostgresServer } from './server.ts';
import { PATIENCE_MS } from '../patience.ts';

/** Where PgBouncer is; undefined where it is not installed. */
export const POOLER = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
].find((path) => fs.existsSync(path) && spawnSync(path, ['--version']).status === 0);

/** Starts it before a server, for these roles with their passwords. Resolves to its port. */
export async function startPooler(
  server: PostgresServer,
  users: { name: string; password: string }[],
  connections: number,
): Promise<number> {
  const port = await freePort();
  const settings = join(server.folder, 'pooler.ini');
  const passwords = join(server.folder, 'pooler.txt');
  fs.writeFileSync(passwords, users.map(({ name, password }) => `"${name}" "${password}"\n`).join(''));
  fs.writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${passwords}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
server_reset_query =
`,
  );
  await server.run(POOLER!, settings);
  await vi.waitFor(
    async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
  return port;
}
