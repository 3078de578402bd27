import { expect, it } from 'vitest';
import { jsonSchema } from '../../src/app/input/json-schema.ts';
import { callOf, CALLS, fieldsOf, fillForCaller, TOOLS } from '../../src/app/remote/calls.ts';

/** What only a command line has: options, exit codes, files behind an `@`, its standard input. */
const COMMAND_LINE = /(?<![\w-])--[a-z]|\bexit (?:code )?\d|@[A-Z]{2,}|\bstdin\b|\$[A-Z]{2,}/;

it.each(CALLS.flatMap((name) => (['mcp', 'api'] as const).map((via) => [name, via] as const)))(
  '%s over %s is described without a command line',
  (name, via) => {
    const { title, description } = callOf(name);
    const schema = JSON.stringify(jsonSchema(fieldsOf(name, via)));
    for (const text of [title, description, schema]) expect(text).not.toMatch(COMMAND_LINE);
  },
);

it('a tool has to be told who speaks and to whom, unless its server speaks for somebody', () => {
  const required = (participant?: string) =>
    jsonSchema(fieldsOf('send', 'mcp'), fillForCaller('send', { role: 'admin', participant })).required;
  expect(required()).toEqual(['text', 'to', 'from']);
  expect(required('ana')).toEqual(['text', 'to']);
  for (const name of TOOLS) if (callOf(name).spoken) expect(callOf(name).needs).toContain(callOf(name).who);
});
