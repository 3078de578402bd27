// Fields and input types of the use case of the store.
import type { Fields, InputOf } from './fields.ts';

export const storeFields = {
  action: {
    kind: 'choice',
    choices: ['migrate'],
    required: true,
    argument: true,
    help: 'migrate: make the tables, or bring them up to date',
  },
  appRole: {
    kind: 'text',
    placeholder: 'role',
    help: 'the role that council works as from day to day; it gets what that takes',
  },
  dryRun: { kind: 'flag', help: 'say what would be done, and do nothing' },
} as const satisfies Fields;
export type StoreInput = InputOf<typeof storeFields>;
