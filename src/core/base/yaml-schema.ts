// How council reads and writes YAML.
import type { DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';

/** The core schema of YAML 1.2, with merge keys. The library's own search for duplicated keys takes the square of their number. */
export const YAML: ParseOptions & DocumentOptions & SchemaOptions = {
  schema: 'core',
  merge: true,
  uniqueKeys: false,
  prettyErrors: false,
};
