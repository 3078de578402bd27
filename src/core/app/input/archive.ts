// Fields and input types of the use cases for revisions and archives.
import { COST_KEYS } from '../../archive/cost.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { LAST } from '../../base/unknown-name.ts';
import type { Fields, InputOf } from './fields.ts';
import { COUNCIL } from './council.ts';
import { PHASES } from '../../council/state/allowed-values.ts';

// Input of use cases about the past: revisions of an active council, and finished councils.

export const historyFields = { name: COUNCIL } as const satisfies Fields;
export type HistoryInput = InputOf<typeof historyFields>;

export const restoreFields = {
  revision: {
    kind: 'number',
    min: 1,
    max: 9_999_999_999,
    argument: true,
    help: 'the revision to go back to; without one, a hand edit is dropped',
    hint: 'See the kept ones with: council history',
  },
  name: COUNCIL,
} as const satisfies Fields;
export type RestoreInput = InputOf<typeof restoreFields>;

export const adoptFields = {
  name: COUNCIL,
  text: {
    kind: 'document',
    limit: READ_LIMITS.own,
    option: 'file',
    help: 'an edited copy of the newest text, or a file that a program which syncs has kept aside: its answers are taken over',
  },
} as const satisfies Fields;
export type AdoptInput = InputOf<typeof adoptFields>;

export const listFields = {} as const satisfies Fields;
export type ListInput = InputOf<typeof listFields>;

const ARCHIVE = {
  kind: 'text',
  required: true,
  argument: true,
  help: 'last (the one that ended last), or stem, path, conversationId or name, as list gives them, or a part of one',
} as const;

export const showFields = {
  archive: { kind: 'text', argument: true, default: LAST, help: ARCHIVE.help },
} as const satisfies Fields;
export type ShowInput = InputOf<typeof showFields>;

export const outcomeFields = {
  archive: ARCHIVE,
  right: {
    kind: 'text',
    required: true,
    placeholder: 'P2|none|other',
    help: 'the number of the position that turned out to be right, none where no position was, other where something else was',
  },
  note: { kind: 'text', longest: 1000, help: 'how it turned out, in a line' },
  on: { kind: 'day', help: 'the day when it turned out, such as 2026-11-01', otherwise: 'today (UTC)' },
} as const satisfies Fields;
export type OutcomeInput = InputOf<typeof outcomeFields>;

export const searchFields = {
  query: {
    kind: 'text',
    words: true,
    required: true,
    argument: true,
    placeholder: 'words',
    help: 'words and "phrases"',
  },
  limit: { kind: 'number', min: 1, default: 10, placeholder: 'n', help: 'how many results' },
} as const satisfies Fields;
export type SearchInput = InputOf<typeof searchFields>;

export const archivesFields = {
  action: {
    kind: 'choice',
    choices: ['pull'],
    required: true,
    argument: true,
    help: 'pull: write the archives of a project in PostgreSQL into conseils/',
  },
} as const satisfies Fields;
export type ArchivesInput = InputOf<typeof archivesFields>;

export const costFields = {
  council: {
    kind: 'text',
    argument: true,
    help: 'only this one: the name of an active council, or an archive: its stem, path, conversationId or name',
  },
  by: {
    kind: 'choice',
    choices: COST_KEYS,
    default: 'agent',
    placeholder: 'key',
    help: 'agent, model, council, month or day',
  },
  since: { kind: 'day', help: 'only launches from this day on (UTC), such as 2026-11-01' },
} as const satisfies Fields;
export type CostInput = InputOf<typeof costFields>;

export const exportFields = {
  archive: {
    ...{ kind: 'text', argument: true, default: LAST },
    help: `${ARCHIVE.help}; for html and svg also an active council`,
  },
  format: {
    kind: 'choice',
    choices: ['md', 'json', 'adr', 'html', 'svg'],
    help: 'md, json, adr (a decision record), html (one page that needs nothing else) or svg (how positions moved)',
    otherwise: 'the ending of --output, else md',
  },
  output: { kind: 'path', help: 'write there instead of stdout' },
} as const satisfies Fields;
export type ExportInput = InputOf<typeof exportFields>;

const EITHER = {
  council: {
    kind: 'text',
    argument: true,
    help: 'the name of an active council, or an archive: its stem, path, conversationId or name',
  },
  name: { ...COUNCIL, help: 'the active council' },
} as const satisfies Fields;

export const ledgerFields = EITHER;
export const metricsFields = {
  ...EITHER,
  messages: { kind: 'flag', help: 'of the messages between agents, instead of a council' },
  since: {
    kind: 'text',
    placeholder: 'when',
    help: 'with --messages, only from then on: 2h, 2026-11-01 or 2026-11-01T12:00:00Z',
    asArgument: 'where messages is true, only from then on: 2h, 2026-11-01 or 2026-11-01T12:00:00Z',
  },
} as const satisfies Fields;
export type MetricsInput = InputOf<typeof metricsFields>;
export type EitherInput = InputOf<typeof EITHER>;

export const logsFields = {
  agent: {
    kind: 'id',
    of: 'an agent id',
    required: true,
    argument: true,
    speaks: true,
    help: 'whose launches',
  },
  ...EITHER,
  last: { kind: 'number', min: 1, max: 100, default: 1, placeholder: 'n', help: 'how many launches' },
} as const satisfies Fields;
export type LogsInput = InputOf<typeof logsFields>;

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
