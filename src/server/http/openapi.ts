// Builds the server's OpenAPI document from the definitions of the calls.
import * as z from 'zod/mini';
import { buildJsonSchema } from '../json-schema.ts';
import { getDocumentSchema } from '../remote/answers.ts';
import { getCallDefinition, CALLS, listCallFields, TURN } from '../remote/calls.ts';
import type { CallName } from '../remote/calls.ts';
import { API_PATH, PROBLEM_TYPE } from './context.ts';
import { EVENTS_PATH } from './events.ts';
import type { ProblemStatus } from './context.ts';

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

const referProblems = (...statuses: ProblemStatus[]) =>
  Object.fromEntries(statuses.map((status) => [String(status), { $ref: '#/components/responses/Problem' }]));

/** Refusals before a call is examined. */
const AT_THE_GATE: ProblemStatus[] = [401, 403, 429, 500, 503];
/** Refusals of a call itself. */
const OF_A_CALL: ProblemStatus[] = [...AT_THE_GATE, 400, 404, 409, 413, 415, 422, 504];

const describeDocument = (description: string, schema: object = { type: 'object' }) => ({
  description,
  headers: { 'X-Request-Id': { schema: { type: 'string' } } },
  content: { 'application/json': { schema } },
});

/** Removes the draft, which the document itself names. */
function toJsonSchema(answer: z.ZodMiniType): object {
  const { $schema: _draft, ...schema } = z.toJSONSchema(answer);
  return schema;
}

/** The guaranteed parts of answers; a newer server may add fields. */
const ANSWERS = Object.fromEntries(
  CALLS.map((name) => [`answer-${name}`, toJsonSchema(getDocumentSchema(name))]),
);
const referAnswerSchema = (name: CallName) => ({ $ref: `#/components/schemas/answer-${name}` });

function describeCallAnswer(name: CallName) {
  const plain = describeDocument(`What council ${name} --json prints.`, referAnswerSchema(name));
  const ETag = {
    schema: { type: 'string' },
    description: 'The revision of the one council that it is about.',
  };
  return { ...plain, headers: { ...plain.headers, ETag } };
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: true,
  schema: { type: 'string', pattern: '^("?[0-9]{1,10}"?|\\*)$' },
  description: 'the revision that the council has to have, such as "7"; * for whatever it has',
};

const KEY_HEADER = {
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

function buildOperation(name: CallName) {
  const { title, description, turn, roles, readOnly, again } = getCallDefinition(name);
  const parameters = [
    ...(again === 'revision' ? [IF_MATCH] : []),
    ...(again === 'key' ? [KEY_HEADER] : []),
    IN_TURN,
  ];
  const { $schema: _draft, ...schema } = buildJsonSchema(listCallFields(name, 'api'), turn ? TURN : {});
  return {
    post: {
      operationId: name,
      summary: title,
      description: `${description} Opens to: ${roles.join(', ')}.`,
      'x-read-only': readOnly,
      ...(again && { 'x-again': again }),
      parameters,
      requestBody: { required: 'required' in schema, content: { 'application/json': { schema } } },
      responses: {
        200: describeCallAnswer(name),
        ...referProblems(...OF_A_CALL, ...(again === 'revision' ? ([412, 428] as const) : [])),
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
      ...referProblems(...AT_THE_GATE, 404, 422),
    },
  },
};

export function openApi(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'council',
      version,
      description:
        'Councils, messages and tasks of one project. The answers are the documents that commands print with --json.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    paths: {
      ...Object.fromEntries(CALLS.map((name) => [`${API_PATH}/${name}`, buildOperation(name)])),
      [EVENTS_PATH]: EVENTS,
      '/metrics': {
        get: {
          operationId: 'measures',
          summary: 'Measures in the format of Prometheus',
          responses: {
            200: { description: 'Measures', content: { 'text/plain': { schema: { type: 'string' } } } },
            ...referProblems(...AT_THE_GATE),
          },
        },
      },
      '/openapi.json': {
        get: {
          operationId: 'openapi',
          summary: 'This document',
          responses: { 200: describeDocument('OpenAPI 3.1'), ...referProblems(...AT_THE_GATE) },
        },
      },
      '/healthz': {
        get: {
          operationId: 'healthz',
          summary: 'Whether the process lives',
          security: [],
          responses: { 200: describeDocument('It does.') },
        },
      },
      '/readyz': {
        get: {
          operationId: 'readyz',
          summary: 'Whether it takes requests',
          security: [],
          responses: {
            200: describeDocument('It does.'),
            503: describeDocument('It is being stopped, or the project is away.'),
          },
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
