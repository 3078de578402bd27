// Fields and input type of the use case `store`.
import type { Fields, InputOf } from '../core/app/input/fields.ts';

export const storeFields = {
  action: {
    kind: 'choice',
    choices: ['migrate', 'copy'],
    required: true,
    argument: true,
    help: 'migrate: make the tables, or bring them up to date. copy: move the project from one store into the other',
  },
  appRole: {
    kind: 'text',
    placeholder: 'role',
    help: 'the role that council works as from day to day; it gets what that takes',
  },
  from: { kind: 'choice', choices: ['files', 'postgres'], help: 'where the project is kept now, for copy' },
  to: { kind: 'choice', choices: ['files', 'postgres'], help: 'where it is to go, for copy' },
  dryRun: { kind: 'flag', help: 'say what would be done, and do nothing' },
} as const satisfies Fields;
export type StoreInput = InputOf<typeof storeFields>;
