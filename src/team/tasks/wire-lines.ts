// Lines of version 5 about a task: their numbers, their DATA, and their encoding.
import { createLineCodec } from '../messages/codecs/line-codec.ts';
import { getPairValue, parseDataPairs } from '../messages/codecs/data-pairs.ts';
import { convertCode } from '../messages/codecs/codec-types.ts';
import type { Message } from '../messages/message.ts';
import { getWireTaskId } from './task.ts';
import type { ExchangeLine, Task } from './task.ts';

const v5 = createLineCodec('v5');
const v4 = createLineCodec('v4');

export const ORCHESTRATOR = 'O1';
export const USER = 'User';
/** The highest numbers that version 5 can express, and the maximum length of DATA in characters. */
export const ENDS = { message: 9999, task: 999, worker: 99, budget: 9999, data: 200 } as const;

/** Sample DATA of each form in prompts: a worker that only repeats one of these has said nothing. */
export const EXAMPLES = {
  en: { S: 'key=value;key=value', C: 'question=…;options=a,b', E: 'desc=…', X: 'call=CAPABILITY;reason=…' },
  fr: { S: 'clé=valeur;clé=valeur', C: 'question=…;options=a,b', E: 'desc=…', X: 'call=CAPACITÉ;reason=…' },
} as const;

/** The number of a message, and its session. */
export type MessageNumber = Pick<ExchangeLine, 'id'> & Partial<Pick<ExchangeLine, 'context'>>;
export const buildMessageName = ({ context, id }: Pick<ExchangeLine, 'id' | 'context'>): string =>
  `${context}/${id}`;

/** The content of one line, without what all lines of a task share. */
export type LineDraft = Pick<ExchangeLine, 'id' | 'time' | 'from' | 'to' | 'kind' | 'body'> &
  Partial<Pick<ExchangeLine, 'context' | 'state' | 'error' | 'depth' | 'budget'>>;

/** Builds a line about a task. A budget too large for its segment is repeated in DATA. */
export function buildTaskLine(task: Task, saying: LineDraft): ExchangeLine {
  const {
    budget = saying.to === USER || saying.from === USER ? undefined : (task.budget ?? undefined),
    ...rest
  } = saying;
  const isLarge = budget !== undefined && budget > ENDS.budget;
  return {
    task: getWireTaskId(task),
    priority: task.priority,
    depth: task.depth,
    context: task.session,
    ...rest,
    body: isLarge ? withPairs(rest.body, { budget: String(budget) }) : rest.body,
    ...(budget !== undefined && { budget: Math.min(budget, ENDS.budget) }),
  };
}

/** Encodes a line in version 5, or version 4 for a worker that knows no other. */
export function encodeTaskLine(line: ExchangeLine, version: 'V5' | 'V4' = 'V5'): string {
  const { time, ...given } = line;
  const message = version === 'V4' ? toVersion4(given) : given;
  const codec = version === 'V4' ? v4 : v5;
  const whole = codec.encode({ ...message, priority: line.priority }, { asRead: true });
  if (whole.ok) return whole.value;
  const plain = codec.encode({ ...message, body: toPlainData(line.body) }, { asRead: true });
  return plain.ok ? plain.value : `${line.id}: ${plain.error.name} (${time})`;
}

/** In version 4 the same code has another meaning. */
const toVersion4 = ({ error, ...rest }: Message): Message => {
  const code = error === undefined ? undefined : convertCode(error, 'v5', 'v4').code;
  return code === undefined ? rest : { ...rest, error: code };
};

/** Returns the text as DATA; undefined if it is too long, or has forbidden characters. */
export const asData = (text: string): string | undefined =>
  text !== '' && [...text].length <= ENDS.data && !/[|>\r\n\u2028\u2029]/.test(text) ? text : undefined;

/** Turns any text into DATA: one line, delimiters replaced, truncated. */
function toPlainData(text: string): string {
  const one = text.replace(/\s+/g, ' ').replaceAll('|', '/').replaceAll('>', '›').trim();
  const characters = [...one];
  const cut = characters.length <= ENDS.data ? one : `${characters.slice(0, ENDS.data - 1).join('')}…`;
  return cut === '' ? '-' : cut;
}

/** Formats the value of a pair, without `;`. */
export const asValue = (text: string, most = 120): string => {
  const one = toPlainData(text).replaceAll(';', ',');
  return [...one].length <= most ? one : `${[...one].slice(0, most - 1).join('')}…`;
};

/** Adds pairs to DATA. If both do not fit, only the pairs are kept. */
export function withPairs(body: string, pairs: Record<string, string>): string {
  const added = Object.entries(pairs).map(([key, value]) => `${key}=${value}`);
  if (added.length === 0) return body;
  const text = [body.replace(/;$/, ''), ...added].filter((part) => part !== '' && part !== '-').join(';');
  return asData(text) ?? toPlainData(added.join(';'));
}

/** Returns the DATA of a request: the instruction itself, or a reference to it. */
export function requestData(task: Task): string {
  const own = asData(task.text.trim());
  if (own !== undefined) return own;
  const [need] = task.needs;
  return `${need === undefined ? '' : `call=${need};`}src=#REF:${getWireTaskId(task)}:R`;
}

/** Returns the capability that an instruction calls by name: `call=web_search;…`. */
export function findCalledCapability(text: string): string | undefined {
  const call = asData(text.trim()) === undefined ? undefined : parseDataPairs(text.trim())?.call;
  return typeof call === 'string' && call !== '' ? call : undefined;
}

/** Parses the queue length of a busy worker: `queue=3`. */
export function parseQueueLength(body: string): number | undefined {
  const queue = /^(\d{1,4})$/.exec(getPairValue(parseDataPairs(body), 'queue') ?? '')?.[1];
  return queue === undefined ? undefined : Number(queue);
}

/** Returns the number of a message: 5 for `M5`. */
export const getMessageNumber = (id: string): number => Number(id.slice(1));

/** Sorts lines of several tasks by time, then by number. */
export const sortLines = (lines: readonly ExchangeLine[]): ExchangeLine[] =>
  lines.toSorted((a, b) =>
    a.time === b.time ? getMessageNumber(a.id) - getMessageNumber(b.id) : a.time < b.time ? -1 : 1,
  );
