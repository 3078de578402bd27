// Reads an entry of the message log. Apart from what writes one: a contribution writes some, and needs no schemas.
import * as z from 'zod/mini';
import { readJsonDocument } from '../../core/store/documents.ts';
import { TIME } from './book.ts';
import { EVENTS } from './log-events.ts';
import type { MessageEvent } from './log-events.ts';

/** A line of the log: the keys of seeds/004's MessageLog, and below them what else is known. */
const entry = z.object({
  /** When it happened, ISO 8601 UTC. */
  timestamp: TIME,
  message_id: z.string(),
  direction: z.enum(['sent', 'received']),
  from: z.string(),
  to: z.string(),
  type: z.string(),
  status: z.enum(['success', 'failed', 'timeout']),
  /** Milliseconds since the message was written, where a recipient has it. */
  latency_ms: z.optional(z.number()),
  /** Why it went wrong; of a message that reports an error its code. */
  error: z.optional(z.string()),
  event: z.enum(Object.keys(EVENTS) as [MessageEvent, ...MessageEvent[]]),
  channel: z.string(),
  /** Which recipient it is about. */
  agent: z.optional(z.string()),
  /** Which try it is, from 1. */
  attempt: z.optional(z.number()),
  task: z.optional(z.string()),
  context: z.optional(z.string()),
  /** The first pair of its data; of an error all of it. Never a text. */
  summary: z.optional(z.string()),
  /** What stands nowhere else. */
  text: z.optional(z.string()),
});
export type Entry = z.infer<typeof entry>;

/** Parses a log line; undefined if it was cut off or is not an entry. */
export const readEntry = (line: string): Entry | undefined => entry.safeParse(readJsonDocument(line)).data;
