// Parses a reviewer's judgements of others' findings, written as lines, a table, JSON or YAML.
import type { Change } from './change.ts';
import { CONFIRMS, findCategory, findFindingPart, findSeverity, REJECTS } from './finding-words.ts';
import { isQuoted } from './place-finding.ts';
import { splitBody } from './read-findings.ts';
import { isObject } from '../core/base/text.ts';
import { replaceRecords } from './read-records.ts';
import { SEVERITIES } from './report.ts';
import type { Judgement, Severity } from './report.ts';

export type SaidJudgement = Omit<Judgement, 'by'> & { id: string };

export interface ReadJudgements {
  judgements: SaidJudgement[];
  /** Pairs of findings called the same. */
  same: [string, string][];
  /** Ids of findings with a judgement that could not be parsed. */
  unclear: string[];
}

const IDS = /(?<![\p{L}\d])F\d+(?:\s*(?:,|and|et|&|=)\s*F\d+)*(?![\p{L}\d])/iu;
/** Allowed before the number of a finding: punctuation, an item number, one word. */
const BEFORE = /^[^\p{L}\d]*(?:\d+[.)|\s][^\p{L}\d]*)?(\p{L}*)[^\p{L}\d]*$/u;
const MOST_BEFORE = 40;
const SAME = /^(?:is |est )?(?:the )?(?:same as|duplicate of|identique à|pareil que)\W*(F\d+)/iu;
/** Matches `as minor`, `, but minor`, `(minor)` after a confirmation. */
const AS_SEVERITY =
  /^\p{L}+[\s,;:–—-]*(?:(?:as|but|comme|mais)\s+|\()[*_`]*(\p{L}+)[*_`]*\)?(?=[\s.,;:)]|$)/iu;

/** Parses a whole answer of the cross-round. Of two judgements of one finding, the stricter one counts. */
export function readJudgements(text: string, change: Pick<Change, 'files'>): ReadJudgements {
  const found = new Map<string, SaidJudgement>();
  const same: [string, string][] = [];
  const named = new Set<string>();
  for (const { ids, behind, body } of splitJudgements(writeJudgementRecords(text))) {
    const twin = SAME.exec(skipMarks(behind))?.[1];
    if (twin !== undefined) same.push(...ids.map((id): [string, string] => [id, toId(twin)]));
    const said = twin === undefined ? findVerdict(behind, body) : undefined;
    if (twin === undefined) for (const id of ids) named.add(id);
    if (!said) continue;
    const judged = judge(said, change);
    for (const id of ids) {
      const known = found.get(id);
      if (!known || rankStrictness(judged) < rankStrictness(known)) found.set(id, { id, ...judged });
    }
  }
  return { judgements: [...found.values()], same, unclear: [...named].filter((id) => !found.has(id)) };
}

const toId = (id: string): string => id.toUpperCase();

interface JudgementsSection {
  ids: string[];
  /** The rest of the line after the ids. */
  behind: string;
  body: string[];
}

function splitJudgements(text: string): JudgementsSection[] {
  const found: JudgementsSection[] = [];
  for (const line of text.split(/\r?\n/)) {
    const section = openSection(line);
    if (section) found.push(section);
    else found.at(-1)?.body.push(line);
  }
  return found;
}

/** Matches `F3: reject`, `- **F3:** reject`, `1. F1, F2 – confirm`, `### Finding F3`, `Reject F3: …`. */
function openSection(line: string): JudgementsSection | undefined {
  const [words, at] = [IDS.exec(line)?.[0], line.search(IDS)];
  if (words === undefined || at > MOST_BEFORE) return undefined;
  const word = BEFORE.exec(line.slice(0, at))?.[1];
  if (word === undefined) return undefined;
  const behind = line.slice(at + words.length);
  const section = { ids: words.match(/F\d+/giu)!.map(toId), behind, body: [] };
  if (word === '' || !/\p{L}/u.test(behind) || readWord(behind))
    return readWord(word) && !readWord(behind) ? { ...section, behind: `: ${word}` } : section;
  return readWord(word) && /^[\s*_`]*[:：.,–—-]/u.test(behind)
    ? { ...section, behind: `: ${word}${behind}` }
    : undefined;
}

interface JudgementVerdict {
  kind: Judgement['kind'];
  severity?: Severity;
  /** Its line, starting at the verdict, and the lines below. */
  line: string;
  below: readonly string[];
}

/** Finds the verdict after the id or, if the finding's heading was copied, on a separate line below. */
function findVerdict(behind: string, body: readonly string[]): JudgementVerdict | undefined {
  const [label, rest] = splitLabel(behind);
  const copied = label !== undefined && (label.isCopied || rest !== '');
  const inHead = copied ? readWord(rest) : readWord(behind);
  if (inHead && (inHead.kind !== 'severity' || !copied)) return { ...inHead, below: body };
  let fence = false;
  for (const [at, line] of body.entries()) {
    if (/^[ \t]*(?:`{3,}|~{3,})/.test(line)) fence = !fence;
    const read = fence || /^[ \t]*>/.test(line) ? undefined : readOwnLine(line);
    if (read) return { ...read, below: [...body.slice(0, at), ...body.slice(at + 1)] };
  }
  const severity = label?.isCopied === false ? label.severity : undefined;
  return severity && { kind: 'severity', severity, line: skipMarks(behind), below: body };
}

