// Several hosts on one machine: processes with a host name and pids of their own, and a network that can be cut.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { CLI } from './cli.ts';
import type { Project } from './cli.ts';

/** Who is not root may still be it in a user namespace of their own. */
const NAMESPACES = [...(process.getuid?.() === 0 ? [] : ['-U', '-r']), '-u'];
const OWN_PIDS = ['-p', '-f', '--mount-proc', '--kill-child'];

/** Why no hosts can be made here; empty when they can. */
export function whyNoHosts(): string {
  const { status } = spawnSync('unshare', [...NAMESPACES, ...OWN_PIDS, 'sh', '-c', 'hostname elsewhere']);
  return status === 0 ? '' : 'unshare makes no host of its own here';
}

/** A command of council on a host of its own. */
export interface OnHost {
  output(): string;
  /** To council itself. */
  signal(signal: NodeJS.Signals): void;
  ended: Promise<number | null>;
}

const hosts = new Set<ChildProcess>();
afterAll(() => {
  for (const host of hosts) host.kill('SIGKILL');
});

/** `ownPids`: it sees no process of another host, and none of these sees its own. */
export function onHost(
  host: string,
  project: Project,
  args: string[],
  { env = {}, ownPids = true }: { env?: Record<string, string>; ownPids?: boolean } = {},
): OnHost {
  const child = spawn(
    'unshare',
    [
      ...NAMESPACES,
      ...(ownPids ? OWN_PIDS : []),
      ...['sh', '-c', 'hostname "$0" && exec "$@"', host, process.execPath, CLI, ...args],
    ],
    { cwd: project.root, env: { ...project.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  hosts.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      hosts.delete(child);
      resolve(code);
    }),
  );
  return {
    output: () => output,
    signal: (signal) => void process.kill(ownPids ? childOf(child.pid!) : child.pid!, signal),
    ended,
  };
}

/** With pids of its own it is the child of unshare, which waits for it. */
function childOf(pid: number): number {
  const { stdout } = spawnSync('ps', ['--ppid', String(pid), '-o', 'pid='], { encoding: 'utf8' });
  return Number(stdout.trim().split('\n')[0]);
}

/** A way to a port of this machine, which swallows everything from when it is cut until it is mended. */
export async function wayTo(port: number) {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const way = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        (socket === near ? far : near).destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
    if (isCut) for (const socket of [near, far]) socket.pause();
  });
  await new Promise<void>((listening) => way.listen(0, '127.0.0.1', listening));
  afterAll(() => {
    way.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (way.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
