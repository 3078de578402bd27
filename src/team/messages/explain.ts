// Explains in words what each part of a message means.
import { MEANINGS } from './codecs/codec-types.ts';
import { GRAMMARS, ROLE_OF } from './codecs/grammar.ts';
import type { SegmentContent } from './codecs/grammar.ts';
import type { Format, Message } from './message.ts';

/** One part of a message: its number in a line, its name, its value, and what that means. */
export interface ExplainedPart {
  segment: number;
  name: string;
  value: string;
  meaning: string;
}

const STATES = { N: 'new', R: 'running', D: 'done', F: 'failed', X: 'cancelled' } as const;

export const explain = (text: string, format: Format, message: Message): ExplainedPart[] =>
  format === 'v1' || format === 'file' || format === 'envelope'
    ? explainMessageParts(message, format)
    : explainLineParts(text, format, message);

function explainLineParts(text: string, format: keyof typeof GRAMMARS, message: Message): ExplainedPart[] {
  const values = text.replace(/\r?\n$/, '').split('|');
  const { segments } = GRAMMARS[format];
  const parts = segments.map(({ name, holds }, at): ExplainedPart => {
    const value = values[at] ?? '';
    return {
      segment: at + 1,
      name,
      value,
      meaning: value === '-' ? (ABSENT[holds] ?? 'none') : MEANS[holds](message, format),
    };
  });
  const data = {
    segment: segments.length + 1,
    name: 'data',
    value: message.body ?? '-',
    meaning: explainData(message),
  };
  return [...parts, data];
}

const ABSENT: Partial<Record<SegmentContent, string>> = {
  priority: 'normal, where nothing is said',
  depth: '0, where nothing is said',
};

const MEANS: Record<SegmentContent, (message: Message, format: Format) => string> = {
  id: () => 'this message',
  role: ({ role }) =>
    role === 'O' ? 'from the orchestrator to the worker' : 'from the worker to the orchestrator',
  route: ({ from, to }) => `from ${describeAgent(from)} to ${describeAgent(to)}`,
  kind: ({ kind }) => kind,
  task: ({ task }) => (task === 'T0' ? 'no task: about the agents themselves' : 'the task it is about'),
  priority: ({ priority }) => priority ?? 'normal',
  state: ({ state }) => `the task is ${state ? STATES[state] : 'where it was'}`,
  error: ({ error }, format) => explainCode(error ?? '', format),
  depth: ({ depth }) => (depth === 0 ? 'not handed on' : `handed on ${depth} times`),
  context: ({ auth }) => (auth ? 'the session, with a signature' : 'the session'),
  budget: ({ budget }) => `${budget} tokens are left`,
};

function describeAgent(name = ''): string {
  if (name === '*') return 'everybody';
  if (name === 'W*') return 'all workers';
  const role = ROLE_OF[name.charAt(0)];
  return role === undefined || !/^.\d/.test(name) ? name : `${role} ${name.slice(1)}`;
}

function explainCode(code: string, format: Format): string {
  const version = format === 'v1' ? 'v2' : format === 'envelope' || format === 'file' ? 'v5' : format;
  const found = Object.entries(MEANINGS).find(([, codes]) => codes[version] === code);
  return found?.[0] ?? 'a code that this version does not list';
}

function explainData({ body, data, kind }: Message): string {
  if (body === undefined) return 'none';
  if (data === undefined) return kind === 'request' ? 'what is asked for' : 'a text';
  return Object.entries(data)
    .map(([key, value]) =>
      key === '' ? String(value) : `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join('; ');
}

const explainMessageParts = (message: Message, format: Format): ExplainedPart[] =>
  Object.entries(message).map(([name, value]) => ({
    segment: 0,
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
    meaning: name === 'error' ? explainCode(String(value), format) : '',
  }));
