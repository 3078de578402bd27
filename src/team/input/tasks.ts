// Fields and input type of the use case `task`.
import { READ_LIMITS } from '../../core/base/limits.ts';
import { LABELS } from '../../core/app/input/council.ts';
import type { Fields, InputOf } from '../../core/app/input/fields.ts';

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
