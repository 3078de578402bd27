// Fields and input types of approvals and of the audit trail.
import type { Fields, InputOf } from '../../core/app/input/fields.ts';

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
