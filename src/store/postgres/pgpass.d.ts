// The types of pgpass, which has none.
declare module 'pgpass' {
  interface Wanted {
    host: string;
    port: number;
    user: string;
    database: string;
  }
  export default function pgpass(wanted: Wanted, found: (password: string | undefined) => void): void;
}
