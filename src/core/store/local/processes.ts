// Finds processes: the ancestors of this one, all with their groups, and the peers of a connection.
import { readSystemFile, runSystemTool, readSystemFolder, readSystemLink } from './liveness.ts';

export interface Ancestor {
  pid: number;
  parent: number;
  /** Its session; its process group if the system does not show sessions. */
  session: number;
  /** The variables it was started with; empty if they are not readable. */
  env: NodeJS.ProcessEnv;
}

type LookUp = (pid: number) => Ancestor | undefined;

/** A longer chain of parents is not real. */
const MOST_STEPS = 256;

/**
 * Returns a process (by default this one) and its ancestors, nearest first, then those of its session leader:
 * a process whose parent has ended still belongs to its session. Empty if the system shows none (Windows). A
 * process that has left both, by a double fork with a session of its own, cannot be traced.
 */
export function listAncestors(look: LookUp = selectLookUp(), pid = process.pid): Ancestor[] {
  const own = look(pid);
  if (!own) return [];
  const found = new Map<number, Ancestor>();
  for (const first of [own, look(own.session)]) {
    let one = first;
    while (one && !found.has(one.pid) && found.size < MOST_STEPS) {
      found.set(one.pid, one);
      one = one.parent > 0 ? look(one.parent) : undefined;
    }
  }
  return [...found.values()];
}

const selectLookUp = (): LookUp => (process.platform === 'linux' ? lookUpInProc : lookUpInTable());

/** A row of the process table. */
interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** Its process group if the system does not show sessions. */
  session: number;
  /** It has ended, and waits to be reaped. */
  isZombie: boolean;
}

/** Lists all visible processes; empty on Windows. */
export function listProcesses(): ProcessRow[] {
  if (process.platform === 'win32') return [];
  if (process.platform === 'linux')
    return readSystemFolder('/proc').flatMap((name) =>
      /^\d+$/.test(name) ? (readRowInProc(Number(name)) ?? []) : [],
    );
  return runSystemTool('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='])
    .split('\n')
    .map((row) => {
      const [pid, parent, group, state = ''] = row.trim().split(/\s+/);
      const session = Number(group);
      return {
        pid: Number(pid),
        parent: Number(parent),
        group: session,
        session,
        isZombie: state.startsWith('Z'),
      };
    });
}

function readRowInProc(pid: number): ProcessRow | undefined {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  // The command name in parentheses may contain spaces and parentheses.
  const [state = '', parent, group, session] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  if (session === undefined) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    isZombie: 'ZXx'.includes(state),
  };
}

function lookUpInProc(pid: number): Ancestor | undefined {
  const row = readRowInProc(pid);
  if (!row) return undefined;
  const pairs = (readSystemFile(`/proc/${pid}/environ`) ?? '')
    .split('\0')
    .filter(Boolean)
    .map((one) => [one.split('=', 1)[0], one.slice(one.indexOf('=') + 1)]);
  const { parent, session } = row;
  return { pid, parent, session, env: Object.fromEntries(pairs) as NodeJS.ProcessEnv };
}

/** Looks up one table of all processes, for systems without /proc. */
function lookUpInTable(): LookUp {
  const table = new Map(
    listProcesses().map(({ pid, parent, session }) => [pid, { pid, parent, session, env: {} }]),
  );
  return (pid) => table.get(pid);
}

/** The two ports of a local connection, from the server's side. */
export interface Ports {
  local: number;
  remote: number;
}

/** Finds the processes at the other end; empty if the system does not show them. */
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

const parseSockets = (table: string, bound: number, connected: number): string[] =>
  table.split('\n').flatMap((row) => {
    const [, from = '', to = '', , , , , , , inode] = row.trim().split(/\s+/);
    return parsePort(from) === bound && parsePort(to) === connected ? [`socket:[${inode}]`] : [];
  });

const parsePort = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16);
