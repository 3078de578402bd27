import { describe, expect, it } from 'vitest';
import { codecs } from '../../../src/team/messages/codecs/codecs.ts';
import type { Decoded } from '../../../src/team/messages/codecs/codec-types.ts';
import type { Format, Message } from '../../../src/team/messages/message.ts';
import { envelopes, file } from './samples.ts';

const fault = (result: Decoded | ReturnType<(typeof codecs)['v5']['encode']>): unknown =>
  result.ok ? result.value : [result.error.code, result.error.segment, result.error.name];

/** Every row of every table of checks, in the table's order: what is wrong, and what that version calls it. */
const rows: [Format, string, string, number, string][] = [
  // V5
  ['v5', 'M1|O1>W1|R|T1|P1|N|-|0|S1|B500', 'E10', 0, 'segments'],
  ['v5', 'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|a|b', 'E10', 0, 'segments'],
  ['v5', 'M10000|O1>W1|R|T1|P1|N|-|0|S1|B500|a', 'E10', 1, 'msg'],
  ['v5', 'MSG_01|O1>W1|R|T1|P1|N|-|0|S1|B500|a', 'E10', 1, 'msg'],
  ['v5', 'M1|O1-W1|R|T1|P1|N|-|0|S1|B500|a', 'E13', 2, 'route'],
  ['v5', 'M1|*>W1|R|T1|P1|N|-|0|S1|B500|a', 'E13', 2, 'route'],
  ['v5', 'M1|W*>O1|R|T1|P1|N|-|0|S1|B500|a', 'E13', 2, 'route'],
  ['v5', 'M1|O1>W100|R|T1|P1|N|-|0|S1|B500|a', 'E13', 2, 'route'],
  ['v5', 'M1|O1>W1|Z|T1|P1|N|-|0|S1|B500|a', 'E14', 3, 'type'],
  ['v5', 'M1|O1>W1|R|T1000|P1|N|-|0|S1|B500|a', 'E10', 4, 'tid'],
  ['v5', 'M1|O1>W1|R|T1|P3|N|-|0|S1|B500|a', 'E11', 5, 'pri'],
  ['v5', 'M1|O1>W1|R|T1|P1|Z|-|0|S1|B500|a', 'E15', 6, 'state'],
  ['v5', 'M1|O1>W1|R|T1|P1|N|E1|0|S1|B500|a', 'E10', 7, 'err'],
  ['v5', 'M1|O1>W1|R|T1|P1|N|-|6|S1|B500|a', 'E16', 8, 'depth'],
  ['v5', 'M1|O1>W1|R|T1|P1|N|-|0|SABC|B500|a', 'E10', 9, 'ctx'],
  ['v5', 'M1|O1>W1|R|T1|P1|N|-|0|S1|500|a', 'E10', 10, 'budget'],
  ['v5', 'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|a>b', 'E12', 11, 'data'],
  ['v5', 'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|', 'E10', 11, 'data'],
  // V4
  ['v4', 'M1|O1>W1|R|T1|P1|N|a', 'E03', 0, 'segments'],
  ['v4', 'X1|O1>W1|R|T1|P1|N|-|a', 'E05', 1, 'msg'],
  ['v4', 'M1|O1>W0|R|T1|P1|N|-|a', 'E13', 2, 'route'],
  ['v4', 'M1|O10>W1|R|T1|P1|N|-|a', 'E13', 2, 'route'],
  ['v4', 'M1|O1>User|R|T1|P1|N|-|a', 'E13', 2, 'route'],
  ['v4', 'M1|O1>W1|J|T1|P1|N|-|a', 'E14', 3, 'type'],
  ['v4', 'M1|O1>W1|R|TASK_01|P1|N|-|a', 'E05', 4, 'task'],
  ['v4', 'M1|O1>W1|R|T1|1|N|-|a', 'E10', 5, 'pri'],
  ['v4', 'M1|O1>W1|R|T1|P1|n|-|a', 'E15', 6, 'state'],
  ['v4', 'M1|O1>W1|R|T1|P1|N|E123|a', 'E05', 7, 'err'],
  ['v4', 'M1|O1>W1|R|T1|P1|N|-|a>b', 'E02', 8, 'data'],
  ['v4', 'M1|O1>W1|R|T1|P1|N|-|', 'E03', 8, 'data'],
  // V3: everything is E05
  ['v3', 'MSG_01|O1>W1|R|TASK_01|P0|N', 'E05', 0, 'segments'],
  ['v3', 'M1|O1>W1|R|TASK_01|P0|N|a', 'E05', 1, 'msg'],
  ['v3', 'MSG_01|O1>W*|R|TASK_01|P0|N|a', 'E05', 2, 'route'],
  ['v3', 'MSG_01|O1>W1|H|TASK_01|P0|N|a', 'E05', 3, 'type'],
  ['v3', 'MSG_01|O1>W1|R|T1|P0|N|a', 'E05', 4, 'task'],
  ['v3', 'MSG_01|O1>W1|R|TASK_01|P9|N|a', 'E05', 5, 'pri'],
  ['v3', 'MSG_01|O1>W1|R|TASK_01|P0|Q|a', 'E05', 6, 'state'],
  ['v3', 'MSG_01|O1>W1|R|TASK_01|P0|N|a>b', 'E05', 7, 'data'],
  ['v3', 'MSG_01|O1>W1|R|TASK_01|P0|N|', 'E05', 7, 'data'],
  // V2 and V1 have no table: everything is E02
  ['v2', 'MSG_01|O|R|TASK_01', 'E02', 0, 'segments'],
  ['v2', 'M1|O|R|TASK_01|a', 'E02', 1, 'msg'],
  ['v2', 'MSG_01|X|R|TASK_01|a', 'E02', 2, 'role'],
  ['v2', 'MSG_01|O|B|TASK_01|a', 'E02', 3, 'type'],
  ['v2', 'MSG_01|O|R|-|a', 'E02', 4, 'task'],
  ['v2', 'MSG_01|O|R|TASK_01|', 'E02', 5, 'data'],
  ['v1', 'MSG_01', 'E02', 1, 'msg'],
  ['v1', '[MSG_01]\nFROM: BOSS\nTO: WORKER\nTYPE: REQ\nDATA: a', 'E02', 2, 'from'],
  ['v1', '[MSG_01]\nFROM: WORKER\nTYPE: REQ\nDATA: a', 'E02', 3, 'to'],
  ['v1', '[MSG_01]\nFROM: WORKER\nTO: WORKER\nTYPE: R\nDATA: a', 'E02', 4, 'type'],
  ['v1', '[MSG_01]\nFROM: WORKER\nTO: WORKER\nTYPE: REQ\nTASK: 1\nDATA: a', 'E02', 5, 'task'],
  ['v1', '[MSG_01]\nFROM: WORKER\nTO: WORKER\nTYPE: REQ', 'E02', 5, 'data'],
  ['v1', '[MSG_01]\nFROM: WORKER\nTO: WORKER\nTYPE: REQ\nDATA:', 'E02', 5, 'data'],
  ['v1', '[MSG_01]\nFROM: WORKER\nTO: WORKER\nTYPE: REQ\nDATA: a\nb', 'E02', 6, 'data'],
];

