import { describe, expect, it } from 'vitest';
import { buildJsonSchema } from '../../src/server/json-schema.ts';

describe('JSON Schema', () => {
  it('is made from the fields of a use case', () => {
    const schema = buildJsonSchema(
      {
        limit: { kind: 'number', min: 1, max: 9, default: 3, help: 'how many' },
        launch: { kind: 'flag', default: true, help: 'launch nobody' },
        agents: { kind: 'ids', help: 'all of them' },
        rule: { kind: 'choice', choices: ['majority', 'consensus'], help: 'how' },
        agent: { kind: 'id', of: 'an agent id', help: 'who', required: true },
        text: { kind: 'document', limit: 10, help: 'the text', required: true },
      },
      { agent: 'you' },
    );
    expect(schema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: 9, description: 'how many (default: 3)' },
        launch: { type: 'boolean', description: 'false: launch nobody' },
        agents: {
          anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
          description: 'all of them: ids, as a list or separated by commas',
        },
        rule: { type: 'string', enum: ['majority', 'consensus'], description: 'how' },
        agent: { type: 'string', description: 'who (default: you)' },
        text: { type: 'string', description: 'the text' },
      },
      required: ['text'],
    });
  });
});
