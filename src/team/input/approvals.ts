// Fields and input types of the use case of approvals.
import type { Fields, InputOf } from '../../core/app/input/fields.ts';

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
