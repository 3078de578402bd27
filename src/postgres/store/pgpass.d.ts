// Types for pgpass, which has none.
declare module 'pgpass' {
  interface Wanted {
    host: string;
    port: number;
    user: string;
    database: string;
  }
  function pgpass(wanted: Wanted, found: (password: string | undefined) => void): void;
  export = pgpass;
}
