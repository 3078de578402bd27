// Reads what a worker said: lines of version 5 (or 4) among prose, or a plain text.
import { stripVTControlCharacters } from 'node:util';
import { convertCode } from '../messages/codecs/error-codes.ts';
import { lineCodec } from '../messages/codecs/line.ts';
import { contradiction } from '../messages/line-rules.ts';
import type { Message } from '../messages/message.ts';
import { wireTask } from './task.ts';
import type { Task } from './task.ts';
import { ORCHESTRATOR, USER, valueIn } from './wire.ts';

const v5 = lineCodec('v5');
const v4 = lineCodec('v4');
/** What cannot be anything but an attempt at a line: a number, a route and a type. A row of a table has no route. */
const LIKE_A_LINE = /^`?(M\d+\|[A-Za-z]\w*>[^|\s]*\|[A-Z]\|.*?)`?$/;
/** What ends a launch. */
const ENDS = new Set(['response', 'error', 'clarify', 'handoff', 'disambiguate', 'request']);

/** What a worker said. */
export interface Said {
  /** Its lines, in their order: up to the first that ends the launch, and what it tells of its work after that. */
  lines: Message[];
  /** The line that ends the launch; undefined where there is none. */
  last: Message | undefined;
  /** The text around the lines, with the DATA of a result at its place. */
  text: string;
  /** Why its lines cannot be taken, with the protocol's code. */
  problem: { code: string; text: string } | undefined;
}

/** Who speaks, and about what. */
export interface Speaking {
  task: Pick<Task, 'id' | 'session' | 'exchange'>;
  wire: string;
  /** Whom it may answer beside the orchestrator: who handed the task on. */
  answers: string;
}

/** The line that a row of text is meant as; undefined for prose. */
const lineIn = (row: string): string | undefined => LIKE_A_LINE.exec(row.trim())?.[1]?.trimEnd();

/** How many rows of a text are meant as lines. */
export const countLines = (output: string): number =>
  rowsOf(output).filter((row) => lineIn(row) !== undefined).length;

/**
 * Rows as a person sees them: without colours, and a bar of progress that is written over and over is many. NUL, which no text of
 * council may hold, reads as in messages.
 */
const rowsOf = (output: string): string[] =>
  stripVTControlCharacters(output)
    .replaceAll('\0', '\ufffd')
    .split(/\r?\n|\r/);

export function readSaid(output: string, speaking: Speaking): Said {
  const lines: Message[] = [];
  const prose: string[] = [];
  let problem: Said['problem'];
  let last: Message | undefined;
  for (const row of rowsOf(output)) {
    const raw = lineIn(row);
    if (raw === undefined) {
      prose.push(row);
      continue;
    }
    const read = decode(raw);
    // What it repeats of what it was sent is not its own; a line that nobody has sent belongs to its text.
    if (read.ok && isOthers(read.value, speaking)) {
      if (!wasSent(read.value, speaking)) prose.push(row);
      continue;
    }
    const wrong = read.ok
      ? fault(read.value, speaking)
      : { code: read.error.code, text: `${read.error.name}: expected ${read.error.expected}` };
    if (wrong) problem ??= wrong;
    if (!read.ok || wrong) continue;
    if (last && read.value.kind !== 'update') continue;
    lines.push(read.value);
    if (ENDS.has(read.value.kind)) last = read.value;
    if (read.value.kind === 'response') prose.push(textOfResult(read.value, speaking.task));
  }
  const text = prose.join('\n').trim();
  return { lines, last, text, problem: last ? undefined : problem };
}

function decode(raw: string): ReturnType<typeof v5.decode> {
  const read = v5.decode(raw);
  if (read.ok || raw.split('|').length > 9) return read;
  const older = v4.decode(raw);
  if (!older.ok || older.value.error === undefined) return older.ok ? older : read;
  // The same code means something else in version 4; one that it does not have was meant as it stands.
  const { code, isLost } = convertCode(older.value.error, 'v4', 'v5');
  return code === undefined || isLost ? older : { ...older, value: { ...older.value, error: code } };
}

const isOthers = ({ from, to }: Message, { wire }: Speaking): boolean =>
  from === USER || (wire !== ORCHESTRATOR && from !== wire && (from === ORCHESTRATOR || to === wire));

const wasSent = ({ id, from }: Message, { task }: Speaking): boolean =>
  from === USER || task.exchange.some((one) => one.id === id && one.from === from);

/** A result that only points to itself says nothing more than the text around it. */
function textOfResult({ body = '', data }: Message, task: Speaking['task']): string {
  const own = `#REF:${wireTask(task)}:S`;
  return body === own || valueIn(data, 'result') === own ? '' : body;
}

/** Why a line cannot be taken as this worker's about this task. */
function fault(line: Message, { task, wire }: Speaking): Said['problem'] {
  const { from, context } = line;
  if (from !== wire) return { code: 'E41', text: `it wrote as ${from ?? '-'}, and is ${wire} here` };
  if (line.task !== undefined && line.task !== wireTask(task))
    return { code: 'E40', text: `it wrote about ${line.task}, and was asked about ${wireTask(task)}` };
  if (context !== undefined && context !== task.session)
    return { code: 'E42', text: `it wrote in ${context}, and the session is ${task.session}` };
  // Whoever is launched answers as a worker does.
  const { error } = contradiction(line, 'v5', 'worker') ?? {};
  return error && { code: error.code, text: `${error.name}: expected ${error.expected}` };
}
