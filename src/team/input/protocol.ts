// Fields and input type of the use case `protocol`.
import { FORMATS } from '../messages/message.ts';
import { READ_LIMITS } from '../../core/base/limits.ts';
import type { Fields, InputOf } from '../../core/app/input/fields.ts';

export const protocolFields = {
  action: {
    kind: 'choice',
    argument: true,
    required: true,
    choices: ['parse', 'validate', 'convert', 'explain', 'sign', 'check-worker'],
    help: 'parse, validate, convert, explain, sign or check-worker',
  },
  messages: {
    kind: 'document',
    argument: true,
    pipe: true,
    limit: READ_LIMITS.contribution,
    placeholder: 'file',
    help: 'the messages, one a line; those of V1 with an empty line between them, JSON one a file',
    otherwise: 'stdin',
  },
  command: {
    kind: 'texts',
    program: true,
    argument: true,
    help: 'check-worker: the program and its arguments, after --',
  },
  from: {
    kind: 'choice',
    choices: ['auto', ...FORMATS],
    default: 'auto',
    placeholder: 'format',
    help: 'v1 to v5, file, envelope, or auto',
  },
  to: {
    kind: 'choice',
    choices: FORMATS,
    placeholder: 'format',
    help: 'what convert writes: v1 to v5, file or envelope',
  },
  map: {
    kind: 'document',
    limit: READ_LIMITS.settings,
    help: 'JSON that says which name stands for which id of a line, such as {"claude-1": "W1"}',
  },
  asRead: {
    kind: 'flag',
    help: 'also write what only examples contain: M0, T0, S0, the type Q, the name User, DEPTH -',
  },
  key: {
    kind: 'document',
    limit: 4096,
    help: 'the key of signatures: lines of V5 that are read must have one, those that sign and convert write get one',
  },
  input: {
    kind: 'choice',
    choices: ['auto', 'prompt', 'line'],
    default: 'auto',
    help: 'check-worker: how the worker is told its lines; auto tries both, and it needs to know one',
  },
  timeout: { kind: 'duration', help: 'check-worker: how long one answer may take', otherwise: '1m' },
  session: {
    kind: 'text',
    help: 'convert: the session of lines of V5 that come from a format without one, such as S1',
  },
} as const satisfies Fields;
export type ProtocolInput = InputOf<typeof protocolFields>;
