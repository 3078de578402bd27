import { expect, it } from 'vitest';
import { sha256 } from '../../../src/core/base/ids.ts';
import { renderJsonDocument } from '../../../src/core/store/documents.ts';
import { memoryStore } from '../../../src/core/store/memory/memory-store.ts';
import { createApprovalDesk } from '../../../src/team/tasks/approval-desk.ts';
import type { ApprovalRequest } from '../../../src/team/tasks/approvals.ts';
import type { ApprovalEvent } from '../../../src/team/tasks/approval-desk.ts';

const asked = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  kind: 'tool',
  operation: 'shell',
  details: { argv: ['rm', '-r', 'build'] },
  risk: 'high',
  requester: 'w1',
  hash: sha256('rm -r build'),
  task: null,
  ...more,
});

function desk() {
  const store = memoryStore();
  const events: ApprovalEvent[] = [];
  const clock = { now: () => Date.parse('2026-01-11T16:30:00.000Z') };
  return {
    store,
    events,
    desk: createApprovalDesk({ store, clock, timeout: 60_000, onEvent: (event) => void events.push(event) }),
  };
}

it('makes one request, lets one of eight use its approval, and tells each change once', async () => {
  const { desk: it_, events } = desk();
  const first = await Promise.all(Array.from({ length: 8 }, () => it_.mayRun(asked())));
  expect(new Set(first.map(({ approval }) => approval.id))).toEqual(new Set(['a1']));
  await Promise.all(['ana', 'ben', 'cy'].map((by) => it_.decide({ id: 'a1', by, reason: undefined })));
  const then = await Promise.all(Array.from({ length: 8 }, () => it_.mayRun(asked())));
  expect(then.filter(({ verdict }) => verdict === 'allowed')).toHaveLength(1);
  expect(events.map(({ what, approval }) => `${what} ${approval.id}`)).toEqual([
    'requested a1',
    'approved a1',
    'used a1',
    'requested a2',
  ]);
});

it('refuses what nobody could read', async () => {
  const { desk: it_ } = desk();
  await expect(it_.mayRun(asked({ details: { text: 'x'.repeat(70_000) } }))).rejects.toMatchObject({
    code: 'too_large',
  });
  await expect(it_.mayRun(asked({ hash: 'abc' }))).rejects.toThrow(/hash/);
});

it('keeps all that wait and the newest of the rest', async () => {
  const { desk: it_ } = desk();
  await it_.mayRun(asked({ task: 'waits' }));
  for (let i = 0; i < 520; i++) await it_.mayRun(asked({ hash: sha256(`${i}`) }));
  const all = await it_.list();
  expect(all).toHaveLength(502);
  expect(all[0]).toMatchObject({ id: 'a1', status: 'pending' });
  expect(all.at(-1)).toMatchObject({ id: 'a521', status: 'pending' });
});

it('believes nothing in its document that is no request', async () => {
  const { desk: it_, store } = desk();
  await it_.mayRun(asked());
  const { revision } = (await store.read('requests'))!;
  const bad = [null, 3, {}, { id: 'a9', status: 'approved' }, { ...(await it_.list())[0], status: 'yes' }];
  await store.commit('requests', renderJsonDocument({ last: '7', all: bad }, revision + 1), revision);
  expect(await it_.list()).toEqual([]);
});
