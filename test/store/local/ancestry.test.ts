import { describe, expect, it } from 'vitest';
import { cameFromLaunch } from '../../../src/store/local/ancestry.ts';
import type { Seen } from '../../../src/store/local/ancestry.ts';

const isMarked = ({ COUNCIL_TASK }: NodeJS.ProcessEnv): boolean => COUNCIL_TASK !== undefined;

/** A tree of processes: each with its parent, its session, its arguments and variables. */
const look = (
  ...all: [pid: number, parent: number, session: number, argv: string, env?: NodeJS.ProcessEnv][]
) => {
  const seen = new Map(
    all.map(([pid, parent, session, argv, env = {}]): [number, Seen] => [
      pid,
      { pid, parent, session, argv: argv.split(' '), env },
    ]),
  );
  return (pid: number): Seen | undefined => seen.get(pid);
};
const me = process.pid;
const marked = { COUNCIL_TASK: 'T1' };

describe.runIf(process.platform === 'linux')('where a process came from', () => {
  it('is a person at a shell, an editor that council has opened, or a call of the tool server', () => {
    const person = [100, 1, 100, '-bash'] as const;
    const mine = 'node /x/council.js approvals approve a1';
    expect(cameFromLaunch(isMarked, { look: look([me, 100, 100, mine], [...person]) })).toBe(false);
    const edited = look(
      [me, 102, 100, mine],
      [102, 101, 100, 'vi a.md'],
      [101, 100, 100, 'node council agents edit a'],
      [...person],
    );
    expect(cameFromLaunch(isMarked, { look: edited })).toBe(false);
    const called = look(
      [me, 101, me, 'node /x/dist/call.js'],
      [101, 100, 100, 'node /x/council.js mcp'],
      [...person],
    );
    expect(cameFromLaunch(isMarked, { look: called })).toBe(false);
    expect(cameFromLaunch(isMarked, { look: look() })).toBe(false);
    expect(cameFromLaunch(isMarked)).toBe(false);
  });

  it('is a launch where an ancestor was launched as an agent', () => {
    const tree = look([me, 201, 200, 'node council'], [201, 200, 200, 'sh'], [200, 1, 200, 'claude', marked]);
    expect(cameFromLaunch(isMarked, { look: tree })).toBe(true);
  });

  it('is a launch where council has launched an ancestor that has cleared its environment', () => {
    const tree = look(
      [me, 201, 200, 'node council'],
      [201, 200, 200, 'sh'],
      [200, 150, 200, 'env -i sh'],
      [150, 100, 100, 'node --no-warnings /usr/bin/council task run x'],
      [100, 1, 100, '-bash'],
    );
    expect(cameFromLaunch(isMarked, { look: tree })).toBe(true);
  });

  it('is a launch where a call of a server has launched an ancestor that has cleared its environment', () => {
    const tree = look(
      [me, 201, 200, 'node council'],
      [201, 200, 200, 'sh'],
      [200, 150, 200, 'env -i sh'],
      [150, 140, 150, 'node /x/dist/call.js'],
      [140, 100, 100, 'node /x/council.js serve'],
      [100, 1, 100, '-bash'],
    );
    expect(cameFromLaunch(isMarked, { look: tree })).toBe(true);
  });

  it('is a launch where its parents have gone and its session was begun by one', () => {
    const tree = look([me, 1, 200, 'node council'], [200, 150, 200, 'claude', marked], [1, 0, 1, 'init']);
    expect(cameFromLaunch(isMarked, { look: tree })).toBe(true);
  });

  it('does not go round in circles', () => {
    expect(cameFromLaunch(isMarked, { look: look([me, 7, 7, 'a'], [7, me, 7, 'b']) })).toBe(false);
  });
});
