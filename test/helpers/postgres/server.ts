// Starts a real PostgreSQL server on this machine for tests, measurements and the demonstration.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface KeeperOptions {
  /** Settings of the server, such as `fsync=off`. */
  settings?: string[];
  /** Where its folder is made; without it the system's folder for temporary files. */
  parent?: string;
  /** The folder of another server that this one follows, with the password of its superuser. */
  copyOf?: string;
  password?: string;
  /** The folder of other programs than those that are installed with council's tests. */
  bin?: string;
}

/** What the keeper tells of its server. */
export interface Kept {
  port: number;
  password: string;
  folder: string;
  bin: string;
}

export interface PostgresServer extends Kept {
  /** As superuser, in the database that every server has. */
  url: string;
  /** What the server has logged. */
  log(): string;
  /** kill -9 to the server itself; its other processes follow. */
  kill(): Promise<void>;
  /** As an owner stops it, connections or not. */
  end(): Promise<void>;
  /** Starts it again, on its port, with these settings beside its own. */
  start(...settings: string[]): Promise<void>;
  /** Runs a program as the server's user, in its folder, until the server is stopped for good. */
  run(program: string, ...args: string[]): Promise<void>;
  /** Ends it for good, and removes its folder. */
  stop(): Promise<void>;
}

/** Rejects with a sentence that says why no server can run here. */
export async function startPostgres(options: KeeperOptions = {}): Promise<PostgresServer> {
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts'), JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(keeper, 'exit');
  const lines = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    const said = done
      ? { why: 'The keeper of the server ended.' }
      : (JSON.parse(value) as T | { why: string });
    if (typeof said === 'object' && said !== null && 'why' in said) throw new Error(said.why);
    return said;
  };
  const pipes = [keeper.stdin, keeper.stdout] as Socket[];
  const ask = async (...words: string[]): Promise<void> => {
    for (const pipe of pipes) pipe.ref();
    keeper.stdin.write(`${JSON.stringify(words)}\n`);
    await next().finally(() => pipes.forEach((pipe) => pipe.unref()));
  };
  const kept = await next<Kept>();
  // It must not keep a process alive that has nothing else to do.
  keeper.unref();
  for (const pipe of pipes) pipe.unref();
  return {
    ...kept,
    url: `postgres://postgres:${kept.password}@127.0.0.1:${kept.port}/postgres`,
    log: () => fs.readFileSync(join(kept.folder, 'server.log'), 'utf8'),
    kill: () => ask('kill'),
    end: () => ask('end'),
    start: (...settings) => ask('start', ...settings),
    run: (...command) => ask('run', ...command),
    async stop() {
      keeper.stdin.end();
      keeper.ref();
      await exited;
    },
  };
}
