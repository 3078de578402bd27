import { describe, expect, it } from 'vitest';
import { codecs } from '../../../src/team/messages/codecs/codecs.ts';
import { convertCode, MEANINGS } from '../../../src/team/messages/codecs/codec-types.ts';
import { convert, deriveUuid } from '../../../src/team/messages/convert.ts';
import type { ConvertOptions } from '../../../src/team/messages/convert.ts';
import type { Format } from '../../../src/team/messages/message.ts';
import { negotiate } from '../../../src/team/messages/codecs/line-agreement.ts';
import { blocks, envelopes, file, linesOf } from './samples.ts';

const NOW = '2026-11-22T12:00:00Z';

function text(from: Format, to: Format, given: string, options: ConvertOptions = {}): [string, string[]] {
  const result = convert(given, from, to, { now: NOW, ...options });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return [result.text, result.lost];
}
const code = (from: Format, to: Format, given: string, options: ConvertOptions = {}): unknown => {
  const result = convert(given, from, to, options);
  return result.ok ? result.text : result.error.code;
};

describe('a conversion', () => {
  it('is that of the specification', () => {
    expect(text('v5', 'v4', 'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|data')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|data',
      ['context', 'budget'],
    ]);
    expect(text('v4', 'v5', 'M1|O1>W1|R|T1|P1|N|-|data')).toEqual(['M1|O1>W1|R|T1|P1|N|-|0|-|-|data', []]);
  });

  it('from V1 to V2 is that of the examples, which differ in words only', () => {
    const heads = blocks().map((block) => text('v1', 'v2', block)[0].split('|').slice(0, 4).join('|'));
    expect(heads).toEqual(linesOf('v2').map((line) => line.split('|').slice(0, 4).join('|')));
    expect(text('v2', 'v1', linesOf('v2')[4]!)).toEqual([
      '[MSG_05]\nFROM: WORKER\nTO: ORCHESTRATOR\nTYPE: ERR\nTASK: TASK_01\nDATA: E01:config.json',
      [],
    ]);
  });

  it('climbs from V2 to V5 and back down', () => {
    const steps: [Format, string][] = [
      ['v2', 'MSG_05|W|E|TASK_01|E01:config.json'],
      ['v3', 'MSG_05|W1>O1|E|TASK_01|-|-|E01:config.json'],
      ['v4', 'M5|W1>O1|E|T1|-|-|E01|config.json'],
      ['v5', 'M5|W1>O1|E|T1|-|-|E33|0|-|-|config.json'],
    ];
    for (const [from, given] of steps)
      for (const [to, expected] of steps) expect(text(from, to, given)).toEqual([expected, []]);
  });

  it('puts an error of V3 into its own segment, and back before DATA', () => {
    const [, , , , busy] = linesOf('v3');
    expect(text('v3', 'v4', busy!)).toEqual(['M5|W1>O1|E|T3|P1|-|E06|BUSY;queue=3', []]);
    expect(text('v4', 'v3', 'M3|W1>O1|E|T2|-|-|E06|BUSY;queue=5')).toEqual([
      'MSG_03|W1>O1|E|TASK_02|-|-|E06:BUSY;queue=5',
      [],
    ]);
    expect(text('v4', 'v3', 'M3|W1>O1|E|T2|-|-|E06|-')[0]).toBe('MSG_03|W1>O1|E|TASK_02|-|-|E06');
    expect(text('v3', 'v4', 'MSG_03|W1>O1|E|TASK_02|-|-|E06')[0]).toBe('M3|W1>O1|E|T2|-|-|E06|-');
    expect(text('v4', 'v3', 'M3|W1>O1|U|T2|-|-|E06|slow')).toEqual([
      'MSG_03|W1>O1|U|TASK_02|-|-|slow',
      ['error'],
    ]);
  });

  it('tells what V2 and V1 drop, and refuses what they would falsify', () => {
    expect(text('v3', 'v2', 'MSG_03|O1>W2|R|TASK_02|P0|N|backup')).toEqual([
      'MSG_03|O|R|TASK_02|backup',
      ['to', 'priority', 'state'],
    ]);
    expect(text('v3', 'v1', 'MSG_03|W2>O1|S|TASK_02|-|-|ok')[1]).toEqual(['from']);
    expect(code('v3', 'v2', 'MSG_08|O1>*|B|-|P1|-|maintenance 5min')).toBe('E02');
    expect(code('v3', 'v2', 'MSG_08|W1>W2|R|TASK_01|P1|-|yours')).toBe('E02');
    expect(code('v3', 'v2', 'MSG_08|O1>W2|R|-|P1|-|no task')).toBe('E02');
  });

  it('refuses a type, a name or an id that the target lacks, with its code', () => {
    expect(
      code(
        'v5',
        'v4',
        linesOf('v5').find((line) => line.includes('|X|'))!,
      ),
    ).toBe('E14');
    expect(code('v5', 'v4', 'M2|User>O1|C|T1|P1|R|-|0|S1|-|choice=opt2')).toBe('E13');
    expect(code('v4', 'v3', 'M1|O1>W*|R|T1|P1|N|-|a')).toBe('E05');
    expect(code('v3', 'v4', 'MSG_10000|O1>W1|R|TASK_01|-|-|a')).toBe('E05');
    expect(code('v3', 'v4', 'MSG_01|O1>W100|R|TASK_01|-|-|a')).toBe('E13');
    expect(code('v2', 'v3', 'MSG_01|O|R|TASK_01|a>b')).toBe('E05');
    expect(code('file', 'v5', file())).toBe('E10');
  });

  it('takes names from a map, in both directions', () => {
    const map = { 'claude-1': 'O1', 'codex-1': 'W1', 'msg-20260111-163315-claude-1-4c78': 'M7' };
    const request = file().replace('"chat"', '"task_assign"');
    const [line, lost] = text('file', 'v5', request, { map });
    expect(line).toBe('M7|O1>W1|R|-|-|-|-|0|-|-|Your message text here');
    expect(lost).toEqual(['time', 'replyTo', 'channel', 'mode', 'turn']);
    const back = JSON.parse(text('v5', 'file', line, { map })[0]) as Record<string, unknown>;
    expect(back).toMatchObject({
      from: 'claude-1',
      to: 'codex-1',
      type: 'task_assign',
      session_id: 'general',
      timestamp: NOW,
    });
  });

  it('calls everybody by the word of each format', () => {
    const [json] = text('v4', 'file', 'M7|O1>*|B|-|P1|-|-|maintenance 5min');
    expect(JSON.parse(json)).toMatchObject({ to: 'all', type: 'broadcast' });
    expect(text('file', 'v4', json)[0]).toBe('M7|O1>*|B|-|-|-|-|maintenance 5min');
  });

  it('from a line to an envelope and back keeps what both carry', () => {
    const line = 'M10|W1>O1|E|T1|P0|F|E33|1|S1|B50|desc=file not found;path=/data/input.json';
    const [json, lost] = text('v5', 'envelope', line);
    expect(lost).toEqual(['id', 'task', 'state', 'depth', 'context', 'budget']);
    expect(JSON.parse(json)).toMatchObject({
      header: {
        from: { agent_type: 'worker', agent_id: 'W1' },
        to: { agent_type: 'orchestrator', agent_id: 'O1' },
        type: 'error',
        timestamp: NOW,
      },
      payload: {
        error_code: 'E33',
        error_type: 'resource',
        message: 'desc=file not found;path=/data/input.json',
      },
      metadata: { priority: 'critical' },
    });
    const { id } = (codecs.envelope.decode(json) as { value: { id: string } }).value;
    expect(text('envelope', 'v5', json, { map: { [id]: 'M10' } })[0]).toBe(
      'M10|W1>O1|E|-|P0|-|E33|0|-|-|desc=file not found;path=/data/input.json',
    );
  });

  it('names in the header of a receipt what was received, and refuses one that names nothing', () => {
    const [json, lost] = text('v5', 'envelope', 'M6|O1>W1|A|T1|P1|-|-|0|S1|-|pid=M5');
    expect(lost).toEqual(['id', 'task', 'context']);
    const { header, metadata } = JSON.parse(json) as { header: unknown; metadata: unknown };
    expect(header).toMatchObject({ type: 'ack', correlation_id: deriveUuid('M5') });
    expect(metadata).toEqual({ priority: 'normal' });
    expect(code('v4', 'envelope', 'M10|W2>O1|A|T5|-|-|-|ok', { now: NOW })).toBe('E02');
    for (const type of ['ack', 'nack']) {
      const receipt = json.replace('"ack"', `"${type}"`);
      expect(codecs.envelope.decode(receipt)).toMatchObject({ ok: true });
      expect(codecs.envelope.decode(receipt.replace('"correlation_id"', '"other"'))).toMatchObject({
        error: { code: 'E02', name: 'header.correlation_id' },
      });
    }
    expect(text('v5', 'envelope', 'M6|O1>W1|A|T1|P1|-|-|0|S1|-|pid=M5;ok')[1]).toContain('body');
  });

  it('keeps what an answer answers, and its text, on the way to JSON and back', () => {
    const line = 'M12|W1>O1|S|-|P0|-|-|0|-|-|pid=M5;result=a b';
    for (const format of ['file', 'envelope'] as const) {
      const [json, lost] = text('v5', format, line);
      expect(lost).toEqual(format === 'file' ? ['priority'] : ['id']);
      const { id } = (codecs[format].decode(json) as { value: { id: string } }).value;
      const back = text(format, 'v5', json, { map: { [id]: 'M12' } });
      expect(back[0]).toBe(format === 'file' ? line.replace('P0', '-') : line);
      expect(back[1]).not.toContain('replyTo');
    }
    const [bare] = text('v5', 'envelope', 'M3|W1>O1|E|T1|P1|F|E33|0|S1|-|-');
    const { id } = (codecs.envelope.decode(bare) as { value: { id: string } }).value;
    expect(text('envelope', 'v5', bare, { map: { [id]: 'M3' } })[0]).toBe('M3|W1>O1|E|-|P1|-|E33|0|-|-|-');
  });

  it('keeps the priority that a file of a channel has beside its format', () => {
    const given = JSON.parse(file()) as { metadata: object };
    const sent = { ...given, type: 'task_assign', metadata: { ...given.metadata, priority: 'critical' } };
    const [json, lost] = text('file', 'envelope', JSON.stringify(sent));
    expect(JSON.parse(json)).toMatchObject({ metadata: { priority: 'critical' } });
    expect(lost).not.toContain('extra');
  });

  it('makes an error of an answer that failed: a response in a line is a success', () => {
    const [, response] = envelopes().find(([name]) => name === 'response.json')!;
    const map = {
      'code_agent:ca_system_001': 'W1',
      'code_leader:cl_001': 'O1',
      msg_002: 'M2',
      msg_001: 'M1',
    };
    const failed = response.replace('"success"', '"failed"');
    expect(text('envelope', 'v5', failed, { map })).toEqual([
      'M2|W1>O1|E|-|-|F|E99|0|-|-|-',
      expect.arrayContaining(['kind', 'payload', 'replyTo']),
    ]);
  });

  it.each([
    [{ status: 'success', result: { answer: 42 } }, '{"answer":42}'],
    [{ status: 'success', result: [] }, '[]'],
    [{ status: 'partial', result: 0 }, '0'],
    [{ status: 'success', result: 'as it is' }, 'as it is'],
    [
      {
        status: 'failed',
        error: { error_code: 'E30', error_type: 'resource', message: 'no disk', recoverable: false },
      },
      'no disk',
    ],
    [{ status: 'success', result: '' }, ''],
  ])('of the response %j to a file keeps what it brings', (payload, said) => {
    const header = {
      ...{
        message_id: '9b2f6d6e-0c0d-4b9e-9a53-0d2f4b0a6a11',
        timestamp: NOW,
        version: '1.0',
        type: 'response',
      },
      from: { agent_type: 'worker', agent_id: 'W1' },
      to: { agent_type: 'orchestrator', agent_id: 'O1' },
    };
    const [file, lost] = text('envelope', 'file', JSON.stringify({ header, payload }));
    expect(JSON.parse(file)).toMatchObject({ type: 'task_result', content: { text: said } });
    expect(lost.includes('payload')).toBe(said !== 'as it is');
  });

  it('of every envelope to a line tells that more was in the payload than its text', () => {
    const map = {
      'code_leader:cl_001': 'O2',
      'code_agent:ca_system_001': 'W1',
      'asset_leader:al_001': 'O3',
      msg_001: 'M1',
      msg_004: 'M4',
    };
    const [, request] = envelopes().find(([name]) => name === 'request.json')!;
    expect(text('envelope', 'v4', request, { map })).toEqual([
      'M1|O2>W1|R|-|P1|-|-|implement',
      ['time', 'fromRole', 'toRole', 'payload'],
    ]);
    const [, failure] = envelopes().find(([name]) => name === 'error.json')!;
    expect(code('envelope', 'v5', failure, { map })).toContain('|E|-|P1|-|E99|0|-|-|');
    expect(text('envelope', 'v5', failure, { map })[1]).toEqual(
      expect.arrayContaining(['error', 'priority', 'replyTo']),
    );
  });

  it.each(linesOf('v5'))('as it was read: %s', (line) => {
    expect(text('v5', 'v5', line, { asRead: true })).toEqual([line, []]);
  });
});

