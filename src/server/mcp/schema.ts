// Fields of a use case as a schema for the MCP SDK.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Fields, Raw } from '../../core/app/input/fields.ts';
import { jsonSchema } from '../../core/app/input/json-schema.ts';
import type { Filled } from '../../core/app/input/json-schema.ts';

/**
 * Fields as a schema in the form that the SDK knows. Nothing is refused there: the use case checks what it is given, and
 * its refusal is a result like any other.
 */
export function toMcpSchema(fields: Fields, filled: Filled = {}): StandardSchemaWithJSON<Raw> {
  // The dialect is the protocol's own: naming it costs each tool context.
  const asJson = () => {
    const { $schema: _, ...schema } = jsonSchema(fields, filled);
    return schema;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'council',
      validate: (value) => ({ value: value as Raw }),
      jsonSchema: { input: asJson, output: asJson },
    },
  };
}
