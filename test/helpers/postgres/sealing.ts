// Calls the functions that guard sealed texts, as council's own role does.
import type pg from 'pg';
import type { TestSchema } from './shared.ts';

export interface Sealer {
  put(tour: number, name: string, text: string): Promise<unknown>;
  same(name: string, hash: Buffer): Promise<unknown>;
  size(name: string): Promise<unknown>;
  close(tour: number, why?: string): Promise<unknown>;
  reveal(tour: number): Promise<{ name: string; text: string }[]>;
  closings(): Promise<Record<string, unknown>[]>;
}

/** The functions, for one council. */
export function sealer(client: pg.Client, { schema }: TestSchema, council: string): Sealer {
  const one = async (call: string, values: unknown[]): Promise<unknown> => {
    const { rows } = await client.query<{ it: unknown }>(`SELECT ${schema}_sealed.${call} AS it`, values);
    return rows[0]?.it;
  };
  return {
    put: (tour, name, text) => one('seal_put($1, $2, $3, $4)', [council, tour, name, Buffer.from(text)]),
    same: (name, hash) => one('seal_same($1, $2, $3)', [council, name, hash]),
    size: (name) => one('seal_size($1, $2)', [council, name]),
    close: (tour, why = 'closed') => one('seal_close($1, $2, $3)', [council, tour, why]),
    async reveal(tour) {
      const { rows } = await client.query<{ name: string; bytes: Buffer }>(
        `SELECT * FROM ${schema}_sealed.seal_reveal($1, $2)`,
        [council, tour],
      );
      return rows.map(({ name, bytes }) => ({ name, text: bytes.toString() }));
    },
    async closings() {
      const { rows } = await client.query<Record<string, unknown>>(
        `SELECT * FROM ${schema}_sealed.seal_closings($1)`,
        [council],
      );
      return rows;
    },
  };
}
