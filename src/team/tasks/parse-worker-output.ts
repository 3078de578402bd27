// Parses worker output: protocol lines (version 5 or 4), their short forms, and plain text.
import { stripVTControlCharacters } from 'node:util';
import { mentionsAnotherForm } from '../../core/council/ledger/text/form-names.ts';
import { blankReasoning, removeReasoning } from '../../core/council/ledger/text/reasoning.ts';
import { getPairValue, parseReferences } from '../messages/codecs/data-pairs.ts';
import { checkContradiction } from '../messages/line-rules.ts';
import type { Message } from '../messages/message.ts';
import { parseReportLines } from './report-text.ts';
import { findUnclear, NOT_OWN, readLine, readShort, CODE, LEADS, LEADS_ON } from './parse-worker-row.ts';
import type { ParsedRow } from './parse-worker-row.ts';
import { getWireTaskId } from './task.ts';
import type { Task, TaskError } from './task.ts';
import { EXAMPLES, getMessageNumber, ORCHESTRATOR, USER } from './wire-lines.ts';

/** Kinds that only report progress: they neither end a launch nor decide anything. */
const ASIDE = new Set<string>(['update', 'ack', 'heartbeat', 'broadcast', 'join', 'leave', 'caps']);

export interface WorkerOutput {
  /** Its lines in order; of consecutive updates only the newest. */
  lines: Message[];
  /** The line that ends the launch; undefined if there is none. */
  last: Message | undefined;
  /** The text around the lines, with the DATA of a result in its place. */
  text: string;
  /** True if there is text besides the lines. */
  hasWords: boolean;
  /** Why the output is unclear, with the protocol's code. */
  problem: TaskError | undefined;
}

export interface SpeakingWorker {
  task: Pick<Task, 'id' | 'session' | 'exchange'>;
  wire: string;
  /** The tasks of its session; undefined if they are not known. */
  tasks?: readonly string[];
}

/** Parses a worker's whole output: its lines, the one that ends its turn, its prose, and what is unclear. */
export function readSaid(output: string, speaking: SpeakingWorker): WorkerOutput {
  const whole = cleanText(output);
  const own = removeReasoning(whole);
  const lines: Message[] = [];
  const ends: Message[] = [];
  const prose: string[] = [];
  const problems: (TaskError & Pick<ParsedRow, 'kind'>)[] = [];
  const words: string[] = [];
  for (const { text, meant } of readRows(own)) {
    const line = meant?.message;
    const isText = !meant || (line !== undefined && isOthers(line, speaking));
    if (!meant) words.push(text);
    // A line from others that was never sent counts as text.
    if (isText && !(line && wasSent(line, speaking))) prose.push(text);
    if (isText) continue;
    const problem = line ? findFault(line, speaking) : meant.problem;
    if (problem) problems.push({ ...problem, kind: meant.kind });
    if (!line || problem || ends.some((one) => isSameLine(one, line))) continue;
    if (line.kind === 'update' && lines.at(-1)?.kind === 'update') lines.pop();
    lines.push(line);
    if (!ASIDE.has(line.kind)) ends.push(line);
    if (line.kind === 'response') prose.push(getResultText(line, speaking.task));
  }
  // A line in the worker's reasoning is not a message.
  if (ends.length === 0 && own !== whole && readRows(whole).some(isEnding))
    problems.push({ ...NOT_OWN.problem, kind: 'response' });
  const unclear = findUnclear(words.join('\n'), ends.length === 0);
  if (unclear) problems.push({ ...unclear, kind: 'error' });
  // Besides a readable line, an unreadable one matters only if it could be something other than a result.
  const unread = problems.find(({ kind }) => !ASIDE.has(kind) && (ends.length === 0 || kind !== 'response'));
  const problem = ends.length > 1 ? DIFFER : unread && { code: unread.code, text: unread.text };
  const last = problem ? undefined : ends[0];
  return {
    lines,
    last,
    text: prose.join('\n').trim(),
    hasWords: words.some((row) => WORD_CHARACTER.test(row)),
    problem,
  };
}

const DIFFER: TaskError = { code: 'E10', text: 'it ends with two lines that differ' };
const WORD_CHARACTER = /[\p{L}\p{N}\p{So}]/u;

/** Removes colours, splits an overwritten progress bar into rows, and replaces NUL, as in messages. */
const cleanText = (output: string): string =>
  stripVTControlCharacters(output).replaceAll('\0', '\ufffd').replace(/\r\n?/g, '\n');

