// Fields and input type of the use case `review`.
import { runFields } from '../core/app/input/council.ts';
import type { Fields, InputOf } from '../core/app/input/fields.ts';
import { TABLE } from '../core/app/input/table.ts';
import { READ_LIMITS } from '../core/base/limits.ts';
import { FORMAT_NAMES } from './formats.ts';
import { SEVERITIES } from './report.ts';

export const reviewFields = {
  what: {
    kind: 'texts',
    argument: true,
    help: 'commits such as main..HEAD, or files and folders to review as they are',
    otherwise: 'what is not committed',
  },
  staged: { kind: 'flag', help: 'review what is staged, as it would be committed' },
  fromDiff: {
    kind: 'document',
    limit: READ_LIMITS.own,
    help: 'review a diff as git prints it',
  },
  agents: TABLE.agents,
  table: TABLE.table,
  focus: {
    kind: 'text',
    longest: 200,
    placeholder: 'words',
    help: 'what to look at above all: security,tests',
  },
  failOn: {
    kind: 'choice',
    choices: SEVERITIES,
    default: 'major',
    placeholder: 'severity',
    help: 'the severity from which a finding may block: blocker, major, minor or note',
  },
  format: {
    kind: 'choice',
    choices: FORMAT_NAMES,
    default: 'text',
    help: `how it is printed: ${FORMAT_NAMES.join(', ')}`,
  },
  output: { kind: 'path', help: 'write it there as well, in that format' },
  name: { ...runFields.name, help: 'a name for this council', otherwise: 'words of what is reviewed' },
  timeout: TABLE.timeout,
  budgetUsd: TABLE.budgetUsd,
  budgetTokens: TABLE.budgetTokens,
  lang: TABLE.lang,
  concurrency: runFields.concurrency,
  labels: runFields.labels,
  dryRun: {
    kind: 'flag',
    help: 'show what would be reviewed, by whom, in how many parts and for what price; launch and write nothing',
  },
  trust: TABLE.trust,
  quiet: runFields.quiet,
  yes: runFields.yes,
} as const satisfies Fields;
export type ReviewInput = InputOf<typeof reviewFields>;
