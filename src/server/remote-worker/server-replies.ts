// Validates a server's replies to its workers.
import * as z from 'zod/mini';
import { CouncilError } from '../../core/base/errors.ts';
import { isId } from '../../core/base/ids.ts';
import { toOneLine } from '../../core/base/text.ts';
import type { ReturnedLaunch } from './lend-launch.ts';
import type { FollowUpQuestion } from './follow-up-question.ts';
import { isConversationId } from '../../core/store/names.ts';
import { isSessionId, isTaskId } from '../../team/tasks/task.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Bounds for the server's value: never without a pause, and never too long. */
const PAUSE_LIMITS_MS = { least: 500, most: 60_000 };

const id = z.string().check(z.refine(isId));

/** Milliseconds, clamped to the accepted range. */
const buildMsSchema = ({ least, most }: { least: number; most: number }) =>
  z.pipe(
    z.number(),
    z.transform((ms: number) => Math.min(Math.max(ms, least), most)),
  );

/** A text for display on one line, cut to the maximum length. */
const buildLineSchema = (most: number) =>
  z.pipe(
    z.string(),
    z.transform((text: string) => toOneLine(text, most)),
  );

/** A launch as described to its worker: no commands, only the prompt. */
const lentLaunch = z.object({
  lease: id,
  name: id,
  conversationId: z.string().check(z.refine(isConversationId)),
  tour: z.int().check(z.gte(1)),
  phase: buildLineSchema(40),
  participant: id,
  /** Determines the worker's own agent file, which says what runs. */
  runner: id,
  attempt: z.int().check(z.gte(1)),
  /** Milliseconds until the phase ends. */
  leftMs: buildMsSchema({ least: 0, most: DAY_MS }),
  prompt: z.string(),
  /** The view as data, for agents with `input: json`. */
  view: z.unknown(),
  /** The system prompt, for runners that have a separate place for it. */
  system: z.string(),
  /** Default maximum of follow-up questions, if the agent's file sets none. */
  repair: z.nullable(z.int().check(z.gte(0), z.lte(2))),
});
export type LentLaunch = z.infer<typeof lentLaunch>;

/** A task as described to its worker: no commands either. */
const lentTask = z.object({
  lease: id,
  session: z.string().check(z.refine(isSessionId)),
  task: z.string().check(z.refine(isTaskId)),
  /** Determines the worker's own agent file, which says what runs. */
  runner: id,
  /** Its id on the task's wire. */
  wire: z.string().check(z.regex(/^[A-Z]\d{1,3}$/)),
  /** Timeout in milliseconds. */
  leftMs: buildMsSchema({ least: 0, most: DAY_MS }),
  /** The instruction, cut to one line. */
  text: buildLineSchema(200),
  prompt: z.string(),
  /** The request as a line, for agents with `input: line`. */
  line: z.string().check(z.refine((text) => !/[\r\n]/.test(text))),
  system: z.string(),
});
export type LentTask = z.infer<typeof lentTask>;

const spoken = z.object({ version: buildLineSchema(100), speaks: z.int().check(z.gte(1)) });

const leased = z.object({
  launches: z.array(z.unknown()),
  tasks: z.array(z.unknown()),
  over: z.array(id),
  /** Milliseconds before the next request. */
  againMs: buildMsSchema(PAUSE_LIMITS_MS),
});

const taken = z.object({
  became: z.enum(['recorded', 'again', 'absent', 'interrupted', 'lost']),
  note: z.optional(buildLineSchema(1000)),
}) satisfies z.ZodMiniType<ReturnedLaunch>;

const asked = z.object({
  became: z.literal('asked'),
  again: z.object({
    prompt: z.string(),
    view: z.unknown(),
    ms: buildMsSchema({ least: 0, most: DAY_MS }),
    maxOutput: z.int().check(z.gte(1)),
    missing: z.optional(z.array(buildLineSchema(200)).check(z.maxLength(100))),
  }) satisfies z.ZodMiniType<FollowUpQuestion>,
});

const takenBack = z.discriminatedUnion('became', [taken, asked]);
export type RecordReply = z.infer<typeof takenBack>;

/** Returns the server's version. Throws `failed` for a reply that is not council's. */
export const parseServerVersion = (document: unknown) => parseReply(spoken, document, 'lease');

/** Returns the outcome of a launch, in the server's words. Throws `failed` for a reply that is not council's. */
export const parseRecordReply = (document: unknown): RecordReply => parseReply(takenBack, document, 'record');

/** What a worker starts of what it was given, and what is wrong with the rest. */
export interface LeasedWork {
  launches: LentLaunch[];
  tasks: LentTask[];
  /** Leases of tasks that are no longer valid. */
  over: string[];
  refused: string[];
  againMs: number;
}

/** The worker's capacity; a lease is never started twice. */
interface WorkerPlaces {
  most: number;
  held: ReadonlySet<string>;
}

/**
 * Parses the reply to `lease`: at most one launch or task per free place, none twice, none already running. Throws
 * `failed` for a malformed reply.
 */
export function parseLeaseReply(document: unknown, { most, held }: WorkerPlaces): LeasedWork {
  const given = parseReply(leased, document, 'lease');
  const refused: string[] = [];
  const places = { most, held: new Set(held) };
  const launches = selectValidLeases(given.launches, { ...LAUNCHES, ...places }, refused);
  for (const { lease } of launches) places.held.add(lease);
  places.most -= launches.length;
  const tasks = selectValidLeases(given.tasks, { ...TASKS, ...places }, refused);
  return { launches, tasks, over: given.over, refused, againMs: given.againMs };
}

const LAUNCHES = {
  schema: lentLaunch,
  one: 'launch',
  of: ({ participant }: LentLaunch) => `A launch of ${participant}`,
};
const TASKS = {
  schema: lentTask,
  one: 'task',
  of: ({ runner }: LentTask) => `A task of ${runner}`,
};

interface PickOptions<T> extends WorkerPlaces {
  schema: z.ZodMiniType<T>;
  one: string;
  of(one: T): string;
}

function selectValidLeases<T extends { lease: string }>(
  given: readonly unknown[],
  { schema, one: what, of, most, held }: PickOptions<T>,
  refused: string[],
): T[] {
  const found = new Map<string, T>();
  for (const one of given.slice(0, most)) {
    const read = z.safeParse(schema, one);
    if (!read.success)
      refused.push(`A ${what} that cannot be read is passed over: ${describeFirstIssue(read.error)}.`);
    else if (held.has(read.data.lease) || found.has(read.data.lease))
      refused.push(`${of(read.data)} is passed over: its lease is at work already.`);
    else found.set(read.data.lease, read.data);
  }
  if (given.length > most)
    refused.push(
      `The server gives more ${what === 'task' ? 'tasks' : 'launches'} than there are places: ${given.length}, not ${most}.`,
    );
  return [...found.values()];
}

function parseReply<T>(schema: z.ZodMiniType<T>, document: unknown, call: string): T {
  const read = z.safeParse(schema, document);
  if (read.success) return read.data;
  throw new CouncilError(
    'failed',
    `What the server answers to "${call}" is not what council says: ${describeFirstIssue(read.error)}.`,
    { hint: 'Is it a council server, and does nothing on the way change what it says?' },
  );
}

/** Returns the first problem by its path, without repeating the value. */
const describeFirstIssue = ({ issues }: z.core.$ZodError): string => {
  const place = issues[0]?.path.join('.') ?? '';
  return place === '' ? 'it is no such document' : `"${place}" is missing or wrong`;
};
