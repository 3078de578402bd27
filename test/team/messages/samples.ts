// The example messages of the formats' specifications, and valid messages of every format for property tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LineVersion } from '../../../src/team/messages/codecs/grammar.ts';
import type { Format, Message } from '../../../src/team/messages/message.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'protocol');
const read = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

export const linesOf = (version: LineVersion): string[] => read(`${version}.txt`).trim().split('\n');
export const blocks = (): string[] => read('v1.txt').trim().split('\n\n');
export const file = (): string => read('file.json').trim();
export const envelopes = (): [name: string, text: string][] =>
  readdirSync(join(FIXTURES, 'envelope')).map((name) => [name, read(join('envelope', name)).trim()]);

/** Examples contain them and the tables do not: written only when that is asked for. */
export const isOutsideTables = (line: string): boolean =>
  /^M0\||User|\|T0\||\|Q\||\|S0\|/.test(line) || line.split('|')[7] === '-';

const digits = (most: number): fc.Arbitrary<string> => fc.integer({ min: 1, max: most }).map(String);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const defined = (message: Record<string, unknown>): Message =>
  Object.fromEntries(
    Object.entries(message).filter(([, value]) => value !== undefined),
  ) as unknown as Message;

/** Texts that DATA can hold, astral characters and separators included. */
const dataText = (most: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 4 }),
        fc.constantFrom(';', '=', ',', ' ', 'k=v', '"', '#REF:T1:S'),
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((parts) => [...parts.join('').replace(/[|>\r\n]/g, '')].slice(0, most).join(''))
    .filter((text) => text !== '' && text !== '-');

const short = {
  id: digits(9999).map((n) => `M${n}`),
  task: maybe(digits(999).map((n) => `T${n}`)),
  agent: fc.oneof(
    digits(99).map((n) => `W${n}`),
    fc.constantFrom('O1', 'O9', 'R1', 'G3', 'O1.W1'),
  ),
};
const long = {
  id: digits(120).map((n) => `MSG_${n.padStart(2, '0')}`),
  task: digits(120).map((n) => `TASK_${n.padStart(2, '0')}`),
  agent: fc.oneof(
    digits(99).map((n) => `W${n}`),
    fc.constantFrom('O1', 'O2'),
  ),
};
const priority = maybe(fc.constantFrom('critical', 'normal', 'low'));
const state = maybe(fc.constantFrom('N', 'R', 'D', 'F', 'X'));
const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

/** Any text: JSON can hold all of it. */
const text = (): fc.Arbitrary<string> => fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const time = (): fc.Arbitrary<string> =>
  fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());
/** No wire id: an envelope says those otherwise. */
const name = (): fc.Arbitrary<string> => fc.stringMatching(/^[a-z]{2,8}-[0-9]$/);

const BASIC = ['request', 'response', 'clarify', 'update', 'ack'];

/** Valid messages of each version of the line; without `data`, which is read out of the text. */
export const valid: Record<Format, fc.Arbitrary<Message>> = {
  v1: block(),
  v2: fc
    .record({
      id: long.id,
      role: fc.constantFrom('O', 'W'),
      kind: fc.constantFrom(...BASIC),
      task: long.task,
      body: maybe(dataText(300)),
    })
    .map(defined),
  v3: fc
    .record({
      id: long.id,
      from: long.agent,
      to: fc.oneof(long.agent, fc.constant('*')),
      kind: fc.constantFrom(...BASIC, 'broadcast'),
      task: maybe(long.task),
      priority,
      state,
      body: maybe(dataText(300)),
    })
    .map(defined),
  v4: fc
    .record({
      id: short.id,
      from: short.agent,
      to: fc.oneof(short.agent, fc.constantFrom('*', 'W*')),
      kind: fc.constantFrom(...BASIC, 'error', 'broadcast', 'heartbeat'),
      task: short.task,
      priority,
      state,
      error: maybe(fc.constantFrom('E01', 'E05', 'E99')),
      body: maybe(dataText(200)),
    })
    .filter(({ from, to }) => `${from}>${to}`.length <= 10)
    .map(defined),
  v5: fc
    .record({
      id: short.id,
      from: short.agent,
      to: fc.oneof(short.agent, fc.constantFrom('*', 'W*')),
      kind: fc.constantFrom(
        ...BASIC,
        'error',
        'broadcast',
        'heartbeat',
        'disambiguate',
        'join',
        'leave',
        'caps',
        'handoff',
      ),
      task: short.task,
      priority,
      state,
      error: maybe(fc.constantFrom('E00', 'E33', 'E99')),
      depth: fc.integer({ min: 0, max: 5 }),
      context: maybe(fc.constantFrom('S1', 'S42', 'Sabc12')),
      budget: maybe(fc.integer({ min: 0, max: 9999 })),
      auth: maybe(fc.record({ nonce: hex(4), signature: hex(8) })),
      body: maybe(dataText(200)),
    })
    .map(({ auth, ...message }) => (message.context === undefined ? message : { ...message, auth }))
    .map(defined),
  file: channelFile(),
  envelope: envelope(),
};

function block(): fc.Arbitrary<Message> {
  const role = fc.constantFrom('ORCHESTRATOR', 'WORKER');
  return fc
    .record({
      id: long.id,
      from: role,
      to: role,
      kind: fc.constantFrom(...BASIC),
      task: maybe(long.task),
      body: maybe(dataText(300)),
    })
    .map(defined);
}

function channelFile(): fc.Arbitrary<Message> {
  return fc
    .record({
      id: text(),
      time: time(),
      channel: text(),
      from: name(),
      to: fc.oneof(name(), fc.constant('all')),
      kind: fc.constantFrom('chat', 'request', 'response', 'incident', 'qc_review'),
      body: maybe(text()),
      code: maybe(text()),
      artifacts: maybe(fc.array(text(), { minLength: 1, maxLength: 3 })),
      mode: maybe(fc.constantFrom('chat', 'watcher')),
      turn: maybe(name()),
      replyTo: maybe(text()),
      extra: maybe(fc.constantFrom({ mood: 'good' }, { 'metadata.hops': 3, 'content.lang': 'fr' })),
    })
    .map(defined);
}

function envelope(): fc.Arbitrary<Message> {
  const shared = {
    id: fc.uuid({ version: 4 }),
    time: time(),
    from: fc.oneof(name(), fc.constantFrom('O1', 'W2', 'code_leader:cl_001')),
    to: name(),
    fromRole: maybe(fc.constantFrom('leader', 'worker')),
    replyTo: maybe(text()),
    priority: maybe(fc.constantFrom('critical', 'high', 'normal', 'low')),
    ttl: maybe(fc.nat()),
    attempts: maybe(fc.nat(5)),
  };
  const request = fc.record({ ...shared, body: text() }).map(({ body, ...message }) => ({
    ...message,
    kind: 'request',
    body,
    payload: { action: body, params: { depth: 1 }, context: { phase: 'development' } },
  }));
  const error = fc.record({ ...shared, body: text() }).map(({ body, ...message }) => ({
    ...message,
    kind: 'error',
    body,
    error: 'E_DISK',
    payload: { error_code: 'E_DISK', error_type: 'resource', message: body, recoverable: false },
  }));
  const ack = fc
    .record({ ...shared, replyTo: text() })
    .map((message) => ({ ...message, kind: 'ack', payload: { received_at: message.time } }));
  return fc.oneof(request, error, ack).map(defined);
}
