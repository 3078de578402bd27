import { expect, it } from 'vitest';
import { buildJsonSchema } from '../../../src/server/json-schema.ts';
import {
  getCallDefinition,
  CALLS,
  listCallFields,
  fillForCaller,
  TOOLS,
} from '../../../src/server/remote/calls.ts';

/** What only a command line has: options, exit codes, files behind an `@`, its standard input. */
const COMMAND_LINE = /(?<![\w-])--[a-z]|\bexit (?:code )?\d|@[A-Z]{2,}|\bstdin\b|\$[A-Z]{2,}/;

it.each(CALLS.flatMap((name) => (['mcp', 'api'] as const).map((via) => [name, via] as const)))(
  '%s over %s is described without a command line',
  (name, via) => {
    const { title, description } = getCallDefinition(name);
    const schema = JSON.stringify(buildJsonSchema(listCallFields(name, via)));
    for (const text of [title, description, schema]) expect(text).not.toMatch(COMMAND_LINE);
  },
);

it('a tool has to be told who speaks and to whom, unless its server speaks for somebody', () => {
  const required = (participant?: string) =>
    buildJsonSchema(listCallFields('send', 'mcp'), fillForCaller('send', { role: 'admin', participant }))
      .required;
  expect(required()).toEqual(['text', 'to', 'from']);
  expect(required('ana')).toEqual(['text', 'to']);
  for (const name of TOOLS)
    if (getCallDefinition(name).spoken)
      expect(getCallDefinition(name).needs).toContain(getCallDefinition(name).who);
});
