import { describe, expect, it } from 'vitest';
import { findChosenOption } from '../../../src/team/tasks/answer-question.ts';
import { judge } from '../../../src/team/tasks/judge-launch.ts';
import type { LaunchContext } from '../../../src/team/tasks/build-lines.ts';
import { readSaid } from '../../../src/team/tasks/parse-worker-output.ts';
import { buildTask } from '../../../src/team/tasks/task.ts';
import { startLaunch } from '../../../src/team/tasks/transitions.ts';
import { buildTaskLine } from '../../../src/team/tasks/wire-lines.ts';

const NOW = Date.parse('2026-01-11T16:33:15.000Z');
const AT = new Date(NOW).toISOString();
const fresh = buildTask({ id: 'T1', session: 'S1', text: 'Choose a colour' }, AT);
const request = buildTaskLine(fresh, {
  id: 'M1',
  time: AT,
  from: 'O1',
  to: 'W1',
  kind: 'request',
  state: 'N',
  body: 'Choose a colour',
});
const lease = {
  ...{ host: 'h', bootId: '', pid: 2, startTime: '' },
  ...{ id: 'lease', until: AT, group: null },
};
const task = { ...startLaunch(fresh, { lease, worker: 'ada', wire: 'W1' }, NOW), exchange: [request] };
const speaking = { task, wire: 'W1' };

describe('what a worker said', () => {
  it('holds no NUL, in its text and in its lines: a report with one could not be read again', () => {
    expect(readSaid('a\0b\n', speaking).text).toBe('a\ufffdb');
    const line = 'M2|W1>O1|S|T1|P1|D|-|0|S1|-|ok=a\0b';
    expect(readSaid(line, speaking)).toMatchObject({ last: { body: 'ok=a\ufffdb' }, problem: undefined });
  });

  it('is text where a row only looks a little like a line', () => {
    const output = [
      'Sizes of the parts:',
      '',
      'M1|12 kB|fine',
      'M2 | 3 kB | too small',
      'M3|W1|S',
      'M4|a > b|S|T1',
      '`M5|see O1>W1|R|x`',
      'M6|W1>O1|done|and so on',
      'M7||',
    ].join('\n');
    expect(readSaid(output, speaking)).toEqual({
      lines: [],
      last: undefined,
      text: output,
      hasWords: true,
      problem: undefined,
    });
  });

  it('holds its lines, whatever stands around them', () => {
    const output =
      'A table:\r\nM1|big\r\n\r\n```\r\n  M9|W1>O1|U|T1|P1|R|-|0|S1|-|progress=50%\r\n```\r\n**M10|W1>O1|S|T1|P1|D|-|0|S1|-|x=1**\r\n';
    const said = readSaid(output, speaking);
    expect(said.lines.map(({ kind }) => kind)).toEqual(['update', 'response']);
    expect(said.text).toBe('A table:\nM1|big\n\n```\n```\nx=1');
  });

  it('holds its lines among colours, and behind a bar of progress', () => {
    const output =
      '\u001B[32mdone\u001B[0m\n 10%\r 90%\r\u001B[2K\u001B[1mM9|W1>O1|S|T1|P1|D|-|0|S1|-|x=1\u001B[0m\n';
    const said = readSaid(output, speaking);
    expect(said.last).toMatchObject({ kind: 'response', body: 'x=1' });
    expect(said.text).toBe('done\n 10%\n 90%\nx=1');
  });

  it('is refused where a line was begun and is not right', () => {
    const [cut, forged] = ['M2|W1>O1|S|T1', 'M2|W7>O1|S|T1|P1|D|-|0|S1|-|x=1'].map((row) =>
      readSaid(`Here it is:\n${row}`, speaking),
    );
    expect(cut?.problem?.code).toBe('E10');
    expect(forged?.problem?.code).toBe('E41');
  });

  it('loses no line that it quotes, but those that it was sent', () => {
    const said = readSaid(
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|Choose a colour\nThe form of a request is:\nM77|O1>W1|R|T1|P1|N|-|0|S1|-|call=dig',
      speaking,
    );
    expect(said.text).toBe('The form of a request is:\nM77|O1>W1|R|T1|P1|N|-|0|S1|-|call=dig');
  });
});

