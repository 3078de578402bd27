// Rules that a single line must follow: its sender, its task state, its error code, its options and retries.
import { getPairValue } from './codecs/data-pairs.ts';
import { GRAMMARS, ROLE_OF } from './codecs/grammar.ts';
import type { SegmentContent } from './codecs/grammar.ts';
import { convertCode, createWireFailure } from './codecs/codec-types.ts';
import type { Failed } from './codecs/codec-types.ts';
import type { DataValue, Format, Message } from './message.ts';
import { LIMITS, listSayableStates } from './policy.ts';

export type LineFormat = Exclude<Format, 'file' | 'envelope'>;

/** The lines and names of the parts in a V1 block. */
const IN_BLOCK: Partial<Record<SegmentContent | 'data', [line: number, name: string]>> = {
  id: [1, 'msg'],
  route: [2, 'from'],
  task: [5, 'task'],
};

/**
 * Creates the fault for one part of a line, with its number and name in that version. `code` is V5's code for a
 * specific fault; a version without an equivalent uses the code of the part.
 */
export function createPartFault(
  format: LineFormat,
  holds: SegmentContent | 'data',
  { expected, received, code }: { expected: string; received: string; code?: string },
): Failed {
  const meant = code === undefined ? undefined : convertCode(code, 'v5', format);
  const own = meant?.isLost === false ? meant.code : undefined;
  if (format === 'v1') {
    const [line, name] = IN_BLOCK[holds] ?? [6, 'data'];
    return createWireFailure(own ?? 'E02', line, name, expected, received);
  }
  const { segments, countCode } = GRAMMARS[format];
  // V2 names only its sender.
  const wanted = format === 'v2' && holds === 'route' ? 'role' : holds;
  const at = segments.findIndex((segment) => segment.holds === wanted);
  const { name, code: usual } = segments[at] ?? { name: 'data', code: countCode };
  return createWireFailure(own ?? usual, at === -1 ? segments.length + 1 : at + 1, name, expected, received);
}

type SpeakerKind = 'orchestrator' | 'worker' | 'router' | 'group' | 'person';

/** Returns the role of an agent by its name in a line; in `O1.W1`, by the last part. */
export function classifySpeaker(name: string): SpeakerKind {
  const last = /\.([OWRG])\d+$/.exec(name)?.[1];
  return name === 'User' ? 'person' : (ROLE_OF[last ?? name.charAt(0)] ?? 'group');
}

/** Returns sender and recipient, even if the format implies one of them. */
const getSides = ({ role, from = '', to = '' }: Message): [from: string, to: string] =>
  role === undefined ? [from, to] : [role, role === 'O' ? 'W' : 'O'];

const formatRoute = (message: Message): string => getSides(message).join('>');

/** Returns the first fault of a line that needs no context. */
export const findLineFault = (message: Message, format: LineFormat): Failed | undefined =>
  checkInitiative(message, format) ??
  checkWorkerTalk(message, format) ??
  checkContradiction(message, format, classifySpeaker(getSides(message)[0])) ??
  checkErrorCode(message, format) ??
  checkHandoffDepth(message, format) ??
  checkRetries(message, format) ??
  checkOptions(message, format);

/** Workers and groups may not give tasks. */
function checkInitiative(message: Message, format: LineFormat): Failed | undefined {
  const speaker = classifySpeaker(getSides(message)[0]);
  if (speaker !== 'worker' && speaker !== 'group') return undefined;
  if (message.kind !== 'request' && message.kind !== 'broadcast') return undefined;
  const expected = `from an orchestrator: a ${speaker} gives no tasks`;
  return createPartFault(format, 'route', { code: 'E13', expected, received: formatRoute(message) });
}

/** Heartbeats and receipts may go to anyone. */
const LIFE_SIGNS: readonly string[] = ['ack', 'heartbeat'];

