// A process that posts messages, or creates files, when it is told to begin; or that is woken by what another one does.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postOffice } from '../src/app/messages/ports.ts';
import { projectAt } from '../src/store/local/project.ts';

const [action = '', dir = '', name = '', given = '0'] = process.argv.slice(2);
const count = Number(given);
const CHANNEL = 'general';

const office = postOffice(
  { note: (line) => process.stderr.write(`${line}\n`), env: process.env },
  { project: projectAt(dir) },
);
const post = (n: number, channel = CHANNEL): Promise<unknown> =>
  office.post({ from: name, to: 'ben', channel, kind: 'chat', body: `Message ${n}` });

/** As many bytes as a message has. */
const BYTES = Buffer.alloc(420, 'x');

function create(n: number): void {
  const fd = fs.openSync(join(dir, `${name}-${n}`), 'wx');
  fs.writeSync(fd, BYTES);
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  const folder = fs.openSync(dir, 'r');
  fs.fsyncSync(folder);
  fs.closeSync(folder);
}

/** Milliseconds since the epoch, finer than a millisecond, for two processes of one machine. */
const clock = (): number => performance.timeOrigin + performance.now();

async function begin(): Promise<void> {
  process.stdout.write('ready\n');
  for await (const _ of process.stdin);
}

/** Has another process do something again and again, and prints how long after its beginning `onWake` came. */
async function watched(doing: string, watch: (onWake: () => void) => () => void): Promise<void> {
  let wokenAt: number | undefined;
  const stop = watch(() => (wokenAt ??= clock()));
  const other = spawn(process.execPath, [import.meta.filename, doing, dir, name, given], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let begunAt: number | undefined;
  other.stdout.on('data', (text) => (begunAt = Number(String(text).trim())));
  for (let n = 0; n < count + 1; n++) {
    // What the last one has caused must be over.
    await sleep(30);
    [wokenAt, begunAt] = [undefined, undefined];
    other.stdin.write('go\n');
    while (begunAt === undefined || wokenAt === undefined) await sleep(1);
    // The first one makes folders.
    if (n > 0) process.stdout.write(`${wokenAt - begunAt}\n`);
  }
  other.stdin.end();
  stop();
}

/** Does it once for every line, and prints when it began. */
async function onEachLine(act: (n: number) => unknown): Promise<void> {
  let n = 0;
  for await (const _ of process.stdin) {
    const begunAt = clock();
    await act(n++);
    process.stdout.write(`${begunAt}\n`);
  }
}

switch (action) {
  case 'post':
    // What a process does once, it has done before.
    for (let n = 0; n < 20; n++) await post(n, 'warm-up');
    await begin();
    for (let n = 0; n < count; n++) await post(n);
    break;
  case 'create':
    for (let n = 0; n < 20; n++) create(-1 - n);
    await begin();
    for (let n = 0; n < count; n++) create(n);
    break;
  case 'watch':
    await watched('post-each', (onWake) => office.log.watch(CHANNEL, onWake));
    break;
  case 'watch-bare':
    await watched('create-each', (onWake) => {
      const watcher = fs.watch(dir, onWake);
      return () => watcher.close();
    });
    break;
  case 'post-each':
    await onEachLine((n) => post(n));
    break;
  case 'create-each':
    await onEachLine(create);
    break;
}
