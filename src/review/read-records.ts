// Finds tables, JSON and YAML in an answer, and puts in their place what is written of them in the form that is asked for.
import { parseYaml } from '../core/base/yaml.ts';
import { readLooseJson } from '../core/council/ledger/text/loose-json.ts';

/** What was found: the rows of a table, each cell with the head of its column, or data. */
export type FoundRecords = { rows: [string, string][][] } | { data: unknown };

/** Longer data, in characters, is of no reviewer. */
const MOST_DATA = 256 * 1024;
/** Values in YAML. */
const MOST_VALUES = 20_000;

/** A fence with its language, a table with its ruler, the beginning of an object or a list, or a list of fields. */
const BLOCK =
  /^(?<mark>`{3,}|~{3,})[ \t]*(?<lang>\w*).*\n(?<code>[^]*?)\n\k<mark>.*$|^(?=.*\|)(?<head>.+)\n[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)*\n(?<rows>(?:(?=.*\|).+(?:\n|$))+)|^(?<data>[[{])|^(?<list>- ?[\w ]+:.*\n(?:(?: +|- ?[\w ]+:).*(?:\n|$))+)/gm;

/** The same text with what `write` makes of its tables and data; where that is undefined they stay as they were. */
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
    // Of fences and tables that stay as they are, what is in them is looked at by itself.
    if (loose || sections !== undefined) read = loose?.end ?? index + block[0].length;
    if (sections !== undefined) {
      written += `${text.slice(from, index)}\n${sections}\n`;
      from = read;
    }
  }
  return written + text.slice(from);
}

/** What is in a fence: several objects, such as one a line, are a list. */
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
