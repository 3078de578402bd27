// Writes judgements that come as a table, as JSON or as YAML in the form that is asked for.
import { CONFIRMS, findFindingPart, findSeverity, REJECTS } from './finding-words.ts';
import { isObject, replaceRecords } from './read-records.ts';

interface JudgementRecord {
  id: string;
  fields: [name: string, value: string][];
}

/** Exactly a number, or one at the beginning of a cell: `F3`, `**F3** (no lock)`. */
const ID = /^[^\p{L}\d]*(F\d+)(?![\p{L}\d])/iu;

/** The same answer, with its tables and data of judgements a line for each. What names no finding stays as it was. */
export const writeJudgementRecords = (text: string): string =>
  replaceRecords(text, (found) => {
    const records =
      'rows' in found ? found.rows.flatMap((row) => toRecord(row) ?? []) : [...listRecords(found.data)];
    return records.length > 0 ? records.map(writeRecord).join('\n\n') : undefined;
  });

/** Every object that names a finding, or stands under the number of one, however deep. */
function* listRecords(data: unknown): Generator<JudgementRecord> {
  if (Array.isArray(data)) for (const one of data) yield* listRecords(one);
  if (!isObject(data)) return;
  const fields = Object.entries(data);
  const record = toRecord(
    fields.flatMap(([name, value]) => (isObject(value) ? [] : [[name, joinValue(value)]])),
  );
  if (record) {
    yield record;
    return;
  }
  for (const [name, value] of fields) {
    const id = ID.exec(name)?.[1];
    if (id === undefined) yield* listRecords(value);
    else if (isObject(value))
      yield { id, fields: Object.entries(value).map(([field, one]) => [field, joinValue(one)]) };
    else yield { id, fields: [['', joinValue(value)]] };
  }
}

const joinValue = (value: unknown): string =>
  Array.isArray(value) ? value.join('\n') : isObject(value) ? JSON.stringify(value) : String(value ?? '');

/** The first field with the number of a finding says which one it is about. */
function toRecord(fields: [string, string][]): JudgementRecord | undefined {
  const at = fields.findIndex(([name, value]) => !ID.test(name) && ID.test(value));
  return at === -1 ? undefined : { id: ID.exec(fields[at]![1])![1]!, fields: fields.toSpliced(at, 1) };
}

function writeRecord({ id, fields }: JudgementRecord): string {
  const isOf = (words: RegExp, value: string): boolean => words.test(value.replace(/^[^\p{L}]+/u, ''));
  const said = fields.findIndex(([, value]) => isOf(CONFIRMS, value) || isOf(REJECTS, value));
  const rated = fields.findIndex(
    ([, value]) => findSeverity(value.replaceAll(/[^\p{L}]/gu, '')) !== undefined,
  );
  // A severity beside a confirmation is the one that is confirmed; beside a rejection it is a copy.
  const at = rated !== -1 && (said === -1 || isOf(CONFIRMS, fields[said]![1])) ? rated : said;
  const others = fields.filter((_, index) => index !== said && index !== rated && index !== at);
  return [
    `${id}: ${at === -1 ? (others.shift()?.[1] ?? '') : fields[at]![1].trim()}`,
    ...others.map(([name, value]) =>
      findFindingPart(name) === 'quote' ? value.replace(/^`+|`+$/g, '').replace(/^/gm, '> ') : value.trim(),
    ),
  ]
    .filter((line) => line !== '')
    .join('\n');
}
