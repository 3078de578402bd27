import { defaultOf } from './fields.ts';
import type { Field, Fields } from './fields.ts';

/** JSON Schema (draft 2020-12), as far as fields need it. */
type Schema = Record<string, unknown>;

/** The input of a use case as JSON Schema, made from its fields; `optional` are those that a face can fill in itself. */
export function jsonSchema(fields: Fields, optional: readonly string[] = []): Schema {
  const properties = Object.entries(fields).map(([name, field]) => [name, schemaOf(field)] as const);
  const required = Object.entries(fields).filter(
    ([name, field]) => field.required && !optional.includes(name),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  };
}

function schemaOf(field: Field): Schema {
  const otherwise = field.kind === 'document' ? undefined : defaultOf(field);
  const help = field.kind === 'flag' ? `${!field.default}: ${field.help}` : field.help;
  const description = otherwise === undefined ? help : `${help} (default: ${otherwise})`;
  return { ...typeOf(field), description };
}

function typeOf(field: Field): Schema {
  switch (field.kind) {
    case 'flag':
      return { type: 'boolean' };
    case 'number':
      return {
        type: 'integer',
        minimum: field.min,
        ...(field.max !== undefined && { maximum: field.max }),
      };
    case 'amount':
      return { type: 'number', exclusiveMinimum: 0 };
    case 'choice':
      return { type: 'string', enum: field.choices };
    case 'ids':
    case 'texts':
      return { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] };
    case 'text':
    case 'duration':
    case 'day':
    case 'id':
    case 'path':
    case 'document':
      return { type: 'string' };
  }
}
