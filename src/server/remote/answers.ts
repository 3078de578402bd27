// The guaranteed parts of each call's answer. A newer server may add fields.
import * as z from 'zod/mini';
import type { CallName } from './calls.ts';
import type { ClientOutput } from './call.ts';

const text = z.string();
const count = z.number();
const flag = z.boolean();
const orNone = z.nullable(text);
const texts = z.array(text);
/** Set if a list has more: see paginate-lists.ts. */
const nextCursor = z.optional(text);
const createObjectSchema = (shape: z.core.$ZodShape) => z.looseObject(shape);
const createListSchema = (shape: z.core.$ZodShape) => z.array(createObjectSchema(shape));

const open = { name: text, phase: text, tour: count, revision: count };
const council = createObjectSchema({
  ...{ name: text, topic: text, mode: text, conversationId: text, path: text, edited: flag },
  ...{ currentPhase: text, tour: count, revision: count, status: text, timeoutAt: text, updatedAt: text },
  order: texts,
  coordinator: orNone,
  participants: z.record(text, createObjectSchema({ title: text, emoji: text, status: text })),
  absences: createListSchema({ participant: text, reason: text, phase: text }),
  convergence: createObjectSchema({ blockingIssues: createListSchema({ by: text, issue: text }) }),
});

const read = createObjectSchema({
  ...{ vote: orNone, position: orNone, confidence: z.nullable(count) },
  ...{ approve: texts, blocking: z.array(z.unknown()), missing: z.array(z.unknown()) },
  ...{ quotes: createListSchema({}), challenges: createListSchema({}), answers: createObjectSchema({}) },
});

const turnedOut = createObjectSchema({ right: text, position: orNone, note: orNone, on: text, at: text });
const archive = { id: text, topic: text, mode: text, status: text, endedAt: text };
const spent = {
  ...{ launches: count, inputTokens: z.nullable(count) },
  ...{ cachedTokens: z.nullable(count), outputTokens: z.nullable(count) },
  ...{ prompt: createObjectSchema({ bytes: count, cacheable: count }) },
  ...{ costUsd: z.nullable(count), unknownCost: count, unknownTokens: count },
};

const message = {
  ...{ id: text, time: text, from: text, to: text, channel: text, type: text, priority: text, text },
  ...{ code: orNone, artifacts: texts, replyTo: orNone },
};
const handled = createObjectSchema({ messages: createListSchema({ id: text, state: text, changed: flag }) });
const delivery = {
  to: text,
  state: text,
  at: text,
  reason: orNone,
  attempts: z.nullable(count),
  escalated: texts,
};

const task = createObjectSchema({
  ...{ id: text, session: text, text, state: text, standing: text, worker: orNone, result: orNone },
  ...{
    after: texts,
    needs: texts,
    question: z.nullable(createObjectSchema({ options: texts })),
    error: z.nullable(createObjectSchema({})),
  },
});
const tasks = z.array(task);
/** Depends on the action: with a plan, `report` is set, too. */
const taskAnswer = z.union([
  createObjectSchema({ task }),
  createObjectSchema({ tasks, report: z.optional(text) }),
  createObjectSchema({ candidates: createListSchema({ worker: text, matched: texts }) }),
  createObjectSchema({
    trace: createObjectSchema({
      root: createObjectSchema({ id: text, name: text }),
      time: createObjectSchema({ total: count }),
    }),
  }),
  createObjectSchema({ lines: createListSchema({ time: text, line: text }) }),
]);

const approval = createObjectSchema({
  ...{ id: text, status: text, kind: text, risk: text, requester: text, operation: text, hash: text },
  ...{
    at: text,
    until: text,
    details: createObjectSchema({}),
    reason: orNone,
    task: orNone,
    by: orNone,
    decidedAt: orNone,
  },
});

const taken = createObjectSchema({ became: text, note: z.optional(text) });

