// Finds tables, JSON and YAML in an answer, and replaces them with text in the requested form.
import { parseYaml } from '../core/base/yaml.ts';
import { readLooseJson } from '../core/council/ledger/text/loose-json.ts';

/** A record: the rows of a table, with each cell's column name, or parsed data. */
export type FoundRecords = { rows: [string, string][][] } | { data: unknown };

/** Characters; longer data was not written by a reviewer. */
const MOST_DATA = 256 * 1024;
const MOST_VALUES = 20_000;

/** A fence with its language, a table with its delimiter row, the start of an object or array, a list of fields. */
const BLOCK =
  /^(?<mark>`{3,}|~{3,})[ \t]*(?<lang>\w*).*\n(?<code>[^]*?)\n\k<mark>.*$|^(?=.*\|)(?<head>.+)\n[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)*\n(?<rows>(?:(?=.*\|).+(?:\n|$))+)|^(?<data>[[{])|^(?<list>- ?[\w ]+:.*\n(?:(?: +|- ?[\w ]+:).*(?:\n|$))+)/gm;

/** Replaces tables and data with the result of `write`; they stay unchanged if it returns undefined. */
export function replaceRecords(text: string, write: (found: FoundRecords) => string | undefined): string {
  let written = '';
  let [from, read] = [0, 0];
  for (const block of text.matchAll(BLOCK)) {
    const { index } = block;
    if (index < read) continue;
    const { mark, lang = '', code = '', head = '', rows = '', data, list } = block.groups ?? {};
    const loose =
      data === undefined || text.length - index > MOST_DATA ? undefined : readLooseJson(text, index);
    if (data !== undefined && !loose) break;
    const sections = write(
      loose
        ? { data: loose.data }
        : mark !== undefined
          ? { data: readData(lang, code) }
          : list !== undefined
            ? { data: readData('yaml', list) }
            : { rows: readRows(head, rows) },
    );
    // In fences and tables that stay unchanged, nested blocks are searched, too.
    if (loose || sections !== undefined) read = loose?.end ?? index + block[0].length;
    if (sections !== undefined) {
      written += `${text.slice(from, index)}\n${sections}\n`;
      from = read;
    }
  }
  return written + text.slice(from);
}

/** Parses the content of a fence: several objects, such as JSON lines, become a list. */
function readJson(code: string): unknown {
  const found: object[] = [];
  const next = /\s*,?\s*(?=[[{])/y;
  while (next.test(code)) {
    const read = readLooseJson(code, next.lastIndex);
    if (!read) break;
    found.push(read.data);
    next.lastIndex = read.end;
  }
  return found.length > 1 ? found : found[0];
}

function readData(lang: string, code: string): unknown {
  if (code.length > MOST_DATA) return undefined;
  if (/^\s*[[{]/.test(code)) return readJson(code);
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
