// PostgreSQL driver: the type of a migration, and the names in its SQL.

/** Names of one project in a database, quoted for SQL. */
export interface SchemaNames {
  schema: string;
  /** The schema of sealed texts, which no role may read. */
  sealed: string;
  /** The role that owns the sealed texts; it has no login. */
  sealer: string;
}

export interface Migration {
  /** Increasing, with gaps. A released migration is never changed. */
  number: number;
  title: string;
  /** The oldest council that may still be used after it. */
  beside: string;
  sql(names: SchemaNames): string;
}

export const nameSchemaObjects = (schema: string): SchemaNames => ({
  schema: `"${schema}"`,
  sealed: `"${schema}_sealed"`,
  sealer: `"${schema}_sealer"`,
});
