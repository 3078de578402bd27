// Fields and input type of the use case `token`.
import { ROLES } from '../remote/roles.ts';
import type { Fields, InputOf } from './fields.ts';

export const tokenFields = {
  action: {
    kind: 'choice',
    choices: ['create', 'list', 'revoke'],
    default: 'list',
    argument: true,
    help: 'what to do',
  },
  id: { kind: 'text', argument: true, help: 'revoke: which token' },
  role: { kind: 'choice', choices: ROLES, help: 'create: what it opens' },
  name: {
    kind: 'id',
    of: 'a council name',
    placeholder: 'name',
    help: "create: the council of a participant's seat",
  },
  as: {
    kind: 'id',
    of: 'an agent id',
    placeholder: 'id',
    help: 'create: whose it is; it speaks for nobody else',
  },
  expires: { kind: 'duration', help: 'create: how long it opens anything', otherwise: 'until it is revoked' },
} as const satisfies Fields;
export type TokenInput = InputOf<typeof tokenFields>;
