// PostgreSQL driver: what a migration is, and the names it is written with.

/** The names that belong to one project in a database, as SQL writes them. */
export interface Names {
  schema: string;
  /** The schema of sealed texts, which no role may look into. */
  sealed: string;
  /** The role that owns the sealed texts; nobody can log in as it. */
  sealer: string;
}

export interface Migration {
  /** Counted upwards, with gaps. What has been released is never changed. */
  number: number;
  title: string;
  /** The oldest council that may go on working beside it. */
  beside: string;
  sql(names: Names): string;
}

/** The names for the schema of a place. */
export const nameSchemaObjects = (schema: string): Names => ({
  schema: `"${schema}"`,
  sealed: `"${schema}_sealed"`,
  sealer: `"${schema}_sealer"`,
});
