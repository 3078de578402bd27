// Fields and input types of the use case of the audit trail.
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