function checkWorkerTalk(message: Message, format: LineFormat): Failed | undefined {
  const [from, to] = getSides(message);
  if (
    classifySpeaker(from) !== 'worker' ||
    classifySpeaker(to) !== 'worker' ||
    LIFE_SIGNS.includes(message.kind)
  )
    return undefined;
  const isAboutPart = format === 'v5' && (message.kind === 'handoff' || (message.depth ?? 0) > 0);
  if (isAboutPart && from !== to) return undefined;
  const expected = 'to an orchestrator: workers talk about what one has handed on to another';
  return createPartFault(format, 'route', { code: 'E13', expected, received: formatRoute(message) });
}

/** Returns the fault of a state that does not fit the kind, or of a response with an error. `by`: the sender. */
export function checkContradiction(
  { kind, state, error }: Message,
  format: LineFormat,
  by: SpeakerKind,
): Failed | undefined {
  const allowed = by === 'worker' || by === 'orchestrator' ? listSayableStates(by, kind) : undefined;
  if (state !== undefined && allowed?.includes(state) === false) {
    const expected = `${allowed.join(' or ')} in a line of the kind ${kind}`;
    return createPartFault(format, 'state', { code: 'E15', expected, received: state });
  }
  if (kind !== 'response' || !isCode(error)) return undefined;
  return createPartFault(format, 'error', {
    expected: '- in a response: an error has the type E',
    received: error,
  });
}

/** E00 is V5's code for no error. */
const isCode = (error: string | undefined): error is string => error !== undefined && error !== 'E00';

function checkErrorCode({ kind, error, body = '-' }: Message, format: LineFormat): Failed | undefined {
  if (kind !== 'error' || isCode(error)) return undefined;
  const expected = 'the code of an error, such as E99';
  return format === 'v4' || format === 'v5'
    ? createPartFault(format, 'error', { expected, received: error ?? '-' })
    : createPartFault(format, 'data', { expected: `${expected}, and a text: E99:what`, received: body });
}

function checkHandoffDepth({ kind, depth = 0 }: Message, format: LineFormat): Failed | undefined {
  if (kind !== 'handoff' || depth > 0) return undefined;
  const expected = 'one more than the depth of the task that is handed on';
  return createPartFault(format, 'depth', { code: 'E16', expected, received: String(depth) });
}

const COUNT = /^\d{1,4}$/;

/** Returns the number of a retry and the maximum; undefined for a message that is not a retry. */
export function parseRetry({ kind, data }: Message): { retry: number; most: number } | undefined {
  const [retry, max] = [getPairValue(data, 'retry'), getPairValue(data, 'max')];
  if (kind !== 'request' || retry === undefined || !COUNT.test(retry)) return undefined;
  const most = max !== undefined && COUNT.test(max) ? Number(max) : LIMITS.retries;
  return { retry: Number(retry), most: Math.min(most, LIMITS.retries) };
}

function checkRetries(message: Message, format: LineFormat): Failed | undefined {
  const { retry = 0, most = 0 } = parseRetry(message) ?? {};
  if (retry <= most) return undefined;
  return createPartFault(format, 'data', {
    expected: `a retry of at most ${most}`,
    received: `retry=${retry}`,
  });
}

/** Returns the options for a person to choose from: `opt1=a;opt2=b`, or `options=a,b`. */
export function listAnswerOptions(data: Record<string, DataValue> = {}): string[] {
  const numbered = Object.entries(data).flatMap(([key, value]) =>
    /^opt\d+$/.test(key) ? [String(value)] : [],
  );
  return numbered.length > 0 ? numbered : [data.options ?? []].flat().map(String);
}

function checkOptions({ kind, data }: Message, format: LineFormat): Failed | undefined {
  if (kind !== 'disambiguate') return undefined;
  const { length } = listAnswerOptions(data);
  const { least, most } = LIMITS.options;
  if (length >= least && length <= most) return undefined;
  const expected = `${least} to ${most} options: opt1=…;opt2=…`;
  return createPartFault(format, 'data', { expected, received: `${length} options` });
}
