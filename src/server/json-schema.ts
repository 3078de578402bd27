// Turns the fields of a use case into JSON Schema.
import { describeFieldDefault } from '../core/app/input/fields.ts';
import type { Field, Fields } from '../core/app/input/fields.ts';

/** JSON Schema (draft 2020-12), as far as fields need it. */
type Schema = Record<string, unknown>;

/** Fields that a face fills in where they are not given, each with where from, in words. */
export type Filled = Readonly<Record<string, string>>;

/** The input of a use case as JSON Schema, made from its fields. */
export function buildJsonSchema(fields: Fields, filled: Filled = {}): Schema {
  const properties = Object.entries(fields).map(
    ([name, field]) =>
      [name, { ...toSchemaType(field), description: describeSchemaField(field, filled[name]) }] as const,
  );
  const required = Object.entries(fields).filter(
    ([name, field]) => field.required && filled[name] === undefined,
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    additionalProperties: false,
  };
}

function describeSchemaField(field: Field, filled: string | undefined): string {
  const otherwise = filled ?? (field.kind === 'document' ? undefined : describeFieldDefault(field));
  return otherwise === undefined
    ? describeFieldHelp(field)
    : `${describeFieldHelp(field)} (default: ${otherwise})`;
}

function describeFieldHelp(field: Field): string {
  const help = field.asArgument ?? field.help;
  switch (field.kind) {
    case 'flag':
      return `${!field.default}: ${help}`;
    case 'ids':
      return `${help}: ${field.seats ? '' : 'ids, '}as a list or separated by commas`;
    case 'texts':
      return `${help}: a text, or a list of texts`;
    default:
      return help;
  }
}

function toSchemaType(field: Field): Schema {
  switch (field.kind) {
    case 'flag':
    case 'truth':
      return { type: 'boolean' };
    case 'decimal':
      return { type: 'number', minimum: field.min, maximum: field.max };
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
    case 'texts': {
      const list = { type: 'array', items: { type: 'string' } };
      return {
        anyOf: [field.most === undefined ? list : { ...list, maxItems: field.most }, { type: 'string' }],
      };
    }
    case 'text':
      return { type: 'string', ...(field.longest !== undefined && { maxLength: field.longest }) };
    case 'duration':
    case 'day':
    case 'id':
    case 'path':
    case 'document':
      return { type: 'string' };
  }
}
