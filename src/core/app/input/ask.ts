// Fields of `ask` and `continue`: how to collect the blind answers, and how to continue after them.
import { formatDuration } from '../../base/duration.ts';
import { LAST } from '../../base/unknown-name.ts';
import { HOLD_EXITS } from '../../council/state/allowed-values.ts';
import { CONCURRENCY, COUNCIL, LABELS, runFields, YES } from './council.ts';
import type { Fields, InputOf } from './fields.ts';
import { TABLE } from './table.ts';

/** An hour: a person who has not chosen by then has left. */
export const HOLD_MS = 3_600_000;

export const askFields = {
  ...TABLE,
  name: {
    ...runFields.name,
    help: 'a name for this council',
    otherwise: 'words of the question',
    variable: undefined,
  },
  debate: {
    kind: 'flag',
    help: 'let them challenge each other after the blind answers, without being asked',
  },
  synthesis: {
    kind: 'flag',
    help: 'have the coordinator write a synthesis of the blind answers, without being asked',
  },
  me: { kind: 'flag', help: 'take a seat yourself: you answer before you see what the others say' },
  after: {
    kind: 'text',
    placeholder: 'archive',
    help: 'ask the same table about what came of an archived council; last for the newest',
  },
  hold: {
    kind: 'duration',
    help: 'how long a council waits for your choice after the answers, on a terminal',
    otherwise: formatDuration(HOLD_MS),
  },
  concurrency: CONCURRENCY,
  labels: LABELS,
  resume: runFields.resume,
  dryRun: runFields.dryRun,
  quiet: runFields.quiet,
  yes: YES,
} as const satisfies Fields;
export type AskInput = InputOf<typeof askFields>;

export const continueFields = {
  way: {
    kind: 'choice',
    choices: HOLD_EXITS,
    argument: true,
    help: 'debate (they challenge each other), synthesis (the coordinator sums up), or end (archive the answers)',
    otherwise: 'it waits on, and gets the note',
  },
  note: {
    kind: 'text',
    longest: 4000,
    placeholder: 'text',
    help: 'tell the table something before it goes on: part of every later prompt, and no vote',
  },
  name: COUNCIL,
} as const satisfies Fields;
export type ContinueInput = InputOf<typeof continueFields>;

export const rerunFields = {
  archive: {
    kind: 'text',
    argument: true,
    default: LAST,
    help: 'the archived council whose brief is asked again; last for the newest',
  },
  agents: { ...TABLE.agents, otherwise: 'those who sat there' },
  mode: { ...TABLE.mode, otherwise: 'that of the archive' },
  coordinator: TABLE.coordinator,
  name: { ...askFields.name },
  timeout: TABLE.timeout,
  rule: TABLE.rule,
  budgetUsd: TABLE.budgetUsd,
  budgetTokens: TABLE.budgetTokens,
  trust: TABLE.trust,
  concurrency: CONCURRENCY,
  labels: LABELS,
  quiet: runFields.quiet,
  yes: YES,
} as const satisfies Fields;
export type RerunInput = InputOf<typeof rerunFields>;