describe('error codes', () => {
  it.each([
    ['v3', 'v4', 'E04', 'E07'],
    ['v4', 'v5', 'E07', 'E32'],
    ['v5', 'v3', 'E32', 'E04'],
    ['v3', 'v5', 'E06', 'E31'],
    ['v4', 'v5', 'E08', 'E41'],
    ['v3', 'v4', 'E07', 'E12'],
    ['v5', 'v4', 'E90', 'E12'],
    ['v4', 'v5', 'E11', 'E41'],
    ['v4', 'v3', 'E03', 'E05'],
    ['v2', 'v5', 'E01', 'E33'],
  ] as const)('from %s to %s: %s is %s', (from, to, given, expected) =>
    expect(convertCode(given, from, to)).toEqual({ code: expected, isLost: false }),
  );

  it('are E99 where there is no word for it, and nothing where nothing is wrong', () => {
    expect(convertCode('E17', 'v5', 'v4')).toEqual({ code: 'E99', isLost: true });
    expect(convertCode('E55', 'v5', 'v4')).toEqual({ code: 'E99', isLost: true });
    expect(convertCode('E00', 'v5', 'v4')).toEqual({ code: undefined, isLost: false });
  });

  it('mean one thing in each version', () => {
    for (const version of ['v2', 'v3', 'v4', 'v5'] as const) {
      const codes = Object.values(MEANINGS).flatMap((row) => row[version] ?? []);
      expect(new Set(codes).size).toBe(codes.length);
    }
  });
});

describe('versions', () => {
  it.each([
    ['version=V5;fallback=V4', ['v4', 'v5'], 'v5', 'version=V5'],
    ['version=V5;fallback=V4', ['v4'], 'v4', 'version=V4;mode=compat'],
    ['version=V5;fallback=V4,V3', ['v3'], 'v3', 'version=V3;mode=compat'],
    ['caps=web_search', ['v4', 'v5'], 'v4', 'version=V4'],
  ] as const)('%s against %j', (offer, supported, version, answer) =>
    expect(negotiate(offer, supported)).toEqual({ version, answer }),
  );

  it('in common there may be none', () => {
    expect(negotiate('version=V5', ['v4'])).toBeUndefined();
    expect(negotiate('version=V9;fallback=x', ['v4', 'v5'])).toBeUndefined();
  });
});