/** Reads each row. A short form counts only at the end of the output; elsewhere the worker must repeat it. */
function readRows(text: string): { text: string; meant: ParsedRow | undefined }[] {
  const shown = blankReasoning(text).split('\n');
  let isQuoted = false;
  let above = '';
  const rows = parseReportLines(text).lines.map(({ text: row, isInside }, at) => {
    if (row.startsWith('<<<') || row.startsWith('>>>')) isQuoted = row.startsWith('<');
    const isOwn = !isQuoted && !isInside && !CODE.test(row) && shown[at] === row && !isExampleLead(above);
    const meant = readLine(row, isOwn);
    const short = meant ? undefined : readShort(row, isOwn);
    if (!meant && !short && WORD_CHARACTER.test(row)) above = row;
    else if (row.trim() === '' && !LEADS.test(above)) above = '';
    return { text: row, meant, short };
  });
  let isEnd = true;
  for (const row of rows.toReversed()) {
    if (row.short && (isEnd || !(row.short.kind === 'update' || row.short.kind === 'response')))
      row.meant = isEnd ? row.short : { kind: row.short.kind, problem: TOO_EARLY };
    isEnd &&= row.meant !== undefined || !WORD_CHARACTER.test(row.text);
  }
  return rows;
}

const isEnding = ({ meant }: { meant: ParsedRow | undefined }): boolean =>
  meant !== undefined && !ASIDE.has(meant.kind);

/** "For example:", "I could say, for example", "Ada wrote:". */
const isExampleLead = (row: string): boolean =>
  (LEADS.test(row) || LEADS_ON.test(row)) && mentionsAnotherForm(row);

const TOO_EARLY: TaskError = { code: 'E10', text: 'a short line counts only at the end of what it says' };

const isSameLine = (a: Message, b: Message): boolean =>
  a.kind === b.kind && a.to === b.to && a.error === b.error && a.body === b.body;

/** True for lines of others, which a worker may have quoted. */
const isOthers = ({ from, to }: Message, { wire }: SpeakingWorker): boolean =>
  from === USER ||
  (wire !== ORCHESTRATOR && from !== undefined && from !== wire && (from === ORCHESTRATOR || to === wire));

const wasSent = ({ id, from }: Message, { task }: SpeakingWorker): boolean =>
  from === USER || task.exchange.some((one) => one.id === id && one.from === from);

/** A result that only refers to itself adds nothing to the text around it. */
function getResultText({ body = '', data }: Message, task: SpeakingWorker['task']): string {
  const own = `#REF:${getWireTaskId(task)}:S`;
  return body === own || getPairValue(data, 'result') === own ? '' : body;
}

/** Returns why a line cannot be from this worker about this task. Omitted segments are taken from the request. */
function findFault(line: Message, speaking: SpeakingWorker): TaskError | undefined {
  const { wire, task: asked } = speaking;
  const { from = wire, task = getWireTaskId(asked), context = asked.session, kind, body = '' } = line;
  if (from !== wire) return { code: 'E41', text: `it wrote as ${from}, and is ${wire} here` };
  if (task !== getWireTaskId(asked))
    return { code: 'E40', text: `it wrote about ${task}, and was asked about ${getWireTaskId(asked)}` };
  if (context !== asked.session && !asked.exchange.some((one) => one.context === context))
    return { code: 'E42', text: `it wrote in ${context}, and the session is ${asked.session}` };
  if (EXAMPLE_LINES.has(body)) return { code: 'E10', text: `it only repeats the form ${body}` };
  const lost = findLostReference(line, speaking);
  if (lost !== undefined) return { code: 'E43', text: `${lost} leads nowhere in this session` };
  if (kind === 'query') return { code: 'E14', text: 'a worker asks with a line of the type C' };
  // A launched agent follows the rules for workers.
  const { error } = checkContradiction(line, 'v5', 'worker') ?? {};
  return error && { code: error.code, text: `${error.name}: expected ${error.expected}` };
}

/**
 * Returns a reference to a missing task or message, unless in an error. Its own earlier lines have smaller
 * numbers.
 */
function findLostReference(
  { id, kind, body = '', data }: Message,
  { task: { exchange }, tasks }: SpeakingWorker,
): string | undefined {
  if (kind === 'error' || !tasks) return undefined;
  const last = Math.max(...[id, ...exchange.map((one) => one.id)].map(getMessageNumber));
  const parent = getPairValue(data, 'pid');
  const messages = parent === undefined ? [] : [parent];
  for (const one of parseReferences(body)) {
    if (one.to === 'task' && !tasks.includes(one.task)) return `#REF:${one.task}`;
    if (one.to === 'message') messages.push(one.id);
  }
  const unknown = messages.find((one) => !(getMessageNumber(one) <= last));
  return unknown && `#MSG:${unknown}`;
}

const EXAMPLE_LINES = new Set<string>(Object.values(EXAMPLES).flatMap((forms) => Object.values(forms)));
