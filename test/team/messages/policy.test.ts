import { describe, expect, it } from 'vitest';
import { codecs } from '../../../src/team/messages/codecs/codecs.ts';
import { createSplitter } from '../../../src/team/messages/split-messages.ts';
import type { RawMessage } from '../../../src/team/messages/split-messages.ts';
import {
  findForbiddingRule,
  isHeartbeatDue,
  isHeartbeatMissed,
  isTransition,
  parseRole,
} from '../../../src/team/messages/policy.ts';

describe('the states of a task', () => {
  it.each([
    ['N', 'R', true],
    ['R', 'D', true],
    ['R', 'F', true],
    ['N', 'X', true],
    ['R', 'X', true],
    ['N', 'D', false],
    ['N', 'F', false],
    ['D', 'R', false],
    ['D', 'X', false],
    ['F', 'R', false],
    ['X', 'N', false],
    ['R', 'N', false],
    ['R', 'R', true],
  ] as const)('%s to %s: %s', (from, to, allowed) => expect(isTransition(from, to)).toBe(allowed));
});

describe('limits', () => {
  it('of heartbeats', () => {
    expect([isHeartbeatDue(undefined, 0), isHeartbeatDue(0, 29_999), isHeartbeatDue(0, 30_000)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([isHeartbeatMissed(0, 90_000), isHeartbeatMissed(0, 90_001)]).toEqual([false, true]);
  });

  it('are not the codecs’: defaults are given by whoever reads', () => {
    const result = codecs.v4.decode('M1|O1>W1|R|T1|-|-|-|action');
    expect(result).toEqual({
      ok: true,
      warnings: [],
      value: { id: 'M1', from: 'O1', to: 'W1', kind: 'request', task: 'T1', body: 'action' },
    });
  });
});

describe('who may send what', () => {
  it.each([
    ['orchestrator', 'leader', 'request', true],
    ['orchestrator', 'worker', 'control', true],
    ['orchestrator', 'worker', 'event', false],
    ['leader', 'worker', 'request', true],
    ['leader', 'worker', 'response', false],
    ['leader', 'leader', 'event', true],
    ['leader', 'leader', 'request', false],
    ['leader', 'orchestrator', 'response', true],
    ['leader', 'orchestrator', 'event', true],
    ['leader', 'orchestrator', 'control', false],
    ['worker', 'leader', 'response', true],
    ['worker', 'leader', 'error', true],
    ['worker', 'leader', 'event', false],
    ['worker', 'worker', 'event', false],
    ['worker', 'worker', 'chat', false],
    ['worker', 'worker', 'ack', true],
    ['worker', 'leader', 'heartbeat', true],
    ['person', 'worker', 'control', true],
    ['worker', 'person', 'request', true],
  ] as const)('%s to %s: %s is %s', (from, to, kind, allowed) =>
    expect(findForbiddingRule(from, to, kind) === undefined).toBe(allowed),
  );

  it('is open where no roles are declared, and a refusal names its rule', () => {
    expect(findForbiddingRule(undefined, 'worker', 'event')).toBeUndefined();
    expect(findForbiddingRule('worker', 'worker', 'event')).toBe(
      'worker to worker: nothing, they do not talk directly',
    );
    expect(findForbiddingRule('leader', 'leader', 'request')).toBe(
      'leader to leader: only event, clarify, update, chat',
    );
    expect(parseRole('sub_agent')).toBe('worker');
    expect(parseRole('boss')).toBeUndefined();
  });

  it('lets a worker hand on only through the orchestrator', () => {
    expect(findForbiddingRule('worker', 'worker', 'handoff')).toContain('through the orchestrator');
    expect(findForbiddingRule('worker', 'worker', 'handoff', { isRelayed: true })).toBeUndefined();
    expect(findForbiddingRule('worker', 'worker', 'response', { isRelayed: true })).toBeUndefined();
  });

  it('lets whoever was asked answer, but not one worker another', () => {
    expect(findForbiddingRule('orchestrator', 'worker', 'response')).toContain('only request, control');
    expect(findForbiddingRule('orchestrator', 'worker', 'response', { isAnswer: true })).toBeUndefined();
    expect(findForbiddingRule('orchestrator', 'worker', 'event', { isAnswer: true })).toContain(
      'only request',
    );
    expect(findForbiddingRule('worker', 'worker', 'response', { isAnswer: true })).toContain('nothing');
  });

  it('takes a type of somebody’s own for talk', () => {
    expect(findForbiddingRule('worker', 'leader', 'review_vote')).toBeUndefined();
    expect(findForbiddingRule('worker', 'worker', 'review_vote')).toContain('nothing');
  });
});

describe('a stream', () => {
  const cut = (format: 'auto' | 'v1' | 'file', text: string, size: number): RawMessage[] => {
    const { push, end } = createSplitter(format);
    const found: RawMessage[] = [];
    for (let at = 0; at < text.length; at += size) found.push(...push(text.slice(at, at + size)));
    return [...found, ...end()];
  };

  it.each([1, 2, 7, 1000])('is the same messages in pieces of %i', (size) => {
    const text = 'M1|a\r\n\n  \nM2|b\n[MSG_01]\r\nFROM: X\n\n\nM3|c';
    expect(cut('auto', text, size)).toEqual([
      { line: 1, text: 'M1|a', isCut: false },
      { line: 4, text: 'M2|b', isCut: false },
      { line: 5, text: '[MSG_01]\nFROM: X', isCut: false },
      { line: 9, text: 'M3|c', isCut: false },
    ]);
    expect(cut('auto', '\n {"a":\n1}\n', size)).toMatchObject([{ line: 1, isCut: false }]);
    expect(cut('auto', '', size)).toEqual([]);
  });

  it('keeps no more of a line than a message may have, and goes on behind it', () => {
    const [long, next] = cut('auto', `${'x'.repeat(3_000_000)}\nM1|a\n`, 65_536);
    expect(long).toMatchObject({ line: 1, isCut: true });
    expect(long!.text.length).toBe(1024 * 1024);
    expect(next).toEqual({ line: 2, text: 'M1|a', isCut: false });
    const [block] = cut('v1', `[MSG_01]\n${'x\n'.repeat(2_000_000)}`, 65_536);
    expect(block!.isCut).toBe(true);
    expect(block!.text.length).toBeLessThanOrEqual(1024 * 1024 + 2);
  });
});
