import { describe, expect, it } from 'vitest';
import { codecs, formatOf } from '../../../src/team/messages/codecs/codecs.ts';
import { formatMessageFileName, readFileName } from '../../../src/team/messages/codecs/json-file.ts';
import { parseReferences, parseDataPairs } from '../../../src/team/messages/codecs/data-pairs.ts';
import type { Format, Message } from '../../../src/team/messages/message.ts';
import { blocks, envelopes, file, isOutsideTables, linesOf } from './samples.ts';

function decoded(format: Format, text: string): Message {
  const result = codecs[format].decode(text);
  if (!result.ok) throw new Error(`${text}: ${JSON.stringify(result.error)}`);
  expect(result.warnings).toEqual([]);
  return result.value;
}

const written = (format: Format, message: Message, asRead = false): unknown => {
  const result = codecs[format].encode(message, { asRead });
  return result.ok ? result.value : result.error;
};

const VERSIONS = ['v2', 'v3', 'v4', 'v5'] as const;
const examples = VERSIONS.flatMap((version) => linesOf(version).map((line) => [version, line] as const));

describe('an example of the specifications', () => {
  it.each(examples)('%s %s is read, recognised, and written as it was', (version, line) => {
    const message = decoded(version, line);
    expect(formatOf(line)).toBe(version);
    expect(written(version, message, true)).toBe(line);
    if (version === 'v5' && isOutsideTables(line)) {
      const codes = ['E10', 'E13', 'E14'];
      expect(codes).toContain((written(version, message) as { code: string }).code);
    } else expect(written(version, message)).toBe(line);
  });

  it.each(blocks().map((block) => [block]))('block %s is read and written as it was', (block) => {
    expect(formatOf(block)).toBe('v1');
    expect(written('v1', decoded('v1', block))).toBe(block);
    expect(decoded('v1', block.replaceAll('\n', '\r\n'))).toEqual(decoded('v1', block));
  });

  it('of a message file is read and written as it was', () => {
    expect(formatOf(file())).toBe('file');
    expect(decoded('file', file())).toEqual({
      id: 'msg-20260111-163315-claude-1-4c78',
      time: '2026-01-11T16:33:15.123Z',
      channel: 'agent-os-paper',
      from: 'claude-1',
      to: 'codex-1',
      kind: 'chat',
      body: 'Your message text here',
      mode: 'chat',
      turn: 'claude-1',
      replyTo: 'msg-20260111-163300-codex-1-a1b2',
    });
    expect(written('file', decoded('file', file()))).toBe(file());
  });

  it.each(envelopes())('envelope %s is read and written as it was', (name, text) => {
    expect(formatOf(text)).toBe('envelope');
    const message = decoded('envelope', text);
    // Its ids are no UUIDs, and control's header has its own order and no version.
    expect(written('envelope', message)).toMatchObject({ code: 'E02', name: 'header.message_id' });
    const again = written('envelope', message, true) as string;
    if (name !== 'control.json') expect(again).toBe(text);
    expect(decoded('envelope', again)).toEqual(message);
  });

  it.each([
    ['msg-20260111-163315-claude-1-4c78.json', 'claude-1', '2026-01-11T16:33:15Z'],
    ['msg-20260111-163321-codex-9099.json', 'codex', '2026-01-11T16:33:21Z'],
    ['msg-20260111-163326-docs-4e99.json', 'docs', '2026-01-11T16:33:26Z'],
    ['msg-20260111-155709-hamgr-b4f6.json', 'hamgr', '2026-01-11T15:57:09Z'],
    ['msg-20260111-100000-claude-1-0001.json', 'claude-1', '2026-01-11T10:00:00Z'],
  ])('of a file name is read and written as it was: %s', (name, agent, time) => {
    expect(readFileName(name)).toMatchObject({ agent, time, id: name.slice(0, -5) });
    const { hex } = readFileName(name)!;
    expect(formatMessageFileName(time, agent, Number.parseInt(hex, 16))).toBe(name);
  });

  it.each(['msg-20261311-100000-a-0001.json', 'msg-20260111-100000-a-00g1.json', 'x.json', 'msg-.json'])(
    'would not be %s: that is another file',
    (name) => expect(readFileName(name)).toBeUndefined(),
  );
});

describe('DATA', () => {
  it.each([
    ['k1=v1;k2=v2', { k1: 'v1', k2: 'v2' }],
    [
      'caps=cap1,cap2,cap3;desc=Description courte',
      { caps: ['cap1', 'cap2', 'cap3'], desc: 'Description courte' },
    ],
    ['registered;id=W3', { '': ['registered'], id: 'W3' }],
    [
      'call=web_search;params=query:"AI orchestration patterns";',
      { call: 'web_search', params: { query: 'AI orchestration patterns' } },
    ],
    [
      'call=code_write;params=file:main.py,action:edit,target:function:init;',
      { call: 'code_write', params: { file: 'main.py', action: 'edit', target: 'function:init' } },
    ],
    [
      'call=summarize;params=src:#REF:T41:S,maxlen:100;',
      { call: 'summarize', params: { src: '#REF:T41:S', maxlen: '100' } },
    ],
    ['params=q:"a;b,c:d"', { params: { q: 'a;b,c:d' } }],
    ['src=#REF:T1:S;action=summarize', { src: '#REF:T1:S', action: 'summarize' }],
    ['prev=#MSG:M3;continue=true', { prev: '#MSG:M3', continue: 'true' }],
    ['plain words', undefined],
    ['a=1;a=2', undefined],
    ['a=1;;b=2', undefined],
    ['__proto__=1', undefined],
    ['=1', undefined],
  ])('%s', (text, expected) => expect(parseDataPairs(text)).toEqual(expected));

  it('points to fields of tasks, values of the session, and messages', () => {
    expect(parseReferences('src=#REF:T1:S;key=#CTX:lang;prev=#MSG:M3;all=#REF:T41;x=#REF:;y=#MSG:7')).toEqual(
      [
        { to: 'task', task: 'T1', field: 'S' },
        { to: 'context', key: 'lang' },
        { to: 'message', id: 'M3' },
        { to: 'task', task: 'T41' },
      ],
    );
  });

  it.each([
    ['#REF:T1:S;page=1 and #REF:T1;page=20', [1, 20]],
    ['#REF:T1:S;page=12345', [undefined]],
    ['#REF:T1:S; page=1', [undefined]],
  ])('points to pages of a result: %s', (text, pages) =>
    expect(parseReferences(text).map((one) => (one.to === 'task' ? one.page : null))).toEqual(pages),
  );
});
