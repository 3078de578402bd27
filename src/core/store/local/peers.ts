// Finds the processes that are at the other end of a connection on this machine, as the system shows them.
import { readSystemFile, readSystemFolder, readSystemLink, runSystemTool } from './liveness.ts';

/** The two ports of a connection over the loopback address, as the end that was called sees them. */
export interface Ports {
  local: number;
  remote: number;
}

/** The processes that hold the other end; none where the system does not show them. */
export function findPeers({ local, remote }: Ports): number[] {
  if (process.platform !== 'linux')
    return runSystemTool('lsof', ['-nP', '-t', `-iTCP:${remote}`])
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) =>
      parseSockets(readSystemFile(path) ?? '', remote, local),
    ),
  );
  if (sockets.size === 0) return [];
  return readSystemFolder('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      readSystemFolder(`/proc/${pid}/fd`).some((fd) =>
        sockets.has(readSystemLink(`/proc/${pid}/fd/${fd}`) ?? ''),
      ),
    )
    .map(Number);
}

/** The sockets of a table that are bound to the one port and connected to the other. */
const parseSockets = (table: string, bound: number, connected: number): string[] =>
  table.split('\n').flatMap((row) => {
    const [, from = '', to = '', , , , , , , inode] = row.trim().split(/\s+/);
    return parsePort(from) === bound && parsePort(to) === connected ? [`socket:[${inode}]`] : [];
  });

const parsePort = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16);
