// The rules of a conversation: what is refused, with which code, and that the examples of the specification are right.
import { describe, expect, it } from 'vitest';
import { codecs } from '../../../src/team/messages/codecs/codecs.ts';
import type { LineVersion } from '../../../src/team/messages/codecs/grammar.ts';
import { followConversation } from '../../../src/team/messages/conversation.ts';
import { linesOf } from './samples.ts';

/** The code of what is wrong with each line of a conversation; ok where nothing is. */
function codesOf(version: LineVersion, lines: string[], { from = 1 } = {}): string[] {
  const hear = followConversation();
  return lines.map((given, at) => {
    const line = given.replace('M?', `M${from + at}`);
    const result = codecs[version].decode(line);
    if (!result.ok) return result.error.code;
    const fault = hear(result.value, version);
    return fault ? fault.error.code : 'ok';
  });
}

/** A line of one conversation, which gives it its number. */
const line = (route: string, type: string, state: string, more: Partial<Rest> = {}): string => {
  const { task = 'T1', error = '-', depth = 0, session = 'S1', budget = '-', data = 'x' } = more;
  return `M?|${route}|${type}|${task}|P1|${state}|${error}|${depth}|${session}|${budget}|${data}`;
};
interface Rest {
  task: string;
  error: string;
  depth: number | '-';
  session: string;
  budget: string;
  data: string;
}
const request = (more: Partial<Rest> = {}): string => line('O1>W1', 'R', 'N', more);
const report = (type: string, state: string, more: Partial<Rest> = {}): string =>
  line('W1>O1', type, state, more);
/** So many that are right, and then these codes. */
const ok = (count: number, ...codes: string[]): string[] => [...Array<string>(count).fill('ok'), ...codes];

