import type { ServerResponse } from 'node:http';

/** The wire formats the fake model server speaks. */
export type Api = 'chat' | 'responses' | 'anthropic' | 'gemini';

/** What a client asked, read from whatever format it came in. */
export interface Asked {
  api: Api;
  model: string;
  stream: boolean;
  system: string;
  /** The texts of the user's messages, oldest first. */
  users: string[];
  /** Names of the tools on offer; those of a namespace as "namespace/name". */
  tools: string[];
  /** True when the last message brings a tool's result. */
  toolResult: boolean;
  /** The JSON schema that the answer has to fit, where the client asks for a document. */
  schema?: Record<string, unknown>;
  /** Everything that was sent, as text. */
  raw: string;
}

export interface FakeCall {
  name: string;
  input: Record<string, unknown> | string;
}

/** What the fake model does with a request. */
export interface Reply {
  text?: string;
  /** Calls a tool instead of saying something; `input` as a text is sent as it is, where the format has a text there. */
  tool?: FakeCall;
  /** Calls several at once. */
  tools?: FakeCall[];
  /** Fails with this HTTP status. */
  status?: number;
  headers?: Record<string, string>;
  /** The body of a failure; a usual one by default. */
  body?: unknown;
  /** Never answers. */
  hang?: boolean;
  /** Sends the first piece of the text and breaks the connection. */
  cut?: boolean;
  /** The provider's own word for why it finished; the usual one by default. */
  finish?: string;
  usage?: { input: number; output: number; cached?: number; written?: number };
}

/** One wire format: how a request is read, and how a reply is written. */
export interface Dialect {
  api: Api;
  path: RegExp;
  read(body: Record<string, unknown>, path: string): Omit<Asked, 'api' | 'raw'>;
  /** A whole answer as one JSON document. */
  whole(asked: Asked, reply: Answer): unknown;
  /** The same as server-sent events, one at a time; a `text` among them marks the place where `cut` cuts. */
  events(asked: Asked, reply: Answer): Iterable<ServerEvent>;
  error(status: number): unknown;
}

export interface Answer extends Reply {
  text: string;
  id: string;
  usage: { input: number; output: number; cached: number; written: number };
}

export interface ServerEvent {
  name?: string;
  /** JSON, or a word as it is. */
  data: unknown;
  text?: boolean;
}

/** The text in any of the shapes that messages come in. */
export function flat(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(flat).filter(Boolean).join('\n');
  if (typeof content !== 'object' || content === null) return '';
  const { text, content: inner, parts, output } = content as Record<string, unknown>;
  return flat(text ?? inner ?? parts ?? output);
}

export const records = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as Record<string, unknown>[]) : [];

export const usersOf = (messages: Record<string, unknown>[]): string[] =>
  messages
    .filter(({ role }) => role === 'user')
    .map(flat)
    .filter((text) => text !== '');

/** The smallest document that fits a JSON schema, as far as clients use schemas. */
export function sampleOf({ type, enum: choices, ...schema }: Record<string, unknown>): unknown {
  if (Array.isArray(choices)) return choices[0];
  switch (String(type).toLowerCase()) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>);
      return Object.fromEntries(properties.map(([key, inner]) => [key, sampleOf(inner)]));
    }
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    default:
      return 'fake';
  }
}

/** A text in the pieces it is streamed in. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,24}/gu) ?? [];

/** Writes events; with `cut`, breaks the connection after the first piece of text. */
export function sendEvents(response: ServerResponse, events: Iterable<ServerEvent>, cut: boolean): void {
  for (const { name, data, text } of events) {
    const line = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${line}\n\n`);
    if (!text || !cut) continue;
    // Once the piece is on its way: a destroyed socket may keep what it has not sent.
    response.write('', () => response.destroy());
    return;
  }
  response.end();
}

/** The calls of an answer, each with an id of its own. */
export const callsOf = ({ id, tool, tools }: Answer): (FakeCall & { id: string })[] =>
  (tools ?? (tool ? [tool] : [])).map((call, at) => ({ ...call, id: `${id}${at === 0 ? '' : at}` }));

/** The arguments of a call as JSON, or as whatever was to be sent instead. */
export const argumentsOf = ({ input }: FakeCall): string =>
  typeof input === 'string' ? input : JSON.stringify(input);
