import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanForTerminal } from '../../../src/core/base/terminal.ts';
import { parseLogEntry } from '../../../src/team/messages/log-entry-schema.ts';
import { createLogEntry, logLine } from '../../../src/team/messages/log-entry.ts';
import type { LoggedMessage } from '../../../src/team/messages/log-entry.ts';

const AT = Date.parse('2026-01-11T04:02:03.500Z');
const message = (given: Partial<LoggedMessage> = {}): LoggedMessage => ({
  id: 'msg-20260111-040203-ana-0000',
  time: '2026-01-11T04:02:03.000Z',
  from: 'O1',
  to: 'W1',
  channel: 'general',
  kind: 'request',
  ...given,
});

describe('an entry of the message log', () => {
  it("has the keys of seeds/004's message log", () => {
    expect(createLogEntry('acknowledged', message(), AT, { agent: 'W1' })).toEqual({
      timestamp: '2026-01-11T04:02:03.500Z',
      message_id: 'msg-20260111-040203-ana-0000',
      direction: 'received',
      from: 'O1',
      to: 'W1',
      type: 'request',
      status: 'success',
      latency_ms: 500,
      event: 'acknowledged',
      channel: 'general',
      agent: 'W1',
    });
  });

  it.each([
    ['stored', 'sent', 'success'],
    ['rejected', 'sent', 'failed'],
    ['delivered', 'received', 'success'],
    ['answered', 'received', 'success'],
    ['refused', 'received', 'failed'],
    ['retried', 'sent', 'timeout'],
    ['expired', 'sent', 'timeout'],
    ['dead', 'sent', 'failed'],
  ] as const)('says of %s that it was %s with %s', (event, direction, status) => {
    const entry = createLogEntry(event, message(), AT, { reason: 'why\nnot' });
    expect(entry).toMatchObject({ direction, status, error: 'why not' });
    expect(parseLogEntry(JSON.stringify(entry))).toEqual(entry);
  });

  it('never holds a text: the first pair of the data, and of an error all of it', () => {
    const summary = (given: Partial<LoggedMessage>) => createLogEntry('stored', message(given), AT).summary;
    expect(summary({ body: 'My secret is 42; tell nobody' })).toBeUndefined();
    expect(summary({ kind: 'chat', body: 'a = b' })).toBeUndefined();
    expect(summary({ body: 'call=web_search;query=latest news' })).toBe('call=web_search');
    expect(summary({ body: 'OK;results=3' })).toBe('results=3');
    expect(summary({ kind: 'error', body: 'BUSY;queue=5' })).toBe('BUSY queue=5');
    expect(summary({ body: `call=${'x'.repeat(500)}` })).toHaveLength(80);
  });

  it('takes no latency from a clock that went back, and none from a time that is none', () => {
    expect(createLogEntry('delivered', message(), AT - 10_000).latency_ms).toBe(0);
    expect(createLogEntry('delivered', message({ time: 'yesterday' }), AT)).not.toHaveProperty('latency_ms');
  });

  it.each(['', 'null', '[]', '{"timestamp":"2026', '{"__proto__":{}}', '{"event":"stored"}'])(
    'is not read from %j',
    (line) => expect(parseLogEntry(line)).toBeUndefined(),
  );

  it('is not read from an entry with any key changed to another type, or an event nobody knows', () => {
    const entry = createLogEntry('retried', message(), AT, { attempt: 2 });
    expect(parseLogEntry(JSON.stringify({ ...entry, event: 'toString' }))).toBeUndefined();
    for (const key of Object.keys(entry))
      expect(parseLogEntry(JSON.stringify({ ...entry, [key]: {} })), key).toBeUndefined();
  });

  it('reads anything without throwing, and is one line whatever the message says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseLogEntry(text);
        const entry = createLogEntry('stored', message({ from: text, to: text, kind: text, body: text }), AT);
        expect(JSON.stringify(entry)).not.toContain('\n');
        expect(cleanForTerminal(logLine(entry)).split('\n')).toEqual([logLine(entry)]);
      }),
    );
  });
});

describe('the line of an entry', () => {
  const line = (given: Partial<LoggedMessage>, clock: string): string =>
    logLine(createLogEntry('stored', message(given), Date.parse(`2026-01-11T${clock}Z`)));

  it('is as seeds/000 recommends', () => {
    expect([
      line({ context: 'S1', task: 'T1', body: 'call=web_search;query=x' }, '04:02:03'),
      line(
        { context: 'S1', task: 'T1', from: 'W1', to: 'O1', kind: 'response', body: 'results=3' },
        '04:02:10',
      ),
      line(
        {
          context: 'S1',
          task: 'T2',
          from: 'W2',
          to: 'O1',
          kind: 'error',
          error: 'E31',
          body: 'BUSY;queue=5',
        },
        '04:02:12',
      ),
    ]).toEqual([
      '[14523] [INFO] [S1] [T1] O1>W1 R - call=web_search',
      '[14530] [INFO] [S1] [T1] W1>O1 S - results=3',
      '[14532] [WARN] [S1] [T2] W2>O1 E E31 BUSY queue=5',
    ]);
  });

  it('tells what happened later as data, and keeps its parts apart whatever the names are', () => {
    const dead = createLogEntry('dead', message({ from: 'a b>c', kind: 'incident' }), AT, {
      reason: 'nobody came',
    });
    expect(logLine(dead)).toBe(
      '[14523] [ERROR] [-] [-] a_b_c>W1 incident - dead=msg-20260111-040203-ana-0000 reason=nobody came',
    );
    expect(logLine(createLogEntry('retried', message(), AT, { agent: 'W1', attempt: 2 }))).toBe(
      '[14523] [WARN] [-] [-] O1>W1 R - retried=msg-20260111-040203-ana-0000;agent=W1;attempt=2',
    );
  });
});
