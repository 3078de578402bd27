import { describe, expect, it } from 'vitest';
import { listAncestors } from '../../../../src/core/store/local/processes.ts';
import type { Ancestor } from '../../../../src/core/store/local/processes.ts';

/** A tree of processes: each with its parent and its session. */
const look = (...all: [pid: number, parent: number, session: number][]) => {
  const seen = new Map(all.map(([pid, parent, session]) => [pid, { pid, parent, session, env: {} }]));
  return (pid: number): Ancestor | undefined => seen.get(pid);
};
const me = process.pid;
const pidsIn = (...tree: Parameters<typeof look>): number[] =>
  listAncestors(look(...tree)).map(({ pid }) => pid);

describe.runIf(process.platform === 'linux')('the processes that this one was started by', () => {
  it('are its parents, nearest first, then those of its session', () => {
    expect(pidsIn([me, 102, 100], [102, 101, 100], [101, 100, 100], [100, 1, 100])).toEqual([
      me,
      102,
      101,
      100,
    ]);
    // Its own parent has ended.
    expect(pidsIn([me, 1, 200], [1, 0, 1], [200, 150, 200], [150, 1, 150])).toEqual([me, 1, 200, 150]);
  });

  it('end where a process is gone, and where they go round', () => {
    expect(pidsIn([me, 300, 400])).toEqual([me]);
    expect(pidsIn([me, 301, me], [301, me, me])).toEqual([me, 301]);
    expect(pidsIn()).toEqual([]);
  });

  it('are found in this system, with what they began with', () => {
    const [own, parent] = listAncestors();
    expect(own).toMatchObject({ pid: process.pid, parent: parent?.pid });
    expect(own?.env.PATH).toBe(process.env.PATH);
  });
});
