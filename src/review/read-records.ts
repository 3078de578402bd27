// Finds tables, JSON and YAML in an answer, and puts in their place what is written of them in the form that is asked for.
import { parseYaml } from '../core/base/yaml.ts';
import { readLooseJson } from '../core/council/ledger/text/loose-json.ts';

/** What was found: the rows of a table, each cell with the head of its column, or data. */
export type FoundRecords = { rows: [string, string][][] } | { data: unknown };

/** Longer data, in characters, is of no reviewer. */
const MOST_DATA = 256 * 1024;
/** Values in YAML. */
const MOST_VALUES = 20_000;

/** A fence with its language, a table with its ruler, or the beginning of an object or a list. */
const BLOCK =
  /^(?<mark>`{3,}|~{3,})[ \t]*(?<lang>\w*).*\n(?<code>[^]*?)\n\k<mark>.*$|^(?=.*\|)(?<head>.+)\n[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)*\n(?<rows>(?:(?=.*\|).+(?:\n|$))+)|^(?<data>[[{])/gm;

/** The same text with what `write` makes of its tables and data; where that is undefined they stay as they were. */
export function replaceRecords(text: string, write: (found: FoundRecords) => string | undefined): string {
  let written = '';
  let from = 0;
  for (const block of text.matchAll(BLOCK)) {
    const { index } = block;
    if (index < from) continue;
    const { mark, lang = '', code = '', head = '', rows = '', data } = block.groups ?? {};
    const loose =
      data === undefined || text.length - index > MOST_DATA ? undefined : readLooseJson(text, index);
    if (data !== undefined && !loose) break;
    const sections = write(
      loose
        ? { data: loose.data }
        : mark === undefined
          ? { rows: readRows(head, rows) }
          : { data: readData(lang, code) },
    );
    const end = loose?.end ?? index + block[0].length;
    if (sections !== undefined) written += `${text.slice(from, index)}\n${sections}\n`;
    if (sections !== undefined) from = end;
  }
  return written + text.slice(from);
}

function readData(lang: string, code: string): unknown {
  if (code.length > MOST_DATA) return undefined;
  if (/^\s*[[{]/.test(code)) return readLooseJson(code, code.search(/[[{]/))?.data;
  if (!/^ya?ml$/i.test(lang)) return undefined;
  try {
    return parseYaml(code, MOST_VALUES, (reason) => new SyntaxError(reason));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readRows(head: string, rows: string): [string, string][][] {
  const readCells = (row: string): string[] =>
    row
      .trim()
      .replace(/^\||(?<!\\)\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.replaceAll('\\|', '|').replace(/<br\s*\/?>/gi, '\n'));
  const names = readCells(head);
  return rows
    .trim()
    .split('\n')
    .map((row) => readCells(row).map((cell, at) => [names[at] ?? '', cell]));
}
