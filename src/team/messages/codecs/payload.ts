// Payloads of an envelope: their shapes, their texts, and payloads for messages from other formats.
import type { Message } from '../message.ts';
import {
  ANYTHING,
  COUNT,
  findShapeFault,
  FLAG,
  OBJECT,
  expectChoice,
  makeOptional,
  TEXT,
  TEXTS,
  TIME,
} from './json-shape.ts';
import type { Expected, JsonObject } from './json-shape.ts';
import type { Failed } from './codec-types.ts';

export const ENVELOPE_KINDS = [
  'request',
  'response',
  'event',
  'error',
  'heartbeat',
  'control',
  'ack',
  'nack',
] as const;
export type EnvelopeKind = (typeof ENVELOPE_KINDS)[number];
export const COMMANDS = ['pause', 'resume', 'cancel', 'retry', 'shutdown'] as const;
const ERROR_TYPES = ['validation', 'execution', 'timeout', 'dependency', 'resource', 'internal'] as const;

const ERROR = {
  error_code: TEXT,
  error_type: expectChoice(ERROR_TYPES),
  message: TEXT,
  details: makeOptional(OBJECT),
  recoverable: FLAG,
  suggested_action: makeOptional(TEXT),
};

const SHAPES: Record<EnvelopeKind, Record<string, Expected>> = {
  request: { action: TEXT, params: OBJECT, context: makeOptional(OBJECT), timeout_ms: makeOptional(COUNT) },
  response: {
    status: expectChoice(['success', 'partial', 'failed']),
    result: makeOptional(ANYTHING),
    error: makeOptional(OBJECT),
    metrics: makeOptional(OBJECT),
  },
  event: { event_type: TEXT, data: OBJECT, requires_action: makeOptional(FLAG) },
  error: ERROR,
  heartbeat: { status: TEXT, load: makeOptional(ANYTHING), queue: makeOptional(COUNT) },
  control: { command: expectChoice(COMMANDS), params: makeOptional(OBJECT) },
  ack: { received_at: TIME },
  nack: { received_at: TIME, nack_reason: makeOptional(TEXT) },
};
const CONTEXT = {
  iteration: makeOptional(COUNT),
  phase: makeOptional(TEXT),
  dependencies: makeOptional(TEXTS),
};
const METRICS = { duration_ms: COUNT, tokens_used: makeOptional(COUNT) };

export const isEnvelopeKind = (kind: string): kind is EnvelopeKind =>
  ENVELOPE_KINDS.some((one) => one === kind);

export function findPayloadFault(kind: EnvelopeKind, payload: unknown): Failed | undefined {
  const fault = findShapeFault('payload', payload, SHAPES[kind]);
  if (fault) return fault;
  const { context, metrics, error } = payload as JsonObject;
  if (kind === 'request' && context !== undefined) return findShapeFault('payload.context', context, CONTEXT);
  if (kind !== 'response') return undefined;
  if (metrics !== undefined) return findShapeFault('payload.metrics', metrics, METRICS);
  return error === undefined ? undefined : findShapeFault('payload.error', error, ERROR);
}

/** The key of the text in each payload that people and lines read. */
const TEXT_IN: Record<EnvelopeKind, string> = {
  request: 'action',
  response: 'result',
  event: 'event_type',
  error: 'message',
  heartbeat: 'status',
  control: 'command',
  ack: '',
  nack: 'nack_reason',
};

/** Returns the text of a payload, from the key that its kind has for it; undefined if there is none. */
export function getPayloadText(kind: EnvelopeKind, payload: JsonObject): string | undefined {
  const value = payload[TEXT_IN[kind]];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Builds the payload of a message that has none: its text goes under the key that its kind has for it. */
export function buildPayload(kind: EnvelopeKind, message: Message): JsonObject {
  const { body, error, state, time, data = {} } = message;
  switch (kind) {
    case 'request':
      return { action: body ?? '', params: {} };
    case 'response':
      return { status: state === 'F' ? 'failed' : 'success', ...(body !== undefined && { result: body }) };
    case 'event':
      return { event_type: body ?? '', data: {} };
    case 'error':
      return {
        error_code: error ?? 'E99',
        error_type: classifyErrorCode(error ?? 'E99'),
        message: body ?? error ?? 'E99',
        recoverable: classifyErrorCode(error ?? 'E99') === 'timeout',
      };
    case 'heartbeat': {
      const queue = Number(data.queue);
      return {
        status: body ?? 'ok',
        ...(typeof data.load === 'string' && { load: data.load }),
        ...(Number.isFinite(queue) && queue >= 0 && { queue }),
      };
    }
    case 'control':
      return { command: body ?? '' };
    case 'ack':
      return { received_at: time };
    case 'nack':
      return { received_at: time, ...(body !== undefined && { nack_reason: body }) };
  }
}

function classifyErrorCode(code: string): (typeof ERROR_TYPES)[number] {
  if (code.startsWith('E1')) return 'validation';
  if (code.startsWith('E2')) return 'timeout';
  if (code.startsWith('E3')) return 'resource';
  return code.startsWith('E4') ? 'execution' : 'internal';
}