describe('a conversation that the specification forbids', () => {
  const S1 = { session: 'S1' };
  it.each<[string, string[], string]>([
    ['a worker that gives tasks', [line('W1>O1', 'R', 'N')], 'E13'],
    ['a worker that gives another one tasks', [line('W1>W2', 'R', 'N')], 'E13'],
    ['a worker that tells everybody', [line('W1>*', 'B', 'R')], 'E13'],
    ['a part of a worker that gives tasks', [line('O1.W1>O1', 'R', 'N')], 'E13'],
    ['workers that talk about a task that nobody has handed on', [line('W1>W2', 'S', 'D')], 'E13'],
    ['a handoff to oneself', [request(), line('W1>W1', 'X', 'R', { depth: 1 })], 'E13'],
    ['a handoff that is no deeper', [request(), line('W1>W2', 'X', 'R')], 'E16'],
    ['a handoff that is two deeper', [request(), line('W1>W2', 'X', 'R', { depth: 2 })], 'E16'],
    [
      'a part that is answered to somebody else than who handed it on',
      [request(), line('W1>W2', 'X', 'R', { depth: 1 }), line('W2>O1', 'S', 'D', { depth: 1 })],
      'E13',
    ],
    [
      'a handoff that the orchestrator is not told of',
      [
        request(),
        line('W1>W2', 'X', 'R', { depth: 1 }),
        line('W2>W1', 'S', 'D', { depth: 1 }),
        report('S', 'D'),
      ],
      'E10',
    ],
    ['an answer to another orchestrator', [request(), line('W1>O2', 'S', 'D')], 'E13'],
    ['an answer of a worker that was not asked', [request(), line('W3>O1', 'S', 'D')], 'E41'],
    ['an answer in another session', [request(), report('S', 'D', { session: 'S9' })], 'E42'],
    ['an answer without its session', [request(), report('S', 'D', { session: '-' })], 'E42'],
    ['an answer about another task', [request(), report('S', 'D', { task: 'T7' })], 'E40'],
    ['a success about no task', [request(), report('S', 'D', { task: '-' })], 'E40'],
    ['a task that nobody gave', [report('S', 'D')], 'E40'],
    ['an answer from another depth', [request(), report('S', 'D', { depth: 2 })], 'E16'],
    ['a budget that grows', [request({ budget: 'B100' }), report('S', 'D', { budget: 'B900' })], 'E17'],
    [
      'a budget that grows again',
      [request({ budget: 'B100' }), report('U', 'R', { budget: 'B50' }), report('S', 'D', { budget: 'B60' })],
      'E17',
    ],
    [
      'more budget for a part than there is',
      [request({ budget: 'B100' }), line('W1>W2', 'X', 'R', { depth: 1, budget: 'B200' })],
      'E17',
    ],
    ['a retry too many', [request({ data: 'x;retry=3;max=2' })], 'E10'],
    ['a retry that allows itself more', [request({ data: 'x;retry=3;max=9' })], 'E10'],
    [
      'a retry of what was wrong in itself',
      [request(), report('E', 'F', { error: 'E10' }), request({ data: 'x;retry=1;max=2' })],
      'E15',
    ],
    [
      'a request that is the same as what failed',
      [request(), report('E', 'F', { error: 'E33' }), request()],
      'E15',
    ],
    ['a request for what is done', [request(), report('S', 'D'), request({ data: 'more' })], 'E15'],
    [
      'a choice of six',
      [line('O1>User', 'D', 'R', { data: 'question=Q?;opt1=a;opt2=b;opt3=c;opt4=d;opt5=e;opt6=f' })],
      'E10',
    ],
    ['a choice of one', [line('O1>User', 'D', 'R', { data: 'question=Q?;opt1=a' })], 'E10'],
    ['an id twice', [request(), request({ task: 'T2', ...S1 }).replace('M?', 'M1')], 'E10'],
    ['a success that failed', [request(), report('S', 'F')], 'E15'],
    ['a success with an error', [request(), report('S', 'D', { error: 'E33' })], 'E10'],
    ['an error that is done', [request(), report('E', 'D', { error: 'E33' })], 'E15'],
    ['an error without a code', [request(), report('E', 'F')], 'E10'],
    ['an error that says no error', [request(), report('E', 'F', { error: 'E00' })], 'E10'],
    ['a request that is done', [line('O1>W1', 'R', 'D')], 'E15'],
  ])('%s', (_, lines, code) => {
    expect(codesOf('v5', lines)).toEqual(ok(lines.length - 1, code));
  });

  it.each<[LineVersion, string[], string[]]>([
    ['v4', ['M1|W1>O1|R|T1|P1|N|-|x'], ['E13']],
    ['v4', ['M1|O1>W1|R|T1|P1|N|-|x', 'M2|W1>W2|S|T1|P1|D|-|x'], ['ok', 'E13']],
    ['v4', ['M1|O1>W1|R|T1|P1|N|-|x', 'M2|W2>O1|S|T1|P1|D|-|x'], ['ok', 'E08']],
    ['v4', ['M1|O1>W1|R|T1|P1|N|-|x', 'M2|W1>O1|S|T1|P1|F|-|x'], ['ok', 'E15']],
    ['v4', ['M4|W1>O1|E|T1|P1|F|-|x', 'M4|W1>O1|E|T1|P1|F|E06|x'], ['E05', 'E05']],
    ['v3', ['MSG_01|W1>O1|R|TASK_01|P1|N|x'], ['E05']],
    ['v3', ['MSG_01|O1>W1|R|TASK_01|P1|N|x', 'MSG_02|W1>O1|S|TASK_01|P1|F|x'], ['ok', 'E05']],
    ['v3', ['MSG_02|W1>O1|E|TASK_01|P1|F|disk full'], ['E05']],
    ['v2', ['MSG_01|W|R|TASK_01|x'], ['E02']],
  ])('is one in %s as well: %j', (version, lines, codes) => {
    expect(codesOf(version, lines)).toEqual(codes);
  });

  it('names the segment that is wrong', () => {
    const hear = followConversation();
    const faults = [request({ budget: 'B10' }), report('S', 'D', { budget: 'B20' })].map((text, at) => {
      const read = codecs.v5.decode(text.replace('M?', `M${at + 1}`));
      return read.ok ? hear(read.value, 'v5') : read;
    });
    const error = { code: 'E17', segment: 10, name: 'budget', received: 'B20' };
    expect(faults[1]).toMatchObject({ error: { ...error, expected: 'at most B10, which was left' } });
  });
});

