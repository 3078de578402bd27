// The neutral message, its vocabulary, and the wire formats that can carry each of its fields.

/** The external formats of a message: five versions of the line, the file of a channel, the envelope. */
export const FORMATS = ['v1', 'v2', 'v3', 'v4', 'v5', 'file', 'envelope'] as const;
export type Format = (typeof FORMATS)[number];

/** The purpose of a message, independent of formats. Files may have other kinds: their list is open. */
export const KINDS = [
  'request',
  'response',
  'clarify',
  'update',
  'ack',
  'error',
  'broadcast',
  'heartbeat',
  'disambiguate',
  'join',
  'leave',
  'caps',
  'handoff',
  'query',
  'event',
  'control',
  'nack',
  'chat',
] as const;
export type MessageKind = (typeof KINDS)[number];

export const PRIORITIES = ['critical', 'high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The state of a task: new, running, done, failed, cancelled. */
export const STATES = ['N', 'R', 'D', 'F', 'X'] as const;
export type TaskState = (typeof STATES)[number];

/** A structured value: a text, a list, or the parameters of a call. */
export type DataValue = string | string[] | Record<string, string>;

/**
 * A message, independent of its format. Ids and names are kept as written; a field absent in the source is
 * absent here, and nothing has a default (`policy.ts` has those).
 */
export interface Message {
  id: string;
  /** When it was written, ISO 8601 in UTC. */
  time?: string;
  /** The only name in V2: `O` (orchestrator) or `W` (worker). The other side is implied. */
  role?: 'O' | 'W';
  from?: string;
  to?: string;
  /** The roles of an envelope's sender and recipient: leader, worker … */
  fromRole?: string;
  toRole?: string;
  kind: MessageKind | (string & {});
  /** The text. In a line it is the last segment, DATA, unchanged. */
  body?: string;
  /** The pairs in DATA, if any. Parsed from `body`; written only if there is no body. */
  data?: Record<string, DataValue>;
  /** The typed payload of an envelope. */
  payload?: Record<string, unknown>;
  /** The id of the message that this one answers. */
  replyTo?: string;
  channel?: string;
  task?: string;
  priority?: Priority;
  state?: TaskState;
  /** An error code of the format that the message came in. */
  error?: string;
  /** Time to live in seconds. */
  ttl?: number;
  /** The number of delivery retries. */
  attempts?: number;
  /** How many workers have handed the task on. */
  depth?: number;
  /** The session. */
  context?: string;
  /** Tokens left. */
  budget?: number;
  /** In V5, part of the session segment: proves who wrote the line. */
  auth?: { nonce: string; signature: string };
  /** A piece of code beside the text. */
  code?: string;
  /** Names of files that belong to the message. */
  artifacts?: string[];
  /** From the metadata of a file, kept as written; council does not use it. */
  mode?: string;
  /** From the metadata of a file, kept as written; council does not use it. */
  turn?: string;
  /** Unknown keys of a file. They are preserved. */
  extra?: Record<string, unknown>;
}

export type FieldName = keyof Message;

const LINES = ['v1', 'v2', 'v3', 'v4', 'v5'] as const;
const JSONS = ['file', 'envelope'] as const;

/** The formats that can carry each field. */
export const FORMATS_BY_FIELD: Record<FieldName, readonly Format[]> = {
  id: FORMATS,
  time: JSONS,
  role: ['v2'],
  from: ['v1', 'v3', 'v4', 'v5', ...JSONS],
  to: ['v1', 'v3', 'v4', 'v5', ...JSONS],
  fromRole: ['envelope'],
  toRole: ['envelope'],
  kind: FORMATS,
  body: FORMATS,
  data: ['v2', 'v3', 'v4', 'v5'],
  payload: ['envelope'],
  replyTo: JSONS,
  channel: ['file'],
  task: LINES,
  priority: ['v3', 'v4', 'v5', 'envelope'],
  state: ['v3', 'v4', 'v5'],
  error: [...LINES, 'envelope'],
  ttl: ['envelope'],
  attempts: ['envelope'],
  depth: ['v5'],
  context: ['v5'],
  budget: ['v5'],
  auth: ['v5'],
  code: ['file'],
  artifacts: ['file'],
  mode: ['file'],
  turn: ['file'],
  extra: ['file'],
};