/**
 * Splits off a label as in ` blocker, correctness: the title` or ` (major): confirm`: the text before the
 * first colon, unless a colon precedes it.
 */
function splitLabel(behind: string): [{ severity: Severity; isCopied: boolean } | undefined, string] {
  const [, open, words = '', rest = ''] =
    /^[\s*_`:：–—-]*([([]?)([^:：()[\]]{1,60})(?:[)\]]?[*_`]*[\s:：–—-]+|[)\]]|$)(.*)$/u.exec(behind) ?? [];
  const [first = '', ...others] = words.split(/[\s,/|*_`]+/u).filter(Boolean);
  const severity = findSeverity(first);
  if (!severity) return [undefined, ''];
  const isCopied = open !== '' || others.some((word) => findCategory(word) !== undefined);
  if (!isCopied && /^[\s*_`]*[:：–—=>-]/u.test(behind)) return [undefined, ''];
  return [{ severity, isCopied: isCopied && open === '' }, skipMarks(rest)];
}

const skipMarks = (text: string): string => text.replace(/^[^\p{L}]+/u, '');

/** Reads a verdict at the start of a text, also after one word such as `Verdict:`. */
function readWord(text: string): Omit<JudgementVerdict, 'below'> | undefined {
  const line = skipMarks(text);
  const unlabelled = /^\p{L}+[*_`"]*\s*[:：](.*)$/u.exec(line)?.[1];
  return readStart(line) ?? (unlabelled === undefined ? undefined : readStart(skipMarks(unlabelled)));
}

function readStart(line: string): Omit<JudgementVerdict, 'below'> | undefined {
  const severity = findSeverity(/^\p{L}+/u.exec(line)?.[0] ?? '');
  if (severity) return { kind: 'severity', severity, line };
  if (REJECTS.test(line)) return { kind: 'reject', line };
  if (!CONFIRMS.test(line)) return undefined;
  const other = findSeverity(AS_SEVERITY.exec(line)?.[1] ?? '');
  return other ? { kind: 'severity', severity: other, line } : { kind: 'confirm', line };
}

/** Reads a verdict followed by nothing or punctuation: a reason may start with the same word. */
function readOwnLine(line: string): Omit<JudgementVerdict, 'below'> | undefined {
  const read = readWord(line);
  return read && /^\p{L}+[*_`"]*(?:\s*(?:[.:：,;!(–—]|- )|\s*$)/u.test(read.line) ? read : undefined;
}

function judge(
  { kind, severity, line, below }: JudgementVerdict,
  change: Pick<Change, 'files'>,
): Omit<SaidJudgement, 'id'> {
  const { quotes } = splitBody([line, ...below]);
  const reason = line.replace(/^\p{L}+[\s*_`:：,.–—-]*/u, '');
  const text = [reason, ...below].join('\n').trim();
  // A rejection that quotes no code of the change is shown, but does not count.
  const counted = kind !== 'reject' || isQuoted(quotes, change);
  return { kind, ...(severity && { severity }), text, counted };
}

/** Lower is stricter: judgements that uphold a finding rank before those that reject it. */
const rankStrictness = ({ kind, severity }: Pick<SaidJudgement, 'kind' | 'severity'>): number =>
  kind === 'severity' ? SEVERITIES.indexOf(severity!) : kind === 'confirm' ? SEVERITIES.length : 100;

interface JudgementRecord {
  id: string;
  fields: [name: string, value: string][];
}

/** Exactly an id, or one at the start of a cell: `F3`, `**F3** (no lock)`. */
const ID = /^[^\p{L}\d]*(F\d+)(?![\p{L}\d])/iu;

/** Rewrites tables and data of judgements as one line each. Records that name no finding stay unchanged. */
const writeJudgementRecords = (text: string): string =>
  replaceRecords(text, (found) => {
    const records =
      'rows' in found ? found.rows.flatMap((row) => toRecord(row) ?? []) : [...listRecords(found.data)];
    return records.length > 0 ? records.map(writeRecord).join('\n\n') : undefined;
  });

/** Yields every object that names a finding, or is stored under its id, at any depth. */
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

/** The first field that contains an id says which finding is meant. */
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
  // A severity next to a confirmation is the confirmed one; next to a rejection it is a copy.
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
