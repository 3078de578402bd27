// Fields and input types of the use cases of reservations.
import type { Fields, InputOf } from '../../core/app/input/fields.ts';
import { AS } from './messages.ts';

export const reserveFields = {
  patterns: {
    kind: 'texts',
    argument: true,
    placeholder: 'pattern',
    help: 'files, folders or globs, relative to the project folder',
  },
  as: { ...AS, help: 'who reserves them' },
  for: { kind: 'duration', help: 'for how long', otherwise: '2h' },
  exclusive: { kind: 'flag', help: 'nobody else works there; this is the default' },
  shared: { kind: 'flag', help: 'others may share them, and nobody may have them exclusively' },
  why: { kind: 'text', placeholder: 'text', help: 'what for; others are told' },
  pid: {
    kind: 'number',
    min: 1,
    placeholder: 'n',
    help: 'ends with this process of this machine, if that is sooner',
  },
  ask: { kind: 'flag', help: 'where somebody else has them, send a message to the holder' },
  check: { kind: 'flag', help: 'reserve nothing: refuse when a staged file is reserved by somebody else' },
} as const satisfies Fields;
export type ReserveInput = InputOf<typeof reserveFields>;

export const releaseFields = {
  ids: {
    kind: 'texts',
    argument: true,
    placeholder: 'id',
    otherwise: 'all of yours',
    help: 'which, by their ids or by the patterns that were reserved',
  },
  as: { ...AS, required: true, help: 'whose reservations', hint: 'Say whose with --as AGENT.' },
} as const satisfies Fields;
export type ReleaseInput = InputOf<typeof releaseFields>;

export const reservationsFields = {} as const satisfies Fields;
export type ReservationsInput = InputOf<typeof reservationsFields>;
