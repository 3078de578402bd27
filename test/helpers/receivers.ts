import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { FEATURES } from '../../src/features.ts';
import { createOffice } from '../../src/team/messages/use/open-office.ts';
import { listWaitingMessages } from '../../src/team/messages/message-service.ts';
import { layOutProject } from '../../src/core/store/local/project.ts';

const WORKER = join(import.meta.dirname, 'message-worker.ts');

interface Numbers {
  senders: number;
  receivers: number;
  /** Of each sender. */
  messages: number;
  /** Milliseconds between two kills of a receiver. */
  every: number;
}

/**
 * Processes send, others receive and are killed and started again, until nothing waits any more. Every message must have been
 * received at least once, and first in the order of its sender and priority. Returns how many receivers were killed.
 */
export async function sendAndKill(
  root: string,
  numbers: Numbers,
): Promise<{ kills: number; repeated: number }> {
  const { senders, receivers, messages, every } = numbers;
  const { shared } = layOutProject(root);
  mkdirSync(shared, { recursive: true });
  const names = Array.from({ length: receivers }, (_, i) => `receiver-${i}`);
  const logOf = (name: string): string => join(root, `${name}.log`);
  const begin = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [WORKER, root, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      // Types are stripped of all of council once.
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'compiled') },
    });
  const receive = (name: string): ChildProcess => begin('receive', name, logOf(name));
  const sent = Array.from({ length: senders }, (_, i) =>
    over(begin('send', `sender-${i}`, String(messages), String(receivers))),
  );
  const running = new Map(names.map((name) => [name, receive(name)]));
  const received = (name: string): number => statSync(logOf(name), { throwIfNoEntry: false })?.size ?? 0;
  const before = new Map<string, number>();
  let kills = 0;
  let turns = 0;
  let isSent = false;
  const all = Promise.all(sent).then((codes) => {
    isSent = true;
    return codes;
  });
  const office = createOffice(
    { note: () => undefined, env: process.env, features: FEATURES },
    { project: layOutProject(root) },
  );
  const isWaiting = async (): Promise<boolean> => {
    for (const name of names)
      if ((await listWaitingMessages(office, name, 'general', { limit: 1 })).total > 0) return true;
    return false;
  };
  while (!isSent || (await isWaiting())) {
    await wait(every);
    const name = names[turns++ % receivers]!;
    // On a busy machine one that is killed before it has received anything would be killed for ever.
    if (received(name) === before.get(name)) continue;
    await end(running.get(name));
    kills++;
    before.set(name, received(name));
    running.set(name, receive(name));
  }
  await Promise.all([...running.values()].map(end));
  expect(await all).toEqual(sent.map(() => 0));
  let repeated = 0;
  const wanted = new Set(
    Array.from({ length: messages * senders }, (_, i) => `sender-${i % senders} ${Math.floor(i / senders)}`),
  );
  for (const name of names) repeated += expectInOrder(logOf(name), wanted);
  expect([...wanted]).toEqual([]);
  return { kills, repeated };
}

/** Takes what was received from `wanted`; returns how much came more than once. */
function expectInOrder(path: string, wanted: Set<string>): number {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const last = new Map<string, number>();
  const seen = new Set<string>();
  for (const line of lines) {
    const [id = '', from = '', priority = '', body = ''] = line.split(' ');
    if (seen.has(id)) continue;
    seen.add(id);
    const lane = `${from} ${priority}`;
    expect(Number(body), line).toBeGreaterThan(last.get(lane) ?? -1);
    last.set(lane, Number(body));
    wanted.delete(`${from} ${body}`);
  }
  return lines.length - seen.size;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = over(child);
  child.kill('SIGKILL');
  await ended;
}

const over = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('close', (code) => resolve(code)));
