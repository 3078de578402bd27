// Plays cases of damage in one process: each damages a fresh copy of a project and calls a few commands on it, as
// `main` of the built program runs them. It tells its parent what it is about to do, so that a hang has a name.
import fs from 'node:fs';
import { join } from 'node:path';
import type * as Program from '../../../src/program/program.ts';
import { damage, diceOf, fingerprint, restored, wordsIn } from './damage.ts';
import type { Dice } from './damage.ts';
import type { Sample } from './sample.ts';
import { CHANGES, LOOKS, TEXT } from './commands.ts';

export interface Orders extends Omit<Sample, 'project'> {
  /** The folder of the built program. */
  program: string;
  seed: number;
  from: number;
  to: number;
  /** No case begins after this (ms since the epoch; null: no end). */
  until: number | null;
}

/** What the parent hears. */
export type News =
  | { type: 'case'; at: number; done: string }
  | { type: 'command'; args: string[] }
  | { type: 'fault'; at: number; fault: string };

const orders = JSON.parse(process.env.FUZZ_ORDERS!) as Orders;
const { roots, originals, canaries, words, ids, seed } = orders;
const tell = (news: News): void => void process.send!(news);

// What is committed here need not survive a power cut.
for (const name of ['fsyncSync', 'fdatasyncSync'] as const) fs[name] = () => undefined;
const printed: string[] = [];
const writeSync = fs.writeSync;
const captured = ((fd: number, data: string | Uint8Array, ...rest: never[]) => {
  if (fd !== 1 && fd !== 2) return writeSync(fd, data as Uint8Array, ...rest);
  printed.push(Buffer.from(data as Uint8Array).toString('utf8'));
  return Buffer.from(data as Uint8Array).length;
}) as typeof fs.writeSync;
fs.writeSync = captured;
process.setMaxListeners(0);

const { main } = (await import(join(orders.program, 'program.js'))) as typeof Program;
const untouched = canaries.map(fingerprint);

for (let at = orders.from; at < orders.to && Date.now() < (orders.until ?? Infinity); at++) await play(at);
process.disconnect();

async function play(at: number): Promise<void> {
  const dice = diceOf(seed, at);
  process.chdir('/');
  restored(roots, originals);
  const done = Array.from({ length: 1 + dice.to(4) }, () =>
    damage({ roots, ids, canary: canaries[dice.to(2)]! }, dice),
  );
  tell({ type: 'case', at, done: done.join('; ') });
  const fault = (what: string): void =>
    tell({ type: 'fault', at, fault: `${what}\n  after ${done.join('; ')}` });
  const before = wordsIn(roots, words);
  for (const args of chosen(dice)) {
    const ended = await run(args);
    if (ended !== undefined) fault(`council ${args.join(' ')}: ${ended}`);
  }
  process.chdir('/');
  const after = wordsIn(roots, [...before]);
  const lost = [...before].filter((word) => !after.has(word));
  if (lost.length > 0) fault(`gone from every file: ${lost.join(', ')}`);
  canaries.forEach((dir, index) => {
    if (fingerprint(dir) !== untouched[index]) fault(`${dir} was touched`);
  });
}

function chosen(dice: Dice): string[][] {
  const [look, change] = [() => dice.pick(LOOKS), () => dice.pick(CHANGES)];
  return [look(), change(), look(), change(), ['status', '--json']];
}

/** Runs one command; undefined when it ended as commands do. */
async function run(line: string[]): Promise<string | undefined> {
  const args = line.map((word) => (word === TEXT ? join(canaries[0]!, 'secret.md') : word));
  tell({ type: 'command', args });
  printed.length = 0;
  const root = roots[0];
  process.chdir(fs.existsSync(root) ? root : join(root, '..'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  try {
    const code = await main(args);
    const said = printed.join('');
    if (/This is a bug in council/.test(said)) return said.slice(0, 1500);
    if (![0, 1, 2, 75, 124, 130].includes(code)) return `exit code ${code}`;
    if (code !== 0 && said === '') return 'it failed and said nothing';
    return undefined;
  } catch (error) {
    return `thrown: ${(error as Error).stack}`;
  }
}
