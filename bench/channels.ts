import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { postOffice } from '../src/app/messages/ports.ts';
import { readMessages } from '../src/messages/channel.ts';
import { findMessage, newestOf, waitingFor } from '../src/messages/office.ts';
import type { Office } from '../src/messages/office.ts';
import { projectAt } from '../src/store/local/project.ts';
import type { Figure, Timings } from './figure.ts';
import { writeChannel } from './long-channel.ts';
import type { LongChannel } from './long-channel.ts';
import { pairwise } from './measure.ts';

const LONG = 1_000_000;
const SHORT = 1000;
const CHANNEL = 'general';
const WORKER = join(import.meta.dirname, 'channel-worker.ts');

interface Place extends LongChannel {
  office: Office;
}

/** The two channels, made once for all figures over them. */
let places: { long: Place; short: Place } | undefined;

function channels(): { long: Place; short: Place } {
  if (places) return places;
  // A million files are made in memory where that can be: what is compared is the length, not the disk.
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'council-bench-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const made = (name: string, count: number): Place => {
    const root = join(dir, name);
    mkdirSync(root, { recursive: true });
    return { ...writeChannel(projectAt(root).shared, CHANNEL, count), office: officeIn(root) };
  };
  return (places = { long: made('long', LONG), short: made('short', SHORT) });
}

const officeIn = (root: string): Office =>
  postOffice(
    { note: (line) => process.stderr.write(`${line}\n`), env: process.env },
    { project: projectAt(root) },
  );

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** One piece of work in both channels; how long the channel is should make no difference. */
const flat = (name: string, what: string, work: (place: Place) => Promise<unknown>): Figure => ({
  name,
  what: `${what}, in a channel of ${LONG} messages`,
  against: `the same in one of ${SHORT}`,
  goal: 1.5,
  async measure() {
    const { long, short } = channels();
    return pairwise(
      100,
      () => timed(() => work(long)),
      () => timed(() => work(short)),
    );
  },
});

const append = flat('channel-append', 'posting a message', ({ office }) =>
  office.post({ from: 'ana', to: 'ben', channel: CHANNEL, kind: 'chat', body: 'Hello' }),
);

const newest = flat('channel-newest', 'reading the newest 50 messages', async ({ office: { log, warn } }) => {
  const found = await readMessages(log, CHANNEL, { limit: 50, newest: true }, warn);
  if (found.length !== 50) throw new Error(`${found.length} messages were read instead of 50.`);
});

const thread = flat(
  'channel-thread',
  'finding a message and its answers',
  async ({ office, thread: id, answers }) => {
    const asked = await findMessage(office, id);
    if (!asked) throw new Error(`${id} was not found.`);
    const is = ({ replyTo }: { replyTo?: string }): boolean => replyTo === id;
    const found = await newestOf(office, CHANNEL, { limit: 50, from: asked.name, is });
    if (found.length !== answers)
      throw new Error(`${found.length} answers were found instead of ${answers}.`);
  },
);

const unread = flat('channel-unread', 'what waits for one agent', async ({ office }) => {
  const { messages } = await waitingFor(office, 'ben', CHANNEL, { limit: 50, newest: true });
  if (messages.length !== 50) throw new Error(`${messages.length} messages wait instead of 50.`);
});

const SENDERS = 8;
const EACH = 200;

/** Starts the processes, and lets them begin together when all of them are ready. */
async function together(action: string, dirs: string[]): Promise<number> {
  const children = dirs.map((dir, at) =>
    spawn(process.execPath, [WORKER, action, dir, `sender-${at}`, String(EACH)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const start = performance.now();
  await Promise.all(children.map(goOn));
  return performance.now() - start;
}

async function goOn(child: ChildProcess): Promise<void> {
  child.stdin?.end('go');
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`A sender ended with ${code}.`);
}

const senders: Figure = {
  name: 'send-8',
  what: `${SENDERS} processes that post ${EACH} messages each to one channel`,
  against: 'the same processes creating as many files: open, write, fsync, fsync of the folder',
  goal: 2,
  measure(scratch) {
    const fresh = (kind: string, round: number): string[] => {
      const dir = join(scratch, `${kind}-${round}`);
      mkdirSync(dir);
      return Array.from({ length: SENDERS }, () => dir);
    };
    return pairwise(
      9,
      (round) => together('post', fresh('post', round)),
      (round) => together('create', fresh('create', round)),
    );
  },
};

const WAKES = 300;

/** How long it takes until a watcher hears of a file that another process has put there, in milliseconds each time. */
async function wakes(action: string, dir: string): Promise<number[]> {
  const child = spawn(process.execPath, [WORKER, action, dir, 'sender', String(WAKES)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const took: number[] = [];
  const lines = child.stdout.setEncoding('utf8');
  lines.on('data', (text: string) => took.push(...text.split('\n').filter(Boolean).map(Number)));
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The watcher ended with ${code}.`);
  return took;
}

const wake: Figure = {
  name: 'wake',
  what: 'from when a process begins to post a message until a watcher in another one is woken',
  against: 'the same for a bare file and a bare fs.watch',
  goal: 0,
  // p99 has to stay below that; the median does by far.
  allowanceMs: 250,
  async measure(scratch): Promise<Timings> {
    const [ours, bare] = [join(scratch, 'ours'), join(scratch, 'bare')];
    for (const dir of [ours, bare]) mkdirSync(dir);
    return { figure: await wakes('watch', ours), baseline: await wakes('watch-bare', bare) };
  },
};

/** The figures of channels. */
export const channelFigures = [append, newest, thread, unread, senders, wake];