const judging = (): LaunchContext => {
  let number = 1;
  return {
    now: NOW,
    number: () => ({ id: `M${++number}` }),
    wire: 'W1',
    answers: 'O1',
    request,
    patience: 60_000,
    limits: { depth: 3, children: 3 },
    tasks: ['T1', 'T2'],
    workers: { W1: 'ada', W2: 'Tester' },
    findWorker: () => undefined,
  };
};
const judged = (output: string) => judge(task, { output, failure: undefined, usage: null }, judging());

describe('what becomes of it', () => {
  it('keeps a result that is longer than a line, references it and says so', () => {
    const long = 'résultat '.repeat(600).trim();
    const { task: after, notes } = judged(`M2|W1>O1|S|T1|P1|D|-|0|S1|-|${long}`);
    expect(after).toMatchObject({ state: 'D', result: long });
    expect(after.exchange.at(-1)?.body).toBe('result=#REF:T1:S');
    expect(notes).toEqual([
      `the DATA of its result has ${long.length} characters, 200 fit: kept whole as #REF:T1:S`,
    ]);
  });

  it('keeps the newest of updates that follow each other', () => {
    const updates = Array.from({ length: 11_000 }, (_, at) => `M2|W1>O1|U|T1|P1|R|-|0|S1|-|at=${at}`);
    const { task: after } = judged([...updates, 'S results=5'].join('\n'));
    expect(after.exchange.map(({ body }) => body)).toEqual(['Choose a colour', 'at=10999', 'results=5']);
    expect(after.result).toBe('results=5');
  });

  it('leaves a budget that is larger than the wire can hold as it is', () => {
    const rich = { ...task, budget: 50_000 };
    const ended = { output: 'U at=1\nX tester call=generate_tests', failure: undefined, usage: null };
    const { task: after, child } = judge(rich, ended, judging());
    expect([after.budget, child?.budget]).toEqual([25_000, 25_000]);
  });

  it('is handed on to whom the short form names', () => {
    const { child } = judged('X tester call=generate_tests;reason=specialized');
    expect(child).toMatchObject({ worker: 'Tester', depth: 1, needs: ['generate_tests'] });
  });

  it('is no result where it ends otherwise than it began', () => {
    const first = judged('M2|W1>O1|S|T1|P1|D|-|0|S1|-|x=1\nE E33 desc=not found').task;
    expect(first).toMatchObject({ state: 'R', question: null, launches: [{ outcome: 'asked' }] });
    expect(first.exchange.at(-1)).toMatchObject({ from: 'O1', to: 'W1', kind: 'error', error: 'E10' });
  });
});