/** The documents, as commands print them with --json. */
const DOCUMENTS = {
  start: createObjectSchema({
    ...open,
    path: text,
    timeoutAt: text,
    tokens: z.optional(z.record(text, text)),
  }),
  view: createObjectSchema({
    name: text,
    participant: text,
    phase: text,
    prompt: text,
    form: text,
    deadline: text,
    lang: text,
  }),
  respond: createObjectSchema({
    ...open,
    accepted: flag,
    participant: text,
    reason: z.optional(text),
    read: z.optional(read),
  }),
  read: createObjectSchema({ phase: text, read }),
  status: createObjectSchema({
    councils: z.array(council),
    unreadable: z.optional(createListSchema({})),
    nextCursor,
  }),
  tick: createObjectSchema({}),
  wait: createObjectSchema({ name: text, archived: flag, phase: orNone, tour: z.nullable(count) }),
  list: createObjectSchema({
    archives: createListSchema({ ...archive, path: text, outcome: text }),
    nextCursor,
  }),
  show: createObjectSchema({
    meta: createObjectSchema(archive),
    contributions: createListSchema({ participant: text, text }),
  }),
  outcome: createObjectSchema({
    archive: text,
    outcome: turnedOut,
    replaced: z.nullable(turnedOut),
    changed: flag,
  }),
  search: createObjectSchema({
    results: createListSchema({ id: text, kind: text, topic: text, endedAt: text, excerpt: text }),
    nextCursor,
  }),
  history: createObjectSchema({
    name: text,
    versions: createListSchema({ revision: count, at: text, action: text, by: orNone }),
    nextCursor,
  }),
  ledger: createObjectSchema({ claims: createListSchema({}) }),
  metrics: createObjectSchema({}),
  cost: createObjectSchema({
    by: text,
    rows: createListSchema({ key: orNone, ...spent }),
    total: createObjectSchema(spent),
  }),
  who: createObjectSchema({ agents: createListSchema({ agent_id: text, state: text, timestamp: text }) }),
  continue: createObjectSchema({ ...open, way: orNone, timeoutAt: text, archive: orNone }),
  extend: createObjectSchema({ ...open, timeoutAt: text }),
  excuse: createObjectSchema({ ...open, participant: text }),
  cancel: createObjectSchema({ name: text, archive: text }),
  send: createObjectSchema({
    message: createObjectSchema(message),
    answer: z.optional(z.nullable(createObjectSchema(message))),
  }),
  inbox: createObjectSchema({
    messages: createListSchema({ ...message, unread: flag, passedFrom: orNone }),
    total: z.optional(count),
    nextCursor,
  }),
  ack: handled,
  nack: handled,
  sent: createObjectSchema({
    messages: createListSchema({ ...message, recipients: createListSchema(delivery) }),
    nextCursor,
  }),
  task: taskAnswer,
  approvals: z.union([
    createObjectSchema({ approvals: z.array(approval) }),
    createObjectSchema({ approval }),
  ]),
  reserve: createObjectSchema({}),
  release: createObjectSchema({}),
  reservations: createObjectSchema({}),
  lease: createObjectSchema({
    ...{ version: text, speaks: count, againMs: count, launches: z.array(z.unknown()) },
    ...{ tasks: z.optional(z.array(z.unknown())), over: z.optional(texts) },
  }),
  renew: createObjectSchema({}),
  record: taken,
  fail: taken,
} satisfies Record<CallName, z.ZodMiniType>;

/** What people are shown besides the document, if it is not derived from it. */
const PAGES: Partial<Record<CallName, z.ZodMiniType>> = {
  list: createObjectSchema({ unreadable: count, open: texts }),
  show: createObjectSchema({ parts: texts, times: texts, lang: text }),
  ledger: text,
  metrics: text,
};

export const getDocumentSchema = (name: CallName): z.ZodMiniType => DOCUMENTS[name];

/** Returns the schema of that; anything is accepted if there is none. */
export const getPageSchema = (name: CallName): z.ZodMiniType => PAGES[name] ?? z.optional(z.unknown());

export const isDocument = (name: CallName, document: unknown): boolean =>
  getDocumentSchema(name).safeParse(document).success;

/** Returns the schema of a successful answer to a command line. */
export const createToldSchema = (name: CallName) =>
  z.looseObject({
    document: getDocumentSchema(name),
    notes: texts,
    page: getPageSchema(name),
  });

/** Validates such an answer without replacing it, which would change the order of its keys. */
export const isTold = (name: CallName, body: unknown): body is ClientOutput =>
  createToldSchema(name).safeParse(body).success;

const problem = z.looseObject({
  type: text.check(z.startsWith('urn:council:problem:')),
  detail: text,
  code: text,
  hint: z.optional(orNone),
  failed: z.optional(text),
  document: z.optional(z.looseObject({ error: z.optional(z.looseObject({})) })),
  notes: z.optional(texts),
});

export const isProblem = (body: unknown): body is z.infer<typeof problem> => problem.safeParse(body).success;
