import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { CouncilError } from '../../../src/core/base/errors.ts';
import { runInSpan } from '../../../src/core/base/trace.ts';

afterEach(() => trace.disable());

/** A provider as a host registers one; it keeps what it is told. */
function listen(): { name: string; ended: boolean; attributes: object; status?: unknown }[] {
  const spans: ReturnType<typeof listen> = [];
  const startSpan = (name: string, { attributes = {} } = {}) => {
    const kept: ReturnType<typeof listen>[number] = { name, ended: false, attributes };
    spans.push(kept);
    return {
      setAttributes: (more: object) => Object.assign(kept.attributes, more),
      setStatus: (status: unknown) => (kept.status = status),
      end: () => (kept.ended = true),
    };
  };
  const startActiveSpan = (name: string, options: object, work: (span: unknown) => unknown) =>
    work(startSpan(name, options));
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as unknown as Tracer });
  return spans;
}

describe('a span', () => {
  it('is nothing where nobody listens', async () => {
    expect(await runInSpan('council.x', { a: 1 }, async (tell) => (tell({ b: 2 }), 'done'))).toBe('done');
  });

  it('ends with the work, and says what it was told', async () => {
    const spans = listen();
    await runInSpan('council.commit', { 'council.document': 'x' }, async (tell) => {
      expect(spans).toMatchObject([{ ended: false }]);
      tell({ 'council.revision': 7 });
    });
    expect(spans).toEqual([
      { name: 'council.commit', ended: true, attributes: { 'council.document': 'x', 'council.revision': 7 } },
    ]);
  });

  it('ends also when the work fails, with its code and not its words', async () => {
    const spans = listen();
    const fails = (error: Error) =>
      runInSpan('council.send', {}, async () => {
        throw error;
      });
    await expect(fails(new CouncilError('io', 'Cannot write /home/x/secret.'))).rejects.toThrow('secret');
    await expect(fails(new Error('anything'))).rejects.toThrow('anything');
    expect(spans.map(({ ended, status }) => [ended, status])).toEqual([
      [true, { code: SpanStatusCode.ERROR, message: 'io' }],
      [true, { code: SpanStatusCode.ERROR, message: 'failed' }],
    ]);
  });
});
