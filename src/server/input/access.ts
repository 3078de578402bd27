// Fields and input types of the access use cases: `token`, `open`, `invite`.
import { ROLES } from '../../core/app/app.ts';
import { COUNCIL } from '../../core/app/input/council.ts';
import type { Fields, InputOf } from '../../core/app/input/fields.ts';

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
    ...COUNCIL,
    otherwise: undefined,
    variable: undefined,
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

export const openFields = {
  council: {
    kind: 'text',
    argument: true,
    help: 'an active council or an archive',
    otherwise: 'the councils of this project',
  },
  print: { kind: 'flag', help: 'print the address only' },
} as const satisfies Fields;
export type OpenInput = InputOf<typeof openFields>;

export const inviteFields = {
  agent: { kind: 'id', of: 'an agent id', required: true, argument: true, help: 'the participant' },
  name: COUNCIL,
  revoke: { kind: 'flag', help: 'take back what opens that seat' },
} as const satisfies Fields;
export type InviteInput = InputOf<typeof inviteFields>;
