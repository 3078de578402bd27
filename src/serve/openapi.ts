// The OpenAPI document of the server, made from the descriptions of the calls.
import * as z from 'zod/mini';
import { jsonSchema } from '../app/input/json-schema.ts';
import { documentSchema, pageSchema } from '../app/remote/answers.ts';
import { callOf, CALLS, fieldsOf, TURN } from '../app/remote/calls.ts';
import type { CallName } from '../app/remote/calls.ts';
import { TOLD_TYPE } from '../app/remote/told.ts';
import { API_PATH } from './context.ts';
import { EVENTS_PATH } from './events.ts';
import { PROBLEM_STATUSES, PROBLEM_TYPE } from './problem.ts';

const PROBLEM = {
  type: 'object',
  description: 'What went wrong (RFC 9457), with the code and the hint that a command tells.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'The stable code of the error.' },
    hint: { type: ['string', 'null'], description: 'What to do next.' },
    failed: { type: 'string', description: 'The code whose exit code a command ends with.' },
    document: { description: 'What the command prints with --json, where it prints something.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'hint'],
};

const problems = Object.fromEntries(
  PROBLEM_STATUSES.map((status) => [String(status), { $ref: '#/components/responses/Problem' }]),
);

const document = (description: string, schema: object = { type: 'object' }) => ({
  description,
  headers: { 'X-Request-Id': { schema: { type: 'string' } } },
  content: { 'application/json': { schema } },
});

/** As it stands in a document that says itself of which draft it is. */
function schemaOf(answer: z.ZodMiniType): object {
  const { $schema: _draft, ...schema } = z.toJSONSchema(answer);
  return schema;
}

/** What is relied on in an answer; a newer server may tell more. */
const ANSWERS = Object.fromEntries(CALLS.map((name) => [`answer-${name}`, schemaOf(documentSchema(name))]));
const answerTo = (name: CallName) => ({ $ref: `#/components/schemas/answer-${name}` });

/** For a command line, which says more than the document. */
const toldTo = (name: CallName) => ({
  type: 'object',
  properties: {
    document: answerTo(name),
    notes: { type: 'array', items: { type: 'string' } },
    page: schemaOf(pageSchema(name)),
  },
  required: ['document', 'notes'],
});

function answered(name: CallName) {
  const plain = document(`What council ${name} --json prints.`, answerTo(name));
  const ETag = {
    schema: { type: 'string' },
    description: 'The revision of the one council that it is about.',
  };
  return {
    ...plain,
    headers: { ...plain.headers, ETag },
    content: { ...plain.content, [TOLD_TYPE]: { schema: toldTo(name) } },
  };
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: true,
  schema: { type: 'string', pattern: '^("?[0-9]{1,10}"?|\\*)$' },
  description: 'the revision that the council has to have, such as "7"; * for whatever it has',
};

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', pattern: '^[!#-\\[\\]-~]{1,200}$' },
  description: 'made up by the client: the same request with the same key again gets the first answer',
};

const IN_TURN = {
  name: 'Council-Turn',
  in: 'header',
  schema: { type: 'string' },
  description:
    'what COUNCIL_TURN holds in the turn of an agent, where the server runs on the same machine: the call is then made by that agent',
};

function operation(name: CallName) {
  const { title, description, turn, roles, readOnly, again } = callOf(name);
  const parameters = [
    ...(again === 'revision' ? [IF_MATCH] : []),
    ...(again === 'key' ? [KEY] : []),
    IN_TURN,
  ];
  const { $schema: _draft, ...schema } = jsonSchema(fieldsOf(name, 'api'), turn ? TURN : {});
  return {
    post: {
      operationId: name,
      summary: title,
      description: `${description} Opens to: ${roles.join(', ')}.`,
      'x-read-only': readOnly,
      ...(again && { 'x-again': again }),
      parameters,
      requestBody: { required: false, content: { 'application/json': { schema } } },
      responses: {
        200: answered(name),
        ...problems,
      },
    },
  };
}

const EVENTS = {
  get: {
    operationId: 'events',
    summary: 'Follow what changes',
    description:
      'Server-sent events of the type council: {name, revision, phase, spoken}; a participant is not told who has spoken. Hints only: ask for what you want to know. With name the id of an event is the revision. A stream begins with one event for each council whose head has moved since Last-Event-ID, and ends with its token. Opens to: participant (its own council), member, worker, admin.',
    parameters: [
      { name: 'name', in: 'query', schema: { type: 'string' }, description: 'only this council' },
      { name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } },
    ],
    responses: {
      200: { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      204: { description: 'The council that was followed is over.' },
      ...problems,
    },
  },
};

/** OpenAPI 3.1. */
export function openApi(version: string) {
  const plain = (summary: string, type: string, more: object = {}) => ({
    get: {
      summary,
      responses: {
        200: { description: summary, content: { [type]: { schema: { type: 'string' } } } },
        ...more,
      },
    },
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'council',
      version,
      description:
        'Councils, messages and tasks of one project. The answers are the documents that commands print with --json.',
    },
    paths: {
      ...Object.fromEntries(CALLS.map((name) => [`${API_PATH}/${name}`, operation(name)])),
      [EVENTS_PATH]: EVENTS,
      '/metrics': plain('Measures in the format of Prometheus', 'text/plain', problems),
      '/openapi.json': {
        get: { summary: 'This document', responses: { 200: document('OpenAPI 3.1'), ...problems } },
      },
      '/healthz': {
        get: { summary: 'Whether the process lives', security: [], responses: { 200: document('It does.') } },
      },
      '/readyz': {
        get: {
          summary: 'Whether it takes requests',
          security: [],
          responses: { 200: document('It does.'), 503: document('It is being stopped.') },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: PROBLEM, ...ANSWERS },
      responses: {
        Problem: {
          description: 'It was refused, or failed.',
          headers: { 'X-Request-Id': { schema: { type: 'string' } } },
          content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
    security: [{ token: [] }, {}],
  };
}
