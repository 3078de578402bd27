// Writes findings that come as a table, as JSON or as YAML in the form that is asked for.
import { oneLine } from '../core/base/text.ts';
import { parseYaml } from '../core/base/yaml.ts';
import { readLooseJson } from '../core/council/ledger/text/loose-json.ts';
import { findFindingPart, findSeverity, LISTS } from './finding-words.ts';
import type { FindingPart } from './finding-words.ts';

type FindingRecord = Partial<Record<FindingPart, string>>;

/** Longer data, in characters, is of no reviewer. */
const MOST_DATA = 256 * 1024;
/** Values in YAML. */
const MOST_VALUES = 20_000;

/** A fence with its language, a table with its ruler, or the beginning of an object or a list. */
const BLOCK =
  /^(?<mark>`{3,}|~{3,})[ \t]*(?<lang>\w*).*\n(?<code>[^]*?)\n\k<mark>.*$|^(?=.*\|)(?<head>.+)\n[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)*\n(?<rows>(?:(?=.*\|).+(?:\n|$))+)|^(?<data>[[{])/gm;

/** The same answer, its tables and data of findings as sections. What is not certain to be findings, each of it, stays as it was. */
export function writeFindingRecords(text: string): string {
  let written = '';
  let from = 0;
  for (const block of text.matchAll(BLOCK)) {
    const { index } = block;
    if (index < from) continue;
    const { mark, lang = '', code = '', head = '', rows = '', data } = block.groups ?? {};
    const loose =
      data === undefined || text.length - index > MOST_DATA ? undefined : readLooseJson(text, index);
    if (data !== undefined && !loose) break;
    const sections = loose
      ? writeData(loose.data)
      : mark === undefined
        ? writeRecords(readRows(head, rows))
        : writeData(readData(lang, code));
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

/** A list of findings, or an object with one list of them. */
function writeData(data: unknown): string | undefined {
  const list = Array.isArray(data) ? data : findList(data);
  if (!list) return undefined;
  if (list.length === 0) return 'Nothing found.';
  return writeRecords(list.map((one) => (isObject(one) ? readFields(Object.entries(one)) : {})));
}

function findList(data: unknown): unknown[] | undefined {
  const named = Object.entries(isObject(data) ? data : {}).filter(([name]) =>
    LISTS.includes(name.toLowerCase()),
  );
  const [[, list] = []] = named;
  return Array.isArray(list) ? (list as unknown[]) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands under each name; of an object, its own names. */
const readFields = (entries: readonly [string, unknown][]): FindingRecord =>
  Object.assign(
    {},
    ...entries.map(([name, value]): FindingRecord => {
      if (isObject(value)) return readFields(Object.entries(value));
      const part = findFindingPart(name);
      const words = Array.isArray(value) ? value.join(part === 'lines' ? '-' : '\n') : String(value ?? '');
      return part === undefined || words.trim() === '' ? {} : { [part]: words.trim() };
    }),
  ) as FindingRecord;

function readRows(head: string, rows: string): FindingRecord[] {
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
    .map((row) => readFields(readCells(row).map((cell, at) => [names[at] ?? '', cell])));
}

function writeRecords(records: readonly FindingRecord[]): string | undefined {
  const sections = records.map(writeSection);
  return sections.every((one) => one !== undefined) ? sections.join('\n\n') : undefined;
}

/** Undefined where no severity or no words are given: it is no finding, or not all of one. */
function writeSection({
  severity,
  category,
  title,
  file,
  lines,
  end,
  quote,
  text,
  fix,
}: FindingRecord): string | undefined {
  const words = title ?? text;
  if (severity === undefined || words === undefined) return undefined;
  // What cannot be told counts as the worst.
  const named = findSeverity(severity.replaceAll(/[*_`]/g, '')) ?? 'blocker';
  const place = file?.replaceAll(/^`|`$/g, '');
  return [
    `### ${[named, category].filter(Boolean).join(', ')}: ${oneLine(words, 200)}`,
    place && `${place}${lines === undefined ? '' : `:${[lines, end].filter(Boolean).join('-')}`}`,
    quote?.replace(/^`+|`+$/g, '').replace(/^/gm, '> '),
    // Code in a sentence is a quote where there is no other.
    title !== undefined && title.includes('`') && title,
    text,
    fix && `Fix: ${fix}`,
  ]
    .filter(Boolean)
    .join('\n');
}
