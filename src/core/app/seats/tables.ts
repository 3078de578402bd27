// Tables by kind of question: which personas sit, and how programs share them out.
import tables from '../../../../templates/tables.json' with { type: 'json' };
import { parseSeat, renderSeat } from '../../agents/seat-notation.ts';

export { tables };

type TableName = keyof typeof tables;
export const TABLES = Object.keys(tables) as TableName[];

/**
 * The entries of a table: each of its personas for one of `programs`, in turn, so that one which was named by several models
 * takes its second seat after all others have had their first. Entries with a persona of their own are no programs here.
 */
export function spreadTable(name: TableName, programs: readonly string[]): string[] {
  const program = (entry: string): string | null => parseSeat(entry).program;
  const isFirst = (entry: string, at: number): boolean =>
    programs.findIndex((other) => program(other) !== null && program(other) === program(entry)) >= at ||
    program(entry) === null;
  const differentFirst = [
    ...programs.filter(isFirst),
    ...programs.filter((entry, at) => !isFirst(entry, at)),
  ];
  return tables[name].map((persona, at) =>
    renderSeat({ ...parseSeat(differentFirst[at % differentFirst.length]!), persona }),
  );
}
