// Parses entries of the message log. Apart from log-entry.ts, so that writing one does not load the schemas.
import * as z from 'zod/mini';
import { readJsonDocument } from '../../core/store/documents.ts';
import { TIME } from './book.ts';
import { EVENTS } from './log-events.ts';
import type { MessageEvent } from './log-events.ts';

/** A line of the log: the agreed keys of the message log, followed by council's own. */
const entry = z.object({
  /** When it happened, ISO 8601 UTC. */
  timestamp: TIME,
  message_id: z.string(),
  direction: z.enum(['sent', 'received']),
  from: z.string(),
  to: z.string(),
  type: z.string(),
  status: z.enum(['success', 'failed', 'timeout']),
  /** Milliseconds from writing the message until a recipient had it. */
  latency_ms: z.optional(z.number()),
  /** Why it failed; for an error message, its code. */
  error: z.optional(z.string()),
  event: z.enum(Object.keys(EVENTS) as [MessageEvent, ...MessageEvent[]]),
  channel: z.string(),
  /** The recipient it is about. */
  agent: z.optional(z.string()),
  /** The number of the attempt, from 1. */
  attempt: z.optional(z.number()),
  task: z.optional(z.string()),
  context: z.optional(z.string()),
  /** The first pair of its data; for an error, all of it. Never a text. */
  summary: z.optional(z.string()),
  /** A text that is stored nowhere else. */
  text: z.optional(z.string()),
});
export type Entry = z.infer<typeof entry>;

/** Parses a log line; undefined if it was cut off or is not an entry. */
export const parseLogEntry = (line: string): Entry | undefined =>
  entry.safeParse(readJsonDocument(line)).data;