describe('a conversation that is right', () => {
  it.each(linesOf('v5'))('may begin anywhere: %s', (text) => expect(codesOf('v5', [text])).toEqual(['ok']));

  it.each<[string, string[]]>([
    [
      'hands on twice, and gets back what was left',
      [
        request({ budget: 'B1000' }),
        line('W1>W2', 'X', 'R', { depth: 1, budget: 'B500' }),
        report('U', 'R', { budget: 'B500', data: 'handoff=W2' }),
        line('W2>W1', 'S', 'D', { depth: 1, budget: 'B300' }),
        line('W1>W3', 'X', 'R', { depth: 1, budget: 'B400' }),
        report('U', 'R', { depth: 1, data: 'handoff=W3' }),
        line('W3>W1', 'S', 'D', { depth: 1, budget: 'B100' }),
        report('S', 'D', { budget: 'B700' }),
      ],
    ],
    [
      'asks for more budget, and is given it',
      [
        request({ budget: 'B20' }),
        report('E', 'F', { error: 'E17', budget: 'B20', data: 'needed=150;have=20' }),
        request({ budget: 'B200' }),
        report('S', 'D', { budget: 'B100' }),
      ],
    ],
    [
      'is begun again by a person, as it was',
      [request(), report('E', 'F', { error: 'E33' }), request({ data: 'x;retry=0' }), report('S', 'D')],
    ],
    [
      'goes to another worker',
      [
        request(),
        report('E', 'F', { error: 'E31', data: 'BUSY;queue=5' }),
        line('O1>W2', 'R', 'N', { data: 'x;fallback_from=W1;reason=E31' }),
        line('W2>O1', 'S', 'D'),
      ],
    ],
    ['is asked of all workers', [line('O1>W*', 'R', 'N'), line('W4>O1', 'U', 'R'), line('W7>O1', 'S', 'D')]],
    ['is told by a router', [line('O1>R1', 'R', 'N'), line('R1>W1', 'R', 'N'), line('W1>R1', 'S', 'D')]],
    ['is given up', [request(), line('O1>W1', 'U', 'X'), line('W1>O1', 'A', 'X')]],
    [
      'has two sessions',
      [request(), request({ session: 'S2' }).replace('M?', 'M1'), report('S', 'D', { session: 'S2' })],
    ],
  ])('%s', (_, lines) => expect(codesOf('v5', lines)).toEqual(ok(lines.length)));

  it('without a session begins anew with its first number', () => {
    const [ask, answer] = ['M1|O1>W1|R|T1|P1|N|-|x', 'M2|W1>O1|U|T1|P1|R|-|x'];
    expect(codesOf('v4', [ask, answer, ask, answer, answer])).toEqual(ok(2, 'E15', 'ok', 'E05'));
  });
});

describe('the states of a task', () => {
  it('are followed through a conversation: E15', () => {
    expect(codesOf('v5', [request(), report('U', 'R'), report('S', 'D'), report('U', 'R')])).toEqual(
      ok(3, 'E15'),
    );
    expect(codesOf('v5', [line('O1>W1', 'U', 'N'), report('S', 'D')])).toEqual(ok(1, 'E15'));
    expect(codesOf('v5', [request(), report('S', 'D')])).toEqual(ok(2));
    expect(codesOf('v5', [request(), report('U', 'R'), request()])).toEqual(ok(2, 'E15'));
    expect(
      codesOf('v4', ['M1|O1>W1|R|T1|-|N|-|a', 'M2|W1>O1|S|T1|-|D|-|b', 'M3|O1>W1|U|T1|-|X|-|c']),
    ).toEqual(ok(2, 'E15'));
  });

  it('say what was and what was wanted', () => {
    const hear = followConversation();
    const faults = [report('S', 'D'), line('O1>W1', 'U', 'R')].map((text, at) => {
      const result = codecs.v5.decode(text.replace('M?', `M${at + 7}`));
      return result.ok ? hear(result.value, 'v5') : result;
    });
    expect(faults).toEqual([
      undefined,
      {
        ok: false,
        error: { code: 'E15', segment: 6, name: 'state', expected: 'nothing after D', received: 'D>R' },
      },
    ]);
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
  const handedOn = (depth: number): string => line('W1>W2', 'X', 'R', { depth, data: 'call=x' });
  const question = report('C', 'R', { data: 'question=which?' });
  const answer = line('O1>W1', 'C', 'R', { data: 'answer=this' });

  it('of depth, for what is handed on: E16', () => {
    expect(codesOf('v5', [1, 2, 3, 4, 5].map(handedOn), { from: 7 })).toEqual(ok(3, 'E16', 'E16'));
    const chain = [1, 2, 3, 4].map((depth) =>
      line(`W${depth}>W${depth + 1}`, 'X', 'R', { depth, data: 'call=x' }),
    );
    expect(codesOf('v5', [request(), ...chain])).toEqual(ok(4, 'E16'));
  });

  it('of questions about a task, answers not counted: E18', () => {
    const given = [request(), request({ task: 'T2' })];
    expect(codesOf('v5', [...given, question, answer, question, answer, question])).toEqual(ok(6, 'E18'));
    expect(codesOf('v5', [...given, question, question, question.replace('T1', 'T2')])).toEqual(ok(5));
  });

  it('of references, which lead to what was said: E43', () => {
    const says = (data: string): string => report('U', 'R', { data });
    const lines = ['a=#REF:T1:S', 'a=#REF:T9:S', 'a=#MSG:M2', 'a=#MSG:M9', 'a=#CTX:lang', 'pid=M1', 'pid=M9'];
    expect(codesOf('v5', [request(), ...lines.map(says)])).toEqual(
      ok(2, 'E43', 'ok', 'E43', 'ok', 'ok', 'E43'),
    );
    // Where the beginning was not heard, the parent may be in there; a reference has to lead somewhere.
    expect(codesOf('v5', ['pid=M1', 'a=#MSG:M9'].map(says), { from: 12 })).toEqual(ok(1, 'E43'));
  });
});

it('hears heartbeats that come too often, and those after which an agent was taken for gone', () => {
  const hear = followConversation();
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
