// Values that a JSON schema of the API allows, and such as it does not, for property tests.
import fc from 'fast-check';

/** What the schemas of calls are made of. */
export interface Schema {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

const HOSTILE = [
  '',
  ' ',
  '-',
  '--help',
  '../../etc/passwd',
  '\u0000',
  '\u202e',
  '💥',
  'é',
  '\ud800',
  'x'.repeat(5000),
];

/** Texts that mean something there, and such as nobody expects. */
const texts = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );

/** A value that the schema allows. `known`: the texts that mean something, by the name of their field. */
export function allowed(
  schema: Schema,
  known: (field: string) => readonly string[],
  field = '',
): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => allowed(one, known, field)));
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      // Most calls name few of the fields that there are.
      const fields = Object.entries(properties).map(([name, one]) => {
        const value = allowed(one, known, name);
        return [
          name,
          required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 }),
        ] as const;
      });
      return fc.record(Object.fromEntries(fields));
    }
    case 'array':
      return fc.array(allowed(schema.items ?? {}, known, field), { maxLength: 4 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1e9, 1e9) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 1e9, noNaN: true });
    case 'string':
      return texts(known(field));
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** The same with one field that is something else, or that nobody knows; or no object at all. */
export const disturbed = (
  schema: Schema,
  known: (field: string) => readonly string[],
): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          allowed(schema, known),
          fc.constantFrom(...Object.keys(schema.properties ?? {}), 'trust', '__proto__'),
          fc.jsonValue({ maxDepth: 3 }),
        )
        .map(([input, field, value]) =>
          Object.fromEntries([...Object.entries(input as object), [field, value]]),
        ),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
