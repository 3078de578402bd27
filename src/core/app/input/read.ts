// Fields and input type of the use case `read`.
import { READ_LIMITS } from '../../base/limits.ts';
import { PHASES } from '../../council/state/allowed-values.ts';
import { COUNCIL } from './council.ts';
import type { Fields, InputOf } from './fields.ts';

export const readFields = {
  text: {
    kind: 'document',
    argument: true,
    limit: READ_LIMITS.contribution,
    required: true,
    placeholder: 'file',
    help: 'the text, which is not recorded',
  },
  phase: {
    kind: 'choice',
    choices: PHASES,
    help: 'the phase it is for',
    otherwise: 'the open one, without a council COLLECT',
  },
  agent: {
    kind: 'id',
    of: 'an agent id',
    option: 'as',
    placeholder: 'id',
    help: 'whose text it is',
    otherwise: "nobody's in particular",
    variable: 'COUNCIL_PARTICIPANT',
    speaks: true,
  },
  name: { ...COUNCIL, otherwise: 'active-conversation, the only active one, or none' },
} as const satisfies Fields;
export type ReadInput = InputOf<typeof readFields>;
