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
const some = (shape: z.core.$ZodShape) => z.looseObject(shape);
const several = (shape: z.core.$ZodShape) => z.array(some(shape));

const open = { name: text, phase: text, tour: count, revision: count };
const council = some({
  ...{ name: text, topic: text, mode: text, conversationId: text, path: text, edited: flag },
  ...{ currentPhase: text, tour: count, revision: count, status: text, timeoutAt: text, updatedAt: text },
  order: texts,
  coordinator: orNone,
  participants: z.record(text, some({ title: text, emoji: text, status: text })),
  absences: several({ participant: text, reason: text, phase: text }),
  convergence: some({ blockingIssues: several({ by: text, issue: text }) }),
});

const read = some({
  ...{ vote: orNone, position: orNone, confidence: z.nullable(count) },
  ...{ approve: texts, blocking: z.array(z.unknown()), missing: z.array(z.unknown()) },
  ...{ quotes: several({}), challenges: several({}), answers: some({}) },
});

const turnedOut = some({ right: text, position: orNone, note: orNone, on: text, at: text });
const archive = { id: text, topic: text, mode: text, status: text, endedAt: text };
const spent = {
  ...{ launches: count, inputTokens: z.nullable(count) },
  ...{ cachedTokens: z.nullable(count), outputTokens: z.nullable(count) },
  ...{ prompt: some({ bytes: count, cacheable: count }) },
  ...{ costUsd: z.nullable(count), unknownCost: count, unknownTokens: count },
};

const message = {
  ...{ id: text, time: text, from: text, to: text, channel: text, type: text, priority: text, text },
  ...{ code: orNone, artifacts: texts, replyTo: orNone },
};
const handled = some({ messages: several({ id: text, state: text, changed: flag }) });
const delivery = {
  to: text,
  state: text,
  at: text,
  reason: orNone,
  attempts: z.nullable(count),
  escalated: texts,
};

const task = some({
  ...{ id: text, session: text, text, state: text, standing: text, worker: orNone, result: orNone },
  ...{
    after: texts,
    needs: texts,
    question: z.nullable(some({ options: texts })),
    error: z.nullable(some({})),
  },
});
const tasks = z.array(task);
/** Depends on the action: with a plan, `report` is set, too. */
const taskAnswer = z.union([
  some({ task }),
  some({ tasks, report: z.optional(text) }),
  some({ candidates: several({ worker: text, matched: texts }) }),
  some({ trace: some({ root: some({ id: text, name: text }), time: some({ total: count }) }) }),
  some({ lines: several({ time: text, line: text }) }),
]);

const approval = some({
  ...{ id: text, status: text, kind: text, risk: text, requester: text, operation: text, hash: text },
  ...{
    at: text,
    until: text,
    details: some({}),
    reason: orNone,
    task: orNone,
    by: orNone,
    decidedAt: orNone,
  },
});

const taken = some({ became: text, note: z.optional(text) });

/** The documents, as commands print them with --json. */
const DOCUMENTS = {
  start: some({ ...open, path: text, timeoutAt: text, tokens: z.optional(z.record(text, text)) }),
  view: some({
    name: text,
    participant: text,
    phase: text,
    prompt: text,
    form: text,
    deadline: text,
    lang: text,
  }),
  respond: some({
    ...open,
    accepted: flag,
    participant: text,
    reason: z.optional(text),
    read: z.optional(read),
  }),
  read: some({ phase: text, read }),
  status: some({ councils: z.array(council), unreadable: z.optional(several({})), nextCursor }),
  tick: some({}),
  wait: some({ name: text, archived: flag, phase: orNone, tour: z.nullable(count) }),
  list: some({ archives: several({ ...archive, path: text, outcome: text }), nextCursor }),
  show: some({ meta: some(archive), contributions: several({ participant: text, text }) }),
  outcome: some({ archive: text, outcome: turnedOut, replaced: z.nullable(turnedOut), changed: flag }),
  search: some({
    results: several({ id: text, kind: text, topic: text, endedAt: text, excerpt: text }),
    nextCursor,
  }),
  history: some({
    name: text,
    versions: several({ revision: count, at: text, action: text, by: orNone }),
    nextCursor,
  }),
  ledger: some({ claims: several({}) }),
  metrics: some({}),
  cost: some({ by: text, rows: several({ key: orNone, ...spent }), total: some(spent) }),
  who: some({ agents: several({ agent_id: text, state: text, timestamp: text }) }),
  continue: some({ ...open, way: orNone, timeoutAt: text, archive: orNone }),
  extend: some({ ...open, timeoutAt: text }),
  excuse: some({ ...open, participant: text }),
  cancel: some({ name: text, archive: text }),
  send: some({ message: some(message), answer: z.optional(z.nullable(some(message))) }),
  inbox: some({
    messages: several({ ...message, unread: flag, passedFrom: orNone }),
    total: z.optional(count),
    nextCursor,
  }),
  ack: handled,
  nack: handled,
  sent: some({ messages: several({ ...message, recipients: several(delivery) }), nextCursor }),
  task: taskAnswer,
  approvals: z.union([some({ approvals: z.array(approval) }), some({ approval })]),
  reserve: some({}),
  release: some({}),
  reservations: some({}),
  lease: some({
    ...{ version: text, speaks: count, againMs: count, launches: z.array(z.unknown()) },
    ...{ tasks: z.optional(z.array(z.unknown())), over: z.optional(texts) },
  }),
  renew: some({}),
  record: taken,
  fail: taken,
} satisfies Record<CallName, z.ZodMiniType>;

/** What people are shown besides the document, if it is not derived from it. */
const PAGES: Partial<Record<CallName, z.ZodMiniType>> = {
  list: count,
  show: some({ parts: texts, times: texts, lang: text }),
  ledger: text,
  metrics: text,
};

export const documentSchema = (name: CallName): z.ZodMiniType => DOCUMENTS[name];

/** Returns the schema of that; anything is accepted if there is none. */
export const pageSchema = (name: CallName): z.ZodMiniType => PAGES[name] ?? z.optional(z.unknown());

/** Returns whether a document is a valid answer to this call. */
export const isDocument = (name: CallName, document: unknown): boolean =>
  documentSchema(name).safeParse(document).success;

/** Returns the schema of a successful answer to a command line. */
export const toldSchema = (name: CallName) =>
  z.looseObject({
    document: documentSchema(name),
    notes: texts,
    page: pageSchema(name),
  });

/** Validates such an answer without replacing it, which would change the order of its keys. */
export const isTold = (name: CallName, body: unknown): body is ClientOutput =>
  toldSchema(name).safeParse(body).success;

const problem = z.looseObject({
  type: text.check(z.startsWith('urn:council:problem:')),
  detail: text,
  code: text,
  hint: z.optional(orNone),
  failed: z.optional(text),
  document: z.optional(z.looseObject({ error: z.optional(z.looseObject({})) })),
  notes: z.optional(texts),
});

/** Returns whether the body is a problem document of council. */
export const isProblem = (body: unknown): body is z.infer<typeof problem> => problem.safeParse(body).success;
