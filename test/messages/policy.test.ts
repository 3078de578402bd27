import { describe, expect, it } from 'vitest';
import { codecs } from '../../src/messages/codecs/codecs.ts';
import { conversation } from '../../src/messages/conversation.ts';
import { splitter } from '../../src/messages/records.ts';
import type { RawMessage } from '../../src/messages/records.ts';
import type { LineVersion } from '../../src/messages/codecs/grammar.ts';
import {
  forbidden,
  isHeartbeatDue,
  isHeartbeatMissed,
  isTransition,
  roleOf,
  withDefaults,
} from '../../src/messages/policy.ts';
import { linesOf } from './samples.ts';

/** The code of what is wrong with each line of a conversation; ok where nothing is. */
function codesOf(version: LineVersion, lines: string[]): string[] {
  const hear = conversation();
  return lines.map((line) => {
    const result = codecs[version].decode(line);
    if (!result.ok) return result.error.code;
    const fault = hear(result.value, version);
    return fault ? fault.error.code : 'ok';
  });
}

const v5 = (state: string, type = 'U', more = ''): string =>
  `M1|W1>O1|${type}|T1|P1|${state}|-|0|S1|-|x${more}`;

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

  it('are followed through a conversation: E15', () => {
    expect(codesOf('v5', [v5('N'), v5('R'), v5('D'), v5('R')])).toEqual(['ok', 'ok', 'ok', 'E15']);
    expect(codesOf('v5', [v5('N'), v5('D')])).toEqual(['ok', 'E15']);
    expect(codesOf('v5', [v5('N', 'R'), v5('D', 'S')])).toEqual(['ok', 'ok']);
    expect(codesOf('v5', [v5('N', 'R'), v5('R'), v5('N', 'R')])).toEqual(['ok', 'ok', 'E15']);
    expect(codesOf('v5', [v5('N', 'R'), v5('F', 'E'), v5('N', 'R', ';retry=1')])).toEqual(['ok', 'ok', 'ok']);
    expect(
      codesOf('v4', ['M1|O1>W1|R|T1|-|N|-|a', 'M2|W1>O1|S|T1|-|D|-|b', 'M3|W1>O1|U|T1|-|X|-|c']),
    ).toEqual(['ok', 'ok', 'E15']);
  });

  it('say what was and what was wanted', () => {
    const hear = conversation();
    for (const line of [v5('D'), v5('R')]) {
      const result = codecs.v5.decode(line);
      const fault = result.ok ? hear(result.value, 'v5') : result;
      if (line === v5('R'))
        expect(fault).toEqual({
          ok: false,
          error: { code: 'E15', segment: 6, name: 'state', expected: 'nothing after D', received: 'D>R' },
        });
    }
  });

  it('were no matter before V4, and registrations have none', () => {
    expect(codesOf('v3', linesOf('v3'))).toEqual(linesOf('v3').map(() => 'ok'));
    expect(codesOf('v4', linesOf('v4'))).toEqual(linesOf('v4').map(() => 'ok'));
  });

  it.each([
    ['a request and its answer', 'web_search;query=latest', 3],
    ['a task that is handed on', 'analyze_code', 5],
    ['a person who is asked', 'Quel format de rapport', 3],
    ['an agent that registers', 'Web research agent', 4],
  ])('are right in the example of %s', (_, text, count) => {
    const lines = linesOf('v5');
    const from = lines.findIndex((line) => line.includes(text));
    expect(codesOf('v5', lines.slice(from, from + count))).toEqual(Array(count).fill('ok'));
  });
});

