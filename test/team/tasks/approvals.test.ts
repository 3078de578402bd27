import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from '../../../src/core/base/ids.ts';
import {
  requestApproval,
  decide,
  hashBoundLaunch,
  mustWait,
  expireApprovals,
} from '../../../src/team/tasks/approvals.ts';
import type { Approvals, ApprovalRequest, LaunchToApprove } from '../../../src/team/tasks/approvals.ts';
import '../../helpers/property-seed.ts';

const NOW = Date.parse('2026-01-11T16:30:00.000Z');
const HOUR = 3_600_000;
const EMPTY: Approvals = { last: 0, all: [] };
const asked = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  kind: 'sub_agent',
  operation: 'launch w1',
  details: { instruction: 'deploy' },
  risk: 'high',
  requester: 'w1',
  hash: sha256('deploy'),
  task: 't1',
  ...more,
});
const at = (ms: number) => ({ now: NOW + ms, timeout: HOUR });
const waiting = (): Approvals => requestApproval(EMPTY, asked(), at(0)).next;
const approved = (): Approvals =>
  decide(waiting(), { id: 'a1', by: 'ana', reason: undefined }, at(1000)).next;

it('waits, is approved, and is used once', () => {
  const again = requestApproval(waiting(), asked(), at(500));
  expect(again).toMatchObject({ result: { verdict: 'waiting', approval: { id: 'a1' } }, next: { last: 1 } });
  const first = requestApproval(approved(), asked(), at(2000));
  expect(first.result).toMatchObject({
    verdict: 'allowed',
    approval: { id: 'a1', status: 'used', by: 'ana' },
  });
  const second = requestApproval(first.next, asked(), at(3000));
  expect(second.result).toMatchObject({ verdict: 'waiting', approval: { id: 'a2', status: 'pending' } });
});

it('may be used again by the attempt that it was used for, and by no other', () => {
  const used = requestApproval(approved(), asked(), { ...at(2000), attempt: 'L1' }).next;
  expect(requestApproval(used, asked(), { ...at(2 * HOUR), attempt: 'L1' }).result.verdict).toBe('allowed');
  expect(requestApproval(used, asked(), { ...at(2500), attempt: 'L2' }).result.verdict).toBe('waiting');
});

it('is replaced by what is asked differently, approved or not, and does not come back', () => {
  const changed = asked({ hash: sha256('deploy twice') });
  for (const before of [waiting(), approved()]) {
    const { next, result } = requestApproval(before, changed, at(2000));
    expect(result).toMatchObject({ verdict: 'waiting', approval: { id: 'a2' } });
    expect(next.all.map(({ status }) => status)).toEqual(['replaced', 'pending']);
    const back = requestApproval(next, asked(), at(3000));
    expect(back.next.all.map(({ status }) => status)).toEqual(['replaced', 'replaced', 'pending']);
    expect(() => decide(back.next, { id: 'a1', by: 'ana', reason: undefined }, at(3000))).toThrow(/replaced/);
  }
  const elsewhere = requestApproval(waiting(), asked({ task: 't2' }), at(2000));
  expect(elsewhere.next.all.map(({ status }) => status)).toEqual(['pending', 'pending']);
});

it('expires as a request and as an approval, and asks anew only where that is wanted', () => {
  expect(requestApproval(waiting(), asked(), at(HOUR)).result.verdict).toBe('expired');
  expect(requestApproval(approved(), asked(), at(HOUR + 999)).result.verdict).toBe('allowed');
  expect(requestApproval(approved(), asked(), at(HOUR + 1000)).result.verdict).toBe('expired');
  expect(() => decide(waiting(), { id: 'a1', by: 'ana', reason: undefined }, at(HOUR))).toThrow(/expired/);
  const again = requestApproval(expireApprovals(waiting(), NOW + HOUR), asked(), {
    ...at(HOUR),
    since: NOW + 2 * HOUR,
  });
  expect(again.result).toMatchObject({ verdict: 'waiting', approval: { id: 'a2' } });
});

it('stays rejected, with the reason, until it is asked again on purpose', () => {
  const rejected = decide(waiting(), { id: 'a1', by: 'ana', reason: 'not today' }, at(1000)).next;
  expect(requestApproval(rejected, asked(), at(2000)).result).toMatchObject({
    verdict: 'rejected',
    reason: 'not today',
  });
  expect(requestApproval(rejected, asked(), { ...at(2000), since: NOW + 1500 }).result.verdict).toBe(
    'waiting',
  );
  expect(() => decide(rejected, { id: 'a1', by: 'ana', reason: undefined }, at(2000))).toThrow(/rejected/);
});

it('is decided by somebody else, twice alike without harm, and can be taken back unused', () => {
  for (const by of ['w1', 'W1', 'w\u200b1', ' w 1', '\uff571'])
    expect(() => decide(waiting(), { id: 'a1', by, reason: undefined }, at(0))).toThrow(/somebody else/);
  expect(() => decide(waiting(), { id: 'a7', by: 'ana', reason: undefined }, at(0))).toThrow(/no approval/);
  const twice = decide(approved(), { id: 'a1', by: 'ben', reason: undefined }, at(5000));
  expect(twice.result).toMatchObject({ by: 'ana', status: 'approved' });
  const back = decide(approved(), { id: 'a1', by: 'ben', reason: 'wait' }, at(5000));
  expect(requestApproval(back.next, asked(), at(6000)).result.verdict).toBe('rejected');
});

