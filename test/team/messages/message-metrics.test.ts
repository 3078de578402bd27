import { describe, expect, it } from 'vitest';
import { createLogEntry } from '../../../src/team/messages/log-entry.ts';
import type { MessageEvent } from '../../../src/team/messages/log-events.ts';
import { createTrafficCounter } from '../../../src/team/messages/message-metrics.ts';

const AT = Date.parse('2026-01-11T16:00:00.000Z');

function counting() {
  const { add, traffic } = createTrafficCounter();
  const message = (n: number, given = {}) => ({
    id: `m${n}`,
    time: new Date(AT).toISOString(),
    from: 'ana',
    to: 'ben',
    kind: 'request',
    channel: 'general',
    ...given,
  });
  return {
    traffic,
    /** What happened to message `n`, `after` milliseconds. */
    happened: (
      event: MessageEvent,
      n: number,
      after = 0,
      { agent = 'ben', ...given }: { agent?: string; kind?: string; from?: string; channel?: string } = {},
    ) => add(createLogEntry(event, message(n, given), AT + after, { agent })),
  };
}

describe('the measures of messages', () => {
  it('are unknown where nothing was sent, never 0', () => {
    expect(counting().traffic()).toEqual({
      messages_sent: 0,
      messages_received: 0,
      avg_latency_ms: null,
      p50_latency_ms: null,
      p99_latency_ms: null,
      error_rate: null,
      retry_rate: null,
      timeout_rate: null,
      by_type: {},
      by_agent: {},
      types: {},
      agents: {},
    });
  });

  it('count a message once for each recipient, from when it first had it', () => {
    const { traffic, happened } = counting();
    happened('stored', 1);
    happened('delivered', 1, 100);
    happened('acknowledged', 1, 5000);
    happened('answered', 1, 6000);
    happened('acknowledged', 1, 300, { agent: 'cleo' });
    expect(traffic()).toMatchObject({
      messages_sent: 1,
      messages_received: 2,
      avg_latency_ms: 200,
      p50_latency_ms: 100,
      p99_latency_ms: 300,
      error_rate: 0,
    });
    expect(traffic().agents).toMatchObject({
      ana: { messages_sent: 1, messages_received: 0, error_rate: 0, p50_latency_ms: null },
      ben: { messages_sent: 0, messages_received: 1, error_rate: null, p50_latency_ms: 100 },
    });
  });

  it('give the shares of what was refused, sent again and too late', () => {
    const { traffic, happened } = counting();
    for (let n = 0; n < 8; n++) happened('stored', n);
    happened('refused', 0);
    for (const event of ['retried', 'retried', 'escalated', 'dead'] as const) happened(event, 1);
    happened('retried', 2);
    happened('acknowledged', 2);
    happened('expired', 3);
    expect(traffic()).toMatchObject({ error_rate: 0.25, retry_rate: 0.25, timeout_rate: 0.375 });
  });

  it('count what was never sent as an error, and nothing of messages from before', () => {
    const { traffic, happened } = counting();
    happened('stored', 1);
    happened('rejected', 2);
    happened('dead', 3);
    happened('delivered', 4, 70);
    expect(traffic()).toMatchObject({ messages_sent: 1, messages_received: 1, error_rate: 0.5 });
  });

  it('tell types and agents apart, whatever they are called', () => {
    const { traffic, happened } = counting();
    happened('stored', 1, 0, { kind: '__proto__', from: 'constructor' });
    happened('stored', 2, 0, { kind: 'event' });
    happened('stored', 3, 0, { kind: 'event', from: 'zoe' });
    expect(JSON.stringify([traffic().by_type, traffic().by_agent])).toBe(
      '[{"__proto__":1,"event":2},{"ana":1,"constructor":1,"zoe":1}]',
    );
  });

  it('know messages of two channels apart that have the same id', () => {
    const { traffic, happened } = counting();
    for (const channel of ['general', 'team-a']) {
      happened('stored', 1, 0, { channel });
      happened('delivered', 1, 10, { channel });
    }
    expect(traffic()).toMatchObject({ messages_sent: 2, messages_received: 2 });
  });

  it('take the value below which 99 of 100 lie', () => {
    const { traffic, happened } = counting();
    for (let n = 1; n <= 200; n++) happened('delivered', n, n * 10);
    expect(traffic()).toMatchObject({ p50_latency_ms: 1000, p99_latency_ms: 1980, avg_latency_ms: 1005 });
  });
});
