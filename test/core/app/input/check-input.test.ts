import { describe, expect, it } from 'vitest';
import { checkInput } from '../../../../src/core/app/input/check-input.ts';
import type { Fields, Raw } from '../../../../src/core/app/input/fields.ts';
import { CouncilError } from '../../../../src/core/base/errors.ts';

const FIELDS = {
  topic: { kind: 'text', argument: true, help: 'the question' },
  words: { kind: 'text', argument: true, words: true, help: 'the words' },
  limit: { kind: 'number', min: 1, max: 9, default: 3, help: 'how many' },
  usd: { kind: 'amount', unit: 'US$', help: 'how much', code: 'invalid_config' },
  timeout: { kind: 'duration', help: 'how long' },
  since: { kind: 'day', help: 'from when on' },
  agent: { kind: 'id', of: 'an agent id', help: 'who' },
  rule: { kind: 'choice', choices: ['majority', 'consensus'], help: 'how' },
  agents: { kind: 'ids', help: 'all of them' },
  block: { kind: 'texts', help: 'problems' },
  open: { kind: 'flag', help: 'seen by all' },
  launch: { kind: 'flag', default: true, help: 'launch nobody' },
  text: { kind: 'document', limit: 10, help: 'the text' },
  tour: { kind: 'number', min: 1, help: 'the round', variable: 'COUNCIL_TOUR' },
} as const satisfies Fields;

const check = (raw: Raw, env: NodeJS.ProcessEnv = {}, fields: Fields = FIELDS, isOwnCommandLine = true) =>
  checkInput(fields, raw, {
    command: 'start',
    env,
    isOwnCommandLine,
    text: (given) =>
      given === undefined ? undefined : { from: 'here', bytes: async () => Buffer.from(given) },
  });

function refusal(...given: Parameters<typeof check>): CouncilError {
  try {
    check(...given);
  } catch (error) {
    if (error instanceof CouncilError) return error;
  }
  throw new Error('It was not refused.');
}

describe('what a use case is given', () => {
  it('comes out typed, whether it was written on a command line or in JSON', () => {
    const typed = {
      topic: 'One?',
      words: 'a b',
      limit: 4,
      usd: 1.5,
      timeout: 1_800_000,
      since: '2026-02-28',
      agent: 'henry',
      rule: 'majority',
      agents: ['a', 'b'],
      block: ['x'],
      open: true,
      launch: false,
      tour: 2,
    };
    const common = { topic: 'One?', since: '2026-02-28', agent: 'henry', rule: 'majority' };
    const flags = { open: true, launch: false };
    const line = { words: ['a', 'b'], limit: '4', usd: '1.5', timeout: '30m', agents: 'a, b', block: ['x'] };
    const json = { words: 'a b', limit: 4, usd: 1.5, timeout: '30m', agents: ['a', 'b', 'a'], block: 'x' };
    expect(check({ ...common, ...flags, ...line, tour: '2' })).toEqual({ ...typed, text: undefined });
    expect(check({ ...common, ...flags, ...json, unknown: 1 }, { COUNCIL_TOUR: '2' })).toEqual({
      ...typed,
      text: undefined,
    });
  });

  it('has the values that its fields have by themselves', () => {
    const given = Object.fromEntries(Object.entries(check({})).filter(([, value]) => value !== undefined));
    expect(given).toEqual({ limit: 3, block: [], open: false, launch: true });
  });

  it('is a text that is read when it is wanted', async () => {
    const { text } = checkInput(
      FIELDS,
      { text: 'Said.' },
      {
        command: 'respond',
        env: {},
        isOwnCommandLine: false,
        text: (given) => ({ from: '-', bytes: async () => Buffer.from(given ?? '') }),
      },
    );
    expect(Buffer.from((await text?.bytes()) ?? []).toString()).toBe('Said.');
  });

  it.each<[Raw, string, string]>([
    [{ limit: 0 }, 'usage', 'The option --limit must be a whole number from 1 to 9; received 0.'],
    [{ limit: '1e1' }, 'usage', 'The option --limit must be a whole number from 1 to 9; received "1e1".'],
    [{ limit: null }, 'usage', 'The option --limit must be a whole number from 1 to 9; received null.'],
    [{ usd: '-1' }, 'invalid_config', 'The option --usd must be a number of US$ above 0; received "-1".'],
    [{ timeout: 'soon' }, 'usage', 'The option --timeout must be a duration such as 300s, 30m or 1h'],
    [{ timeout: '5' }, 'usage', 'The option --timeout must be a duration such as 300s, 30m or 1h'],
    [{ since: '2026-02-30' }, 'usage', 'The option --since must be a day in UTC'],
    [{ agent: 'Not this' }, 'invalid_id', 'The option --agent must be an agent id'],
    [
      { rule: 'majorty' },
      'usage',
      'must be majority or consensus; received "majorty". Did you mean majority?',
    ],
    [{ agents: 'Ana Maria,Bob' }, 'invalid_id', 'received "Ana Maria,Bob". Did you mean ana-maria,bob?'],
    [{ agents: 'a,,b' }, 'invalid_id', 'The option --agents must be a list of ids'],
    [{ block: [1] }, 'usage', 'The option --block must be a text, or a list of texts; received [1].'],
    [{ open: 'yes' }, 'usage', 'The option --open must be true or false; received "yes".'],
    [{ topic: 1 }, 'usage', 'The argument topic must be a text; received 1.'],
    [{ text: 1 }, 'usage', 'The option --text must be a text; received 1.'],
    [{ topic: 'a\nb' }, 'usage', 'The argument topic has a line break'],
    [{ block: ['a\u0000'] }, 'invalid_text', 'The option --block'],
  ])('is refused: %j', (raw, code, message) => {
    const error = refusal(raw);
    expect({ code: error.code, message: error.message }).toEqual({
      code,
      message: expect.stringContaining(message) as string,
    });
    expect(error.hint).toMatch(/\S/);
  });

  it('is refused with the variable that it came from, and the command that helps', () => {
    const error = refusal({}, { COUNCIL_TOUR: 'x' });
    expect(error.message).toBe(
      'The environment variable COUNCIL_TOUR must be a whole number from 1 on; received "x".',
    );
    expect(error.hint).toContain('council start --help');
  });

  it('is refused when something is missing', () => {
    const fields = { why: { kind: 'text', required: true, help: 'the reason' } } as const;
    expect(refusal({}, {}, fields).message).toBe('The option --why is missing: the reason.');
  });
});

describe('what a caller without a command line gives', () => {
  it('is refused in words of arguments and schemas', () => {
    const error = refusal({ timeout: 'soon' }, {}, FIELDS, false);
    expect(error.message).toContain('The argument timeout must be a duration such as 300s, 30m or 1h');
    expect(error.hint).toContain('See what start takes in its input schema.');
  });

  it('is told what an id is', () => {
    expect(refusal({ agents: ['P 1'] }, {}, FIELDS, false).message).toBe(
      'The argument agents must be a list of ids, or ids separated by commas (1 to 64 lower-case letters, digits and hyphens each); received ["P 1"].',
    );
  });
});