it('binds everything that changes what runs, the order of files, variables and tools aside', () => {
  const files = [
    { path: 'a.md', sha256: sha256('a') },
    { path: 'b.md', sha256: sha256('b') },
  ];
  const bound: LaunchToApprove = {
    agent: 'w1',
    command: ['node', 'w.mjs'],
    program: sha256('p'),
    env: ['A', 'B'],
    cwd: '/p',
    isolate: 'none',
    readOnly: true,
    tools: ['Read', 'Grep'],
    persona: sha256('You are w1.'),
    instruction: 'go',
    files,
  };
  const hash = hashBoundLaunch(bound);
  expect(
    hashBoundLaunch({ ...bound, files: [...files].reverse(), env: ['B', 'A'], tools: ['Grep', 'Read'] }),
  ).toBe(hash);
  const others = [
    { ...bound, agent: 'w2' },
    { ...bound, command: ['node w.mjs'] },
    { ...bound, command: ['w.mjs', 'node'] },
    { ...bound, instruction: 'go ' },
    { ...bound, program: null },
    { ...bound, env: ['A'] },
    { ...bound, env: ['A', 'B', 'C'] },
    { ...bound, env: ['A","B'] },
    { ...bound, cwd: '/q' },
    { ...bound, isolate: 'worktree' },
    { ...bound, readOnly: false },
    { ...bound, tools: ['Read', 'Grep', 'Bash'] },
    { ...bound, persona: sha256('You are w2.') },
    { ...bound, files: files.slice(1) },
    { ...bound, files: [files[0]!, { path: 'b.md', sha256: sha256('c') }] },
  ];
  expect(new Set([hash, ...others.map(hashBoundLaunch)]).size).toBe(others.length + 1);
  expect(mustWait('medium', 'high')).toBe(false);
  expect(mustWait('high', 'medium')).toBe(true);
});

type Step =
  | { do: 'ask'; hash: number; task: number; attempt: string | undefined; since: number | undefined }
  | { do: 'decide'; id: number; by: string; reason: string | undefined };

const steps = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: HOUR / 2 }),
    fc.oneof(
      fc.record({
        do: fc.constant('ask' as const),
        hash: fc.integer({ min: 0, max: 2 }),
        task: fc.integer({ min: 0, max: 1 }),
        attempt: fc.option(fc.constantFrom('L1', 'L2'), { nil: undefined }),
        since: fc.option(fc.integer({ min: NOW, max: NOW + 2 * HOUR }), { nil: undefined }),
      }),
      fc.record({
        do: fc.constant('decide' as const),
        id: fc.integer({ min: 1, max: 6 }),
        by: fc.constantFrom('ana', 'w1'),
        reason: fc.option(fc.constant('no'), { nil: undefined }),
      }),
    ),
  ),
  { maxLength: 40 },
);

function played(before: Approvals, step: Step, now: number): { next: Approvals; allowed?: string } {
  const options = { now, timeout: HOUR };
  if (step.do === 'decide') {
    try {
      return { next: decide(before, { ...step, id: `a${step.id}` }, options).next };
    } catch {
      return { next: before };
    }
  }
  const { next, result } = requestApproval(
    before,
    asked({ hash: sha256(`h${step.hash}`), task: `t${step.task}` }),
    {
      ...options,
      ...step,
    },
  );
  // Told to go: somebody else than the requester had approved exactly this, in time.
  if (result.verdict !== 'allowed') return { next };
  const was = before.all.find(({ id }) => id === result.approval.id)!;
  expect(was.hash).toBe(sha256(`h${step.hash}`));
  expect(was.by).toBe('ana');
  expect(was.status === 'used' || Date.parse(was.until) > now).toBe(true);
  if (was.status === 'used') expect(was.usedFor).toBe(step.attempt);
  return { next, ...(was.status === 'approved' && { allowed: was.id }) };
}

it('whatever happens: nothing runs without an approval of its own, and each is used once', () => {
  fc.assert(
    fc.property(steps, (all) => {
      let now = NOW;
      let state = EMPTY;
      const used = new Set<string>();
      for (const [passed, step] of all) {
        now += passed;
        const before = expireApprovals(state, now);
        const { next, allowed } = played(state, step, now);
        if (allowed !== undefined) {
          expect(used.has(allowed)).toBe(false);
          used.add(allowed);
        }
        const isOpen = (one: { status: string }) => one.status === 'pending' || one.status === 'approved';
        for (const task of ['t0', 't1'])
          expect(
            expireApprovals(next, now).all.filter((one) => one.task === task && isOpen(one)).length,
          ).toBeLessThan(2);
        // What is over stays over, word for word; only a rejection may follow an approval.
        for (const one of before.all.filter((other) => !isOpen(other)))
          expect(expireApprovals(next, now).all.find(({ id }) => id === one.id)).toEqual(one);
        state = next;
      }
    }),
  );
});
