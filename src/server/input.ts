// Fields and input types of `token`, `open` and `invite`, and of the calls of remote workers.

import { ROLES } from '../core/app/app.ts';
import { COUNCIL } from '../core/app/input/council.ts';
import type { Fields, InputOf } from '../core/app/input/fields.ts';
import { READ_LIMITS } from '../core/base/limits.ts';

export const tokenFields = {
  action: {
    kind: 'choice',
    choices: ['create', 'list', 'revoke'],
    default: 'list',
    argument: true,
    help: 'what to do',
  },
  id: { kind: 'text', argument: true, help: 'revoke: which token' },
  role: { kind: 'choice', choices: ROLES, help: 'create: what it opens' },
  name: {
    ...COUNCIL,
    otherwise: undefined,
    variable: undefined,
    help: "create: the council of a participant's seat",
  },
  as: {
    kind: 'id',
    of: 'an agent id',
    placeholder: 'id',
    help: 'create: whose it is; it speaks for nobody else',
  },
  expires: { kind: 'duration', help: 'create: how long it opens anything', otherwise: 'until it is revoked' },
} as const satisfies Fields;
export type TokenInput = InputOf<typeof tokenFields>;

export const openFields = {
  council: {
    kind: 'text',
    argument: true,
    help: 'an active council or an archive',
    otherwise: 'the councils of this project',
  },
  print: { kind: 'flag', help: 'print the address only' },
} as const satisfies Fields;
export type OpenInput = InputOf<typeof openFields>;

export const inviteFields = {
  agent: { kind: 'id', of: 'an agent id', required: true, argument: true, help: 'the participant' },
  name: COUNCIL,
  revoke: { kind: 'flag', help: 'take back what opens that seat' },
} as const satisfies Fields;
export type InviteInput = InputOf<typeof inviteFields>;

/** Limits for what a remote machine reports about itself, which is stored in a row and in leases. */
const LONGEST_DETAIL = 255;
const MOST_ITEMS = 1000;

/** The worker, as in its heartbeat row. */
const WORKER = {
  id: { kind: 'id', of: 'the id of a heartbeat', required: true, help: 'the heartbeat' },
  host: { kind: 'text', longest: LONGEST_DETAIL, required: true, help: 'its host' },
  bootId: {
    kind: 'text',
    longest: LONGEST_DETAIL,
    help: 'what changes at every boot of that',
    otherwise: 'unknown',
  },
  pid: { kind: 'number', min: 1, required: true, help: 'its process' },
  startTime: {
    kind: 'text',
    longest: LONGEST_DETAIL,
    help: 'when that began, as its system counts',
    otherwise: 'unknown',
  },
  labels: { kind: 'ids', most: MOST_ITEMS, of: 'labels', help: 'what its machine has', otherwise: 'none' },
  agents: {
    kind: 'texts',
    most: MOST_ITEMS,
    help: 'whom it may launch: ID RUNNER MILLISECONDS SHA256 RISK each, of its own trusted files',
  },
  version: { kind: 'text', longest: LONGEST_DETAIL, required: true, help: 'its version' },
  speaks: { kind: 'number', min: 1, required: true, help: 'the number of what it speaks' },
} as const satisfies Fields;

export const renewFields = {
  ...WORKER,
  over: { kind: 'flag', help: 'it ends: nobody has to wait until it is dead' },
} as const satisfies Fields;
export type RenewInput = InputOf<typeof renewFields>;

export const leaseFields = {
  ...WORKER,
  held: { kind: 'texts', most: MOST_ITEMS, help: 'the leases that it is at work under' },
  working: {
    kind: 'texts',
    most: MOST_ITEMS,
    help: 'those of tasks: LEASE S1/T1, and how far it is where it has said so',
  },
  most: { kind: 'number', min: 0, max: 64, default: 1, help: 'how many launches and tasks it takes' },
} as const satisfies Fields;
export type LeaseInput = InputOf<typeof leaseFields>;

/** A leased launch, as its lease described it, with its usage. */
const LAUNCH = {
  lease: { kind: 'id', of: 'the id of a lease', required: true, help: 'the lease' },
  task: { kind: 'text', longest: LONGEST_DETAIL, help: 'for a task: which one, S1/T1' },
  name: { kind: 'id', of: 'a council name', help: 'for a council: its name' },
  conversationId: { kind: 'id', of: 'a conversationId', help: 'for a council: that very one' },
  tour: { kind: 'number', min: 1, help: 'for a council: the round' },
  participant: { kind: 'id', of: 'an agent id', help: 'for a council: who was launched' },
  program: { kind: 'text', longest: LONGEST_DETAIL, help: 'what was launched', otherwise: 'unknown' },
  model: { kind: 'text', longest: LONGEST_DETAIL, help: 'the model', otherwise: 'unknown' },
  inputTokens: { kind: 'number', min: 0, help: 'tokens that went in', otherwise: 'unknown' },
  cachedTokens: { kind: 'number', min: 0, help: 'those of them that were in a cache', otherwise: 'unknown' },
  outputTokens: { kind: 'number', min: 0, help: 'tokens that came out', otherwise: 'unknown' },
  costUsd: { kind: 'decimal', min: 0, max: 1_000_000, help: 'what it cost in US$', otherwise: 'unknown' },
  ms: { kind: 'number', min: 0, required: true, help: 'milliseconds that it took' },
  part: {
    kind: 'number',
    min: 1,
    max: 3,
    default: 1,
    help: 'which part of its answer: one more each time it was asked again',
  },
} as const satisfies Fields;

export const recordFields = {
  ...LAUNCH,
  asks: { kind: 'flag', help: 'its worker asks it once more for what is missing, where the answer says so' },
  text: {
    kind: 'document',
    limit: READ_LIMITS.contribution,
    required: true,
    help: 'what it said, word for word',
  },
} as const satisfies Fields;
export type RecordInput = InputOf<typeof recordFields>;

export const failFields = {
  ...LAUNCH,
  failure: {
    kind: 'choice',
    choices: ['config', 'refusal', 'limit', 'rate-limit', 'timeout', 'cancelled', 'failed'],
    required: true,
    help: 'what kind of failure it was',
  },
  reason: { kind: 'text', required: true, help: 'why it failed' },
  brief: { kind: 'text', required: true, help: 'the same without a word of what was printed' },
  stderr: { kind: 'text', lines: true, help: 'the end of what it printed there' },
  retryAfterMs: { kind: 'number', min: 0, help: 'how long the provider wants to be left alone' },
  text: { kind: 'document', limit: READ_LIMITS.contribution, help: 'for a task: what it said all the same' },
} as const satisfies Fields;
export type FailInput = InputOf<typeof failFields>;
