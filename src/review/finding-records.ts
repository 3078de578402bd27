// Writes findings that come as a table, as JSON or as YAML in the form that is asked for.
import { oneLine } from '../core/base/text.ts';
import { findFindingPart, findSeverity, LISTS } from './finding-words.ts';
import type { FindingPart } from './finding-words.ts';
import { isObject } from '../core/base/text.ts';
import { replaceRecords } from './read-records.ts';

type FindingRecord = Partial<Record<FindingPart, string>>;

/** The same answer, its tables and data of findings as sections. What is not certain to be findings, each of it, stays as it was. */
export const writeFindingRecords = (text: string): string =>
  replaceRecords(text, (found) =>
    'rows' in found ? writeRecords(found.rows.map(readFields)) : writeData(found.data),
  );

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
  // A name with a line end as the brief writes it: a place is one line.
  const place = file?.replaceAll(/^`|`$/g, '').replaceAll('\n', '\\n');
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