describe('limits', () => {
  const handedOn = (depth: number): string => `M2|W1>W2|X|T1|P1|R|-|${depth}|S1|-|call=x`;
  const question = 'M2|W1>O1|C|T1|P1|R|-|0|S1|-|question=which?';
  const answer = 'M3|O1>W1|C|T1|P1|R|-|0|S1|-|answer=this';

  it('of depth, for what is handed on: E16', () => {
    expect(codesOf('v5', [1, 2, 3, 4, 5].map(handedOn))).toEqual(['ok', 'ok', 'ok', 'E16', 'E16']);
  });

  it('of questions about a task, answers not counted: E18', () => {
    expect(codesOf('v5', [question, answer, question, answer, question])).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
      'E18',
    ]);
    expect(codesOf('v5', [question, question, question.replace('T1', 'T2')])).toEqual(['ok', 'ok', 'ok']);
  });

  it('of references, which lead to what was said: E43', () => {
    const line = (data: string): string => `M7|W1>O1|S|T1|P1|R|-|0|S1|-|${data}`;
    expect(
      codesOf('v5', [
        line('a=#REF:T1:S'),
        line('a=#REF:T9:S'),
        line('a=#MSG:M7'),
        line('a=#MSG:M8'),
        line('a=#CTX:lang'),
      ]),
    ).toEqual(['ok', 'E43', 'ok', 'E43', 'ok']);
  });

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
    expect(result.ok && withDefaults(result.value)).toMatchObject({
      priority: 'normal',
      depth: 0,
      from: 'O1',
    });
  });
});

it('hears heartbeats that come too often, and those after which an agent was taken for gone', () => {
  const hear = conversation();
  const beat = (from: string, second: number, format: 'envelope' | 'file' = 'envelope') => {
    const time = new Date(Date.parse('2026-01-11T16:00:00Z') + second * 1000).toISOString();
    return hear({ id: `${from}${second}`, kind: 'heartbeat', from, time }, format)?.error.code;
  };
  expect([0, 10, 29, 30, 60, 150, 240.5, 270.5, 200].map((second) => beat('w1', second))).toEqual([
    undefined,
    'too_often',
    'too_often',
    undefined,
    undefined,
    undefined,
    'E22',
    undefined,
    undefined,
  ]);
  expect([beat('w2', 1, 'file'), beat('w2', 2, 'file')]).toEqual([undefined, 'too_often']);
  expect(hear({ id: 'M1', kind: 'heartbeat', from: 'W1' }, 'v5')).toBeUndefined();
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
    ['worker', 'person', 'request', false],
  ] as const)('%s to %s: %s is %s', (from, to, kind, allowed) =>
    expect(forbidden(from, to, kind) === undefined).toBe(allowed),
  );

  it('is open where no roles are declared, and a refusal names its rule', () => {
    expect(forbidden(undefined, 'worker', 'event')).toBeUndefined();
    expect(forbidden('worker', 'worker', 'event')).toBe(
      'worker to worker: nothing, they do not talk directly',
    );
    expect(forbidden('leader', 'leader', 'request')).toBe(
      'leader to leader: only event, clarify, update, chat',
    );
    expect(roleOf('sub_agent')).toBe('worker');
    expect(roleOf('boss')).toBeUndefined();
  });

  it('lets a worker hand on only through the orchestrator', () => {
    expect(forbidden('worker', 'worker', 'handoff')).toContain('through the orchestrator');
    expect(forbidden('worker', 'worker', 'handoff', { isRelayed: true })).toBeUndefined();
    expect(forbidden('worker', 'worker', 'response', { isRelayed: true })).toBeUndefined();
  });

  it('lets whoever was asked answer, but not one worker another', () => {
    expect(forbidden('orchestrator', 'worker', 'response')).toContain('only request, control');
    expect(forbidden('orchestrator', 'worker', 'response', { isAnswer: true })).toBeUndefined();
    expect(forbidden('orchestrator', 'worker', 'event', { isAnswer: true })).toContain('only request');
    expect(forbidden('worker', 'worker', 'response', { isAnswer: true })).toContain('nothing');
  });

  it('takes a type of somebody’s own for talk', () => {
    expect(forbidden('worker', 'leader', 'review_vote')).toBeUndefined();
    expect(forbidden('worker', 'worker', 'review_vote')).toContain('nothing');
  });
});

describe('a stream', () => {
  const cut = (format: 'auto' | 'v1' | 'file', text: string, size: number): RawMessage[] => {
    const { push, end } = splitter(format);
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
