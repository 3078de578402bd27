// The API against its own document: whatever is sent, every answer is one that the document declares.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createHost } from '../../../src/server/remote/host.ts';
import { performCall } from '../../../src/server/remote/perform-call.ts';
import { getDocumentSchema, createToldSchema } from '../../../src/server/remote/answers.ts';
import { TOLD_TYPE } from '../../../src/server/remote/call.ts';
import { CALLS } from '../../../src/server/remote/calls.ts';
import type { CallName } from '../../../src/server/remote/calls.ts';
import { createProcessCli } from '../../../src/core/cli/io.ts';
import { serveHttp } from '../../../src/server/http/server.ts';
import { openApi } from '../../../src/server/http/openapi.ts';
import { newProject } from '../../helpers/cli.ts';
import { allowed, disturbed } from '../../helpers/from-schema.ts';
import type { Schema } from '../../helpers/from-schema.ts';

const RUNS = Number(process.env.API_FUZZ_RUNS ?? 12);

interface Described {
  requestBody: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
}
const document = JSON.parse(JSON.stringify(openApi('1'))) as {
  paths: Record<string, { post?: Described }>;
  components: { schemas: { Problem: object }; responses: { Problem: { content: Record<string, unknown> } } };
};
const described = (call: CallName): Described => document.paths[`/api/v1/${call}`]!.post!;
const problem = z.fromJSONSchema(document.components.schemas.Problem as z.core.JSONSchema.JSONSchema);

/** What means something in this project; everything else is no more than a text. */
const KNOWN: Record<string, string[]> = {
  agent: ['ada', 'ben', 'eve', 'cara'],
  agents: ['ada', 'ben', 'ada,ben'],
  name: ['c', 'd'],
  to: ['ada', 'all', 'human'],
  for: ['turn:ada', 'phase:COLLECT', 'archived', 'turn:'],
  // Whoever waits for nothing waits for ever.
  timeout: ['1ms', '0s', '5x', '-1s'],
  archive: ['2026-01-01-none', 'last'],
  duration: ['1h', '0s', '99999999d'],
  since: ['1h', 'yesterday'],
  text: ['position: Redis\n\nFast.', '---\nvote: P1\n---\n', '---js\nprocess.exit(1)\n---\n'],
};
const known = (field: string): string[] => KNOWN[field] ?? ['ada', 'c', '1', 'Why? 🦉'];

const stop = new AbortController();
let url: string;
beforeAll(async () => {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  await project.council(['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
  const cli = {
    ...createProcessCli({ json: true, root: undefined, features: [] }),
    cwd: project.root,
    env: project.env,
    note: () => undefined,
  };
  const host = createHost(cli, stop.signal, (asked, gone) => performCall(cli, asked, gone));
  const doors = { isOpen: async () => true, holder: async () => ({ unknown: 'unknown_token' as const }) };
  const limits = () => {
    const rate = { burst: 1e9, perSecond: 1e9 };
    return {
      sessions: 9,
      streams: 9,
      atOnce: 99,
      calls: 99,
      long: 99,
      messages: rate,
      bytes: rate,
      cpuMs: rate,
      hereMs: rate,
    };
  };
  const serving = { hostname: '127.0.0.1', port: 0, doors, onlyMcp: false, log: () => undefined };
  ({ url } = await serveHttp(host, serving, { limits }));
});
afterAll(() => stop.abort());

const odd = fc.record(
  {
    'if-match': fc.constantFrom('*', '"1"', '3', 'W/"1"', 'x'),
    'idempotency-key': fc.constantFrom('k1', '"k2"', 'two words', 'x'.repeat(300)),
    accept: fc.constantFrom(TOLD_TYPE, '*/*', 'text/html'),
    'x-request-id': fc.constantFrom('abc', '<script>'),
  },
  { requiredKeys: [] },
);

/** Most requests bring none of their own. */
const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Record<string, string>[]>({}, { 'if-match': '*' }) },
  { weight: 1, arbitrary: odd },
);

async function check(call: CallName, body: string, more: Record<string, string>): Promise<void> {
  const answer = await fetch(`${url}/api/v1/${call}`, {
    method: 'POST',
    // An idle connection may be closed just when it is wanted.
    headers: { 'content-type': 'application/json', connection: 'close', ...more },
    body,
  });
  const { status } = answer;
  const text = await answer.text();
  const told = `${call} ${body} ${JSON.stringify(more)} -> ${status} ${text.slice(0, 600)}`;
  // What was waited for may not come in time.
  if (!(call === 'wait' && status === 504)) expect(status, told).toBeLessThan(500);
  const { responses } = described(call);
  expect(Object.keys(responses), told).toContain(String(status));
  const type = answer.headers.get('content-type') ?? '';
  const declared = status === 200 ? responses[200]!.content! : document.components.responses.Problem.content;
  // What a command line asks for is its own affair.
  expect(more.accept === TOLD_TYPE && status === 200 ? [TOLD_TYPE] : Object.keys(declared), told).toEqual([
    type,
  ]);
  expect(answer.headers.get('x-request-id'), told).toMatch(/^[\w.:-]+$/);
  expect(text, told).not.toMatch(/This is a bug|node:internal| at .*\.ts:\d/);
  const json = JSON.parse(text) as unknown;
  if (status >= 400) expect(problem.safeParse(json).error, told).toBeUndefined();
  else if (type === TOLD_TYPE) expect(createToldSchema(call).safeParse(json).error, told).toBeUndefined();
  else expect(getDocumentSchema(call).safeParse(json).error, told).toBeUndefined();
}

describe('the API, by its own document', () => {
  it.each(CALLS)(
    'answers what it declares, whatever is sent to %s',
    async (call) => {
      const { schema } = described(call).requestBody.content['application/json']!;
      const inputs = fc.oneof(
        { weight: 3, arbitrary: allowed(schema, known) },
        { weight: 1, arbitrary: disturbed(schema, known) },
      );
      // Nobody waits here for what never comes.
      const safe = (input: unknown): unknown => {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
        if (call === 'send') return { ...input, wait: false };
        if (call !== 'wait') return input;
        const { timeout } = input as { timeout?: unknown };
        return { ...input, timeout: KNOWN.timeout!.find((one) => one === timeout) ?? '1ms' };
      };
      await fc.assert(
        fc.asyncProperty(inputs, headers, (input, more) =>
          check(call, JSON.stringify(safe(input)) ?? 'null', more),
        ),
        { numRuns: RUNS },
      );
    },
    120_000,
  );

  it('answers what it declares to bytes that are no JSON', async () => {
    const bodies = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('{', '[[[', '{"a":1}}', '\ufeff{}', '1e999'),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CALLS.filter((call) => call !== 'wait')), bodies, (call, body) =>
        check(call, body, {}),
      ),
      { numRuns: RUNS * 4 },
    );
  });
});
