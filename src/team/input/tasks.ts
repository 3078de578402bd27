// Fields and input types of tasks, approvals and the audit trail, and of the use case `protocol`.
import { READ_LIMITS } from '../../core/base/limits.ts';
import { LABELS } from '../../core/app/input/council.ts';
import type { Fields, InputOf } from '../../core/app/input/fields.ts';
import { FORMATS } from '../messages/message.ts';

export const TASK_ACTIONS = [
  'run',
  'plan',
  'list',
  'show',
  'watch',
  'play',
  'cancel',
  'pause',
  'resume',
  'answer',
  'retry',
  'log',
  'trace',
] as const;

/** Actions allowed to tool clients; a person's decisions are left to the command line. */
export const CLIENT_TASK_ACTIONS: readonly (typeof TASK_ACTIONS)[number][] = [
  'run',
  'list',
  'show',
  'log',
  'trace',
];

export const taskFields = {
  action: { kind: 'choice', choices: TASK_ACTIONS, default: 'list', argument: true, help: 'what to do' },
  text: {
    kind: 'text',
    words: true,
    lines: true,
    argument: true,
    offers: 'tasks',
    help: 'the instruction (run), the file (plan), the task (show, cancel …), the task and the answer (answer)',
  },
  needs: { kind: 'texts', placeholder: 'a,b', help: 'what the worker must be able to do' },
  to: {
    kind: 'id',
    of: 'an agent id',
    placeholder: 'agent',
    help: 'who does it',
    otherwise: 'whoever fits best',
  },
  priority: { kind: 'choice', choices: ['P0', 'P1', 'P2'], help: 'P0 (first), P1 or P2', otherwise: 'P1' },
  budget: {
    kind: 'number',
    min: 1,
    placeholder: 'tokens',
    help: 'the tokens that it may use up',
    otherwise: 'taskBudget of COUNCIL.md, else no limit',
  },
  timeout: { kind: 'duration', help: 'how long one launch may take', otherwise: "the agent's" },
  after: { kind: 'texts', offers: 'tasks', placeholder: 'task', help: 'a task that has to be done before' },
  context: { kind: 'texts', placeholder: 'file', help: 'a file whose contents go with it' },
  set: {
    kind: 'texts',
    placeholder: 'name=value',
    help: 'what {{name}} stands for in the instruction or plan (run, plan)',
  },
  concurrency: {
    kind: 'number',
    min: 1,
    max: 64,
    placeholder: 'n',
    help: 'how many workers at once',
    otherwise: '4',
  },
  labels: LABELS,
  risk: {
    kind: 'choice',
    choices: ['low', 'medium', 'high'],
    help: 'from which risk on a worker waits for an approval',
    otherwise: 'high',
  },
  isolate: {
    kind: 'choice',
    choices: ['none', 'worktree'],
    help: 'worktree: the worker may write, in a git worktree of its own',
    otherwise: 'none: it reads the project',
  },
  readOnly: { kind: 'flag', help: 'the worker changes no files of the project (the default)' },
  explain: { kind: 'flag', help: 'show who could do it, and who would be chosen; run nothing' },
  trust: { kind: 'flag', help: 'trust the workers that are named, without being asked' },
  format: {
    kind: 'choice',
    choices: ['text', 'line'],
    default: 'text',
    help: 'how log prints: text, or lines of version 5',
  },
  agent: {
    kind: 'id',
    of: 'an agent id',
    speaks: true,
    help: 'log and trace: only what an agent did, said or heard',
  },
  all: { kind: 'flag', help: 'list also the sessions that are over' },
  plan: {
    kind: 'document',
    sent: true,
    limit: READ_LIMITS.archive,
    help: 'the plan itself, whose name is the text (plan); without it the text is the name of an archive',
    otherwise: 'an archive',
  },
} as const satisfies Fields;
export type TaskInput = InputOf<typeof taskFields>;

export const auditFields = {
  action: {
    kind: 'choice',
    choices: ['list', 'verify'],
    default: 'list',
    argument: true,
    help: 'what to do',
  },
  task: { kind: 'text', offers: 'tasks', placeholder: 'task', help: 'only what concerns this task' },
  agent: { kind: 'id', of: 'an agent id', speaks: true, help: 'only what an agent did' },
  limit: { kind: 'number', min: 1, max: 10_000, default: 50, placeholder: 'n', help: 'how many, the newest' },
} as const satisfies Fields;
export type AuditInput = InputOf<typeof auditFields>;

export const approvalsFields = {
  action: {
    kind: 'choice',
    choices: ['list', 'show', 'approve', 'reject'],
    default: 'list',
    argument: true,
    help: 'what to do',
  },
  id: { kind: 'id', of: "a request's id", offers: 'approvals', argument: true, help: 'which request' },
  reason: { kind: 'text', placeholder: 'text', help: 'why it is rejected; the agent is told' },
  as: { kind: 'text', placeholder: 'name', help: 'who decides, a person', otherwise: 'your user name' },
} as const satisfies Fields;
export type ApprovalsInput = InputOf<typeof approvalsFields>;

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