describe('what is wrong is told by the code of its version', () => {
  it.each(rows)('%s %j is %s at %i (%s)', (format, text, ...expected) =>
    expect(fault(codecs[format].decode(text))).toEqual(expected),
  );

  it('with what was expected and received, cut where it is long', () => {
    const result = codecs.v5.decode(`M1|${'W'.repeat(500)}|R|T1|P1|N|-|0|S1|B500|a`);
    expect(result).toMatchObject({
      ok: false,
      error: { expected: expect.stringContaining('FROM>TO') as string },
    });
    expect((result as { error: { received: string } }).error.received).toHaveLength(81);
  });

  it('in a JSON file', () => {
    const without = (key: string): string =>
      JSON.stringify({ ...(JSON.parse(file()) as object), [key]: undefined });
    for (const key of ['id', 'timestamp', 'session_id', 'from', 'to', 'type', 'content'])
      expect(fault(codecs.file.decode(without(key)))).toEqual(['E02', 0, key]);
    for (const text of ['', '[]', 'null', '{', '{"__proto__":{}}', '['.repeat(100_000)])
      expect(fault(codecs.file.decode(text))).toEqual(['E02', 0, 'json']);
  });

  it('in JSON that is nested to overflow a stack, wherever it stands', () => {
    const deep = (at: string): string => `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}${at}`;
    const [, request] = envelopes().find(([name]) => name === 'request.json')!;
    const texts = [
      ['file', file().replace(/^\{/, `{"more":${deep(',')}`)],
      ['envelope', request.replace('"params": {', `"params": {"x":${deep(',')}`)],
      ['envelope', request.replace('"action": "implement"', `"action": ${deep('')}`)],
    ] as const;
    for (const [format, text] of texts)
      expect(fault(codecs[format].decode(text))).toEqual(['E02', 0, 'json']);
  });

  it('in a file whose keys pretend to be others: the known ones stay', () => {
    const text = JSON.stringify({
      ...(JSON.parse(file()) as object),
      'content.text': 'forged',
      'metadata.mode': 'forged',
      kept: 1,
      toString: 'kept as well',
    });
    const read = codecs.file.decode(text);
    const again = codecs.file.encode((read as { value: Message }).value) as { value: string };
    expect(JSON.parse(again.value)).toMatchObject({
      content: { text: 'Your message text here' },
      metadata: { mode: 'chat' },
      kept: 1,
      toString: 'kept as well',
    });
  });

  it('in an envelope: fields, then version, then size, then the payload', () => {
    const [, text] = envelopes().find(([name]) => name === 'request.json')!;
    const altered = (change: (json: Record<string, Record<string, unknown>>) => void): unknown => {
      const json = JSON.parse(text) as Record<string, Record<string, unknown>>;
      change(json);
      return fault(codecs.envelope.decode(JSON.stringify(json)));
    };
    for (const key of ['message_id', 'from', 'to', 'type'])
      expect(altered(({ header }) => delete header![key])).toEqual(['E02', 0, `header.${key}`]);
    expect(altered(({ header }) => delete header!.timestamp)).toEqual(['E02', 0, 'header.timestamp']);
    expect(altered(({ header }) => (header!.version = '2.0'))).toEqual(['E12', 0, 'header.version']);
    expect(altered(({ header }) => delete header!.version)).toEqual(['E12', 0, 'header.version']);
    expect(altered(({ payload }) => (payload!.params = { x: 'x'.repeat(262_144) }))).toEqual([
      'too_large',
      0,
      'payload',
    ]);
    expect(altered(({ payload }) => delete payload!.action)).toEqual(['E02', 0, 'payload.action']);
    expect(altered(({ metadata }) => (metadata!.priority = 'urgent'))).toEqual([
      'E02',
      0,
      'metadata.priority',
    ]);
  });
});

describe('DATA of more than 200 characters', () => {
  const long = '🦉'.repeat(201);

  it.each([
    ['v4', `M1|O1>W1|R|T1|P1|N|-|${long}>`],
    ['v5', `M1|O1>W1|R|T1|P1|N|-|0|S1|B500|${long}>`],
  ] as const)('is cut when %s is read, before the check for >', (version, line) => {
    const result = codecs[version].decode(line);
    expect(result).toMatchObject({
      ok: true,
      value: { body: '🦉'.repeat(200) },
      warnings: ['DATA has 202 characters; the first 200 are kept.'],
    });
  });

  it('is refused when it is written, with a way out', () => {
    const message: Message = { id: 'M1', from: 'O1', to: 'W1', kind: 'request', body: long };
    expect(codecs.v5.encode(message)).toMatchObject({
      error: {
        code: 'E10',
        segment: 11,
        expected: expect.stringContaining('#REF:T1:S') as string,
        received: '201 characters',
      },
    });
    expect(codecs.v5.encode({ ...message, body: '🦉'.repeat(200) })).toMatchObject({ ok: true });
    expect(codecs.v3.encode({ ...message, id: 'MSG_01' })).toMatchObject({ ok: true });
  });
});

describe('what is written', () => {
  const message: Message = { id: 'M1', from: 'O1', to: 'W1', kind: 'request', body: 'a' };

  it.each([
    [{ id: 'M0' }, 'E10', 1],
    [{ to: 'User' }, 'E13', 2],
    [{ from: 'O10' }, 'E13', 2],
    [{ from: 'W99.helper99' }, 'E13', 2],
    [{ kind: 'query' }, 'E14', 3],
    [{ kind: 'chat' }, 'E14', 3],
    [{ task: 'T0' }, 'E10', 4],
    [{ depth: 6 }, 'E16', 8],
    [{ context: 'S0' }, 'E10', 9],
    [{ context: 'Sabcdefgh' }, 'E10', 9],
    [{ budget: 10_000 }, 'E10', 10],
    [{ body: 'a|b' }, 'E12', 11],
    [{ body: 'a\nb' }, 'E12', 11],
    [{ body: undefined, data: { a: 'x;y' } }, 'E12', 11],
  ] as [Partial<Message>, string, number][])('%j is refused by V5 with %s at %i', (change, code, segment) =>
    expect(codecs.v5.encode({ ...message, ...change })).toMatchObject({
      ok: false,
      error: { code, segment },
    }),
  );

  it('has - for what is absent, and 0 for no depth', () => {
    expect(codecs.v5.encode({ ...message, body: '' })).toEqual({
      ok: true,
      value: 'M1|O1>W1|R|-|-|-|-|0|-|-|-',
    });
    expect(codecs.v4.encode({ id: 'M1', from: 'O1', to: 'W1', kind: 'ack' })).toEqual({
      ok: true,
      value: 'M1|O1>W1|A|-|-|-|-|-',
    });
  });

  it('takes DATA from pairs where there is no text', () => {
    const data = { '': ['registered'], caps: ['a', 'b'], params: { q: 'x,y', n: '1' } };
    expect(codecs.v5.encode({ ...message, body: undefined, data })).toEqual({
      ok: true,
      value: 'M1|O1>W1|R|-|-|-|-|0|-|-|registered;caps=a,b;params=q:"x,y",n:1',
    });
  });
});
