// Fields for opening a council: question, table, rules and limits.
import { READ_LIMITS } from '../../base/limits.ts';
import { CONTROLS, IDENTITIES, READS, RULES, TIES } from '../../council/state/allowed-values.ts';
import { TABLES } from '../seats/personas.ts';
import type { Fields } from './fields.ts';

/** Those that come with council. */
const MODES = ['debate', 'prd', 'analysis', 'rank', 'review', 'check', 'synthesis'] as const;

/** What is needed to open a council. */
export const TABLE = {
  topic: {
    kind: 'text',
    argument: true,
    file: 'brief',
    help: 'the question in one line, or a file that asks it',
    asArgument: 'the question in one line',
    otherwise: "the brief's first heading; what is piped in",
  },
  mode: {
    kind: 'id',
    of: 'the name of a mode',
    help: `${MODES.join(', ')}, or one of modes/`,
    placeholder: 'mode',
    otherwise: 'debate',
    suggestions: MODES,
  },
  agents: {
    kind: 'ids',
    seats: true,
    help: 'participants: agents, PROGRAM:MODEL, PROVIDER/MODEL, each with @PERSONA or not; or all',
    asArgument: 'participants, by the ids of agents',
    placeholder: 'seats',
    otherwise: 'everybody in agents/',
  },
  table: {
    kind: 'choice',
    choices: TABLES,
    help: `personas for a kind of question, one for each seat: ${TABLES.join(', ')}`,
    placeholder: 'kind',
  },
  panel: {
    kind: 'choice',
    choices: ['offline'],
    help: 'a ready-made table: offline (reviewers of decision documents that need no model; mode check)',
  },
  coordinator: {
    kind: 'id',
    of: 'an agent id',
    empty: true,
    help: 'who writes the synthesis; none for nobody',
    placeholder: 'id',
    otherwise: 'as set in COUNCIL.md, else maman if models take part',
  },
  brief: {
    kind: 'document',
    limit: READ_LIMITS.brief,
    help: 'the question and its context, as Markdown',
  },
  piped: {
    kind: 'document',
    pipe: 'beside',
    sent: true,
    limit: READ_LIMITS.contribution,
    help: 'a text that goes with the question like a file; the question itself where there is no other',
  },
  files: {
    kind: 'texts',
    option: 'file',
    placeholder: 'path',
    help: 'give a file, a folder or a glob with the question, which may also name a file itself: @src/queue.ts; what git ignores is left out',
  },
  diff: {
    kind: 'text',
    bare: 'HEAD',
    placeholder: 'range',
    help: 'give what git diff says, of a range such as main..HEAD; without one, what is not committed',
  },
  read: {
    kind: 'choice',
    choices: READS,
    default: 'none',
    help: 'what agent programs may read by themselves: none, or the files of the project',
  },
  timeout: {
    kind: 'duration',
    help: 'how long a phase may last: 30m, 1h, 2d',
    code: 'invalid_config',
  },
  budgetUsd: {
    kind: 'amount',
    unit: 'US$',
    help: 'the most US$ to use up: a launch that may take more than is left is not made',
    otherwise: 'no limit',
    code: 'invalid_config',
  },
  budgetTokens: {
    kind: 'number',
    min: 1,
    help: 'the most tokens, input and output, to use up: a launch that may take more than is left is not made',
    otherwise: 'no limit',
    code: 'invalid_config',
  },
  lang: { kind: 'choice', choices: ['en', 'fr'], help: 'en or fr', code: 'invalid_config' },
  option: {
    kind: 'texts',
    help: 'an option that may be decided on (or options: in the brief)',
  },
  rule: { kind: 'choice', choices: RULES, help: RULES.join(', '), otherwise: "the mode's" },
  tie: { kind: 'choice', choices: TIES, help: 'what may settle a tie of votes', otherwise: "the mode's" },
  veto: {
    kind: 'text',
    help: 'whose blocking issue cannot be outvoted, separated by commas',
    placeholder: 'ids',
  },
  recuse: {
    kind: 'texts',
    help: 'exclude a participant from the vote, with the reason',
    placeholder: 'id:why',
  },
  weighted: {
    kind: 'flag',
    help: 'count each vote as its stated confidence, after ten outcomes of every seat',
  },
  repeat: {
    kind: 'number',
    min: 1,
    max: 9,
    help: 'play CHALLENGE and RESOLVE up to n times',
    otherwise: "the mode's",
  },
  forceChallenge: { kind: 'flag', help: 'play CHALLENGE and RESOLVE also after blind unanimity' },
  advocate: {
    kind: 'flag',
    default: true,
    help: 'ask nobody for the case against after blind unanimity',
  },
  control: {
    kind: 'choice',
    choices: CONTROLS,
    help: 'self: beside CHALLENGE have each program reconsider its own answer alone, for comparison',
  },
  identity: {
    kind: 'choice',
    choices: IDENTITIES,
    default: 'open',
    help: 'open, or token: everybody needs their own token',
  },
  open: { kind: 'flag', help: 'not blind: contributions to COLLECT are visible at once' },
  trust: {
    kind: 'flag',
    help: 'trust what is seated here to run, without being asked (see council trust)',
  },
} as const satisfies Fields;
