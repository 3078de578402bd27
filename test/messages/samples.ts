// The example messages of the formats' specifications, and valid messages of every format for property tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LineVersion } from '../../src/messages/codecs/grammar.ts';
import type { Message } from '../../src/messages/message.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'protocol');
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

const BASIC = ['request', 'response', 'clarify', 'update', 'ack'];

/** Valid messages of each version of the line; without `data`, which is read out of the text. */
export const valid: Record<LineVersion, fc.Arbitrary<Message>> = {
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
};