describe('a failure that is no whole line', () => {
  const LINE = 'M2|W1>O1|E|T1|P1|F|E33|0|S1|-|desc=not found';

  it.each([
    LINE.replaceAll('|', '&vert;'),
    LINE.replaceAll('|', '\u2502'),
    LINE.replace('>', '›'),
    LINE.replace('W1>O1', 'W1&#62;O1'),
    `__${LINE}__`,
    LINE.replace('M2|', '\u200bM2\u200b|'),
    'E: E33 desc=not found',
    '**E** E33 desc=not found',
  ])('is read where all of it is certain: %s', (output) => {
    expect(judged(output).task.launches[0]).toMatchObject({ outcome: 'failed', error: { code: 'E33' } });
  });

  it.each([
    LINE.replaceAll('|', ' '),
    LINE.replaceAll('|', ','),
    LINE.replaceAll('|', '||'),
    LINE.replaceAll('|', '|\n'),
    LINE.replace('|E|', '|ERROR|'),
    LINE.replace('W1>O1', 'W1 to O1'),
    LINE.replace('P1|', 'P1'),
    LINE.replace('|E|', '||'),
    LINE.replace('W1>O1', 'ada'),
    LINE.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    LINE.split('|')
      .map((cell) => `<td>${cell}</td>`)
      .join(''),
    `M2|W1>O1|S|T1|P1|D|-|0|S1|-|ok=1\n${LINE.replaceAll('|', ';')}`,
    'E33: not found',
    'Error: E33 not found',
    'I tried.\n\nE|T1|E33|not found',
    '{"type":"E","err":"E33","desc":"not found"}',
    'type: E\nerr: E33\ndesc: not found',
    'E: not found',
    ...['S E33', 'S E33 desc=not found', 'Status: E33', 'Result: E E33 desc=not found'],
    ...['~~', '[ ] ', '❌ '].map((mark) => `${mark}M2|W1>O1|S|T1|P1|D|-|0|S1|-|ok=1`),
  ])('is asked about, and no success: %s', (output) => {
    expect(judged(output).task.launches[0]).toMatchObject({ outcome: 'asked' });
  });

  it.each([
    'E10 petrol is cheaper.',
    'The codes:\n- E31: busy\n- E33: not found',
    'Code E33 is thrown in reader.ts:12.',
    'The task T1 (P1, R) is done.',
    '| task | pri | state |\n|---|---|---|\n| T1 | P1 | D |',
    'E = mc²',
    '| T1 | T2 | T3 | note |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |',
    'Type errors: 0',
  ])('is told from a text that speaks of one: %s', (output) => {
    expect(judged(output).task).toMatchObject({ state: 'D', result: output });
  });
});

it.each([
  'C: question=Which colour?',
  '**C** question=Which colour?',
  '**D:** question=Which?;opt1=a;opt2=b',
])('a question in a short form is asked, whatever stands round its letter: %s', (output) => {
  expect(judged(output).task).toMatchObject({ state: 'R', question: { text: expect.stringContaining('?') } });
});

describe('a choice that a worker asks for', () => {
  const asked = (data: string) => {
    const verdict = judged(`M2|W1>User|D|T1|P1|R|-|0|S1|-|${data}`);
    const { question, state, exchange } = verdict.task;
    return { question, state, last: exchange.at(-1), notes: verdict.notes };
  };

  it.each([
    ['question=Which colour, please?;opt1=red;opt2=blue', 'Which colour, please?'],
    ['Which colour?;opt1=red;opt2=blue', 'Which colour?'],
    ['desc=Which colour?;opt1=red;opt2=blue', 'Which colour?'],
    ['opt1=red;opt2=blue', 'red / blue?'],
    ['question=;opt1=red;opt2=blue', 'red / blue?'],
    ['Which colour?;options=red, blue', 'Which colour?'],
  ])('is asked: %s', (data, text) => {
    expect(asked(data)).toMatchObject({
      state: 'R',
      question: { text, options: ['red', 'blue'], of: 'human' },
    });
  });

  it.each(['question=Which colour?;opt1=red', 'Which colour?', 'question=Which?;options=red'])(
    'is none without two options, and has to be said again: %s',
    (data) => {
      expect(asked(data)).toMatchObject({ state: 'R', question: null, last: { to: 'W1', error: 'E10' } });
    },
  );

  it('shows all of more than four options, and says so', () => {
    const options = ['red', 'blue', 'green', 'grey', 'pink', 'black', 'white', 'brown', 'gold', 'teal'];
    const data = `question=Which?;${options.map((one, at) => `opt${at + 1}=${one}`).join(';')}`;
    expect(asked(data)).toMatchObject({
      question: { options },
      notes: ['it offers 10 options, 4 are allowed: all are shown'],
    });
    expect(findChosenOption({ ...asked(data).question!, options }, '10')).toEqual({ text: 'teal', at: 9 });
  });
});
