// Fields and input type of the use case `review`.
import { runFields } from '../core/app/input/council.ts';
import type { Fields, InputOf } from '../core/app/input/fields.ts';
import { TABLE } from '../core/app/input/table.ts';
import { READ_LIMITS } from '../core/base/limits.ts';
import { SEVERITIES } from './report.ts';

const FORMAT_NAMES = ['text', 'markdown', 'json', 'sarif', 'github'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

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
  pr: {
    kind: 'number',
    min: 1,
    placeholder: 'number',
    help: 'review a pull request of GitHub, through the program gh',
  },
  since: {
    kind: 'choice',
    choices: ['last'],
    help: 'review what is new since the last review, and go on with the findings that it left open',
  },
  resume: {
    kind: 'flag',
    help: 'go on with a review of this very change that was interrupted: what was said is not asked again',
  },
  post: {
    kind: 'flag',
    help: 'post what came of it to the pull request: one summary, and comments on the lines of what blocks',
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
    help: `how it is printed: ${FORMAT_NAMES.join(', ')} (annotations of GitHub Actions)`,
  },
  output: {
    kind: 'path',
    help: 'write it there as well, in the format of its ending (.sarif, .json, .md), else as it is printed',
  },
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
