// Fields and input types of the use cases that play a council.
import { READ_LIMITS } from '../../base/limits.ts';
import { PHASES, REACHES } from '../../council/state/allowed-values.ts';
import type { Reach } from '../../council/state/allowed-values.ts';
import type { Agent } from '../../agents/agent.ts';
import type { ContextItem } from '../context/context-item.ts';
import type { Fields, InputOf } from './fields.ts';
import { TABLE } from './table.ts';

/** The active council: its name, a part of it, or `last` for the one that started last. Most use cases have this field. */
export const COUNCIL = {
  kind: 'text',
  longest: 200,
  offers: 'councils',
  help: 'the council',
  placeholder: 'name',
  otherwise: 'active-conversation, or the only active one',
  variable: 'COUNCIL_NAME',
} as const;

/** Like `COUNCIL`, but without a value it means all active councils. */
const ONLY = { ...COUNCIL, help: 'only this council', otherwise: 'every active one', variable: undefined };

const AGENT = { kind: 'id', of: 'an agent id', required: true, argument: true } as const;
/** The participant who speaks in, or looks at, a council. */
const SEAT = { ...AGENT, speaks: true } as const;
export const CONCURRENCY = {
  kind: 'number',
  min: 1,
  max: 64,
  help: 'programs that run at the same time',
  placeholder: 'n',
  otherwise: '4',
  code: 'invalid_config',
} as const;

export const LABELS = {
  kind: 'ids',
  of: 'labels',
  help: 'what this machine has, for agents whose runs-on asks for it',
  placeholder: 'labels',
  otherwise: 'none',
  variable: 'COUNCIL_LABELS',
} as const;

export const YES = {
  kind: 'flag',
  help: 'start without asking, whatever it may cost or add to this folder',
} as const;

export const startFields = {
  ...TABLE,
  name: {
    ...COUNCIL,
    kind: 'id',
    of: 'a council name',
    help: 'a name for this council',
    otherwise: 'active-conversation',
  },
  reach: {
    kind: 'choice',
    choices: REACHES,
    default: 'debate',
    help: 'how far it goes by itself: to the blind answers, to a synthesis of them, or through all phases of its mode',
  },
  yes: YES,
} as const satisfies Fields;

/** Input for opening a council. `start` has a field for how far it plays, `ask` derives it, and `run` plays to the end. */
export type StartInput = Omit<InputOf<typeof startFields>, 'reach'> & CouncilExtent;

/** How far council plays without a person. */
export interface CouncilExtent {
  reach?: Reach;
  /** How long it waits after COLLECT for the person who asked, in milliseconds; by default it does not wait. */
  holdMs?: number;
  /** Opened by `ask`: without a name it is named after its question, and `ask` continues it. */
  isAsked?: true;
  /** The person who asked, if they have a seat. */
  asker?: Agent;
  /** Context given with the question, besides the files and the diff. */
  context?: ContextItem[];
}

/** The command that continues a council. */
export const renderResumeCommand = ({ isAsked }: CouncilExtent, name: string): string =>
  `council ${isAsked ? 'ask' : 'run'} --resume --name ${name}`;

export const runFields = {
  ...TABLE,
  name: COUNCIL,
  concurrency: CONCURRENCY,
  labels: LABELS,
  resume: { kind: 'flag', help: 'go on with the active council of that name, if there is one' },
  dryRun: {
    kind: 'flag',
    help: 'show who would sit, what they would be asked and what it may cost; launch and write nothing',
  },
  quiet: { kind: 'flag', help: 'print the result only, not what happens on the way' },
  yes: YES,
} as const satisfies Fields;
export type RunInput = InputOf<typeof runFields> & CouncilExtent;

export const respondFields = {
  agent: { ...SEAT, help: 'the id of the participant' },
  text: {
    kind: 'document',
    limit: READ_LIMITS.contribution,
    required: true,
    pipe: true,
    option: 'file',
    help: 'the contribution, kept word for word',
    otherwise: 'stdin, or $EDITOR on a terminal',
  },
  agree: { kind: 'flag', help: 'you can live with what is on the table' },
  done: { kind: 'flag', help: 'you have nothing to add in the coming phases' },
  block: {
    kind: 'texts',
    help: 'a problem that must be solved first',
    placeholder: 'text',
  },
  replace: { kind: 'flag', help: 'replace what you said in this phase' },
  tour: {
    kind: 'number',
    min: 1,
    help: 'the round the text was written for; refused if it is over',
    variable: 'COUNCIL_TOUR',
  },
  name: COUNCIL,
} as const satisfies Fields;
export type RespondInput = InputOf<typeof respondFields>;

export const viewFields = {
  agent: { ...SEAT, help: 'the id of the participant' },
  full: { kind: 'flag', help: 'long contributions of others in full' },
  name: COUNCIL,
} as const satisfies Fields;
export type ViewInput = InputOf<typeof viewFields>;

export const statusFields = { name: ONLY } as const satisfies Fields;
export type StatusInput = InputOf<typeof statusFields>;

export const waitFields = {
  name: COUNCIL,
  for: {
    kind: 'text',
    placeholder: 'what',
    default: 'archived',
    suggestions: ['archived', ...PHASES.map((phase) => `phase:${phase}`)],
    help: 'turn:AGENT, phase:PHASE or archived',
  },
  timeout: {
    kind: 'duration',
    help: 'give up after this long (exit 124)',
    asArgument: 'give up after this long',
  },
} as const satisfies Fields;
export type WaitInput = InputOf<typeof waitFields>;

/** Of what may be done without one. */
const WHY = { kind: 'text', placeholder: 'text', help: 'the reason, kept in the history' } as const;

export const tickFields = {
  name: ONLY,
  launch: { kind: 'flag', default: true, help: 'close phases, launch nobody' },
  untilIdle: { kind: 'flag', help: 'go on until there is nothing to close or launch; may take long' },
  concurrency: CONCURRENCY,
  labels: LABELS,
  why: WHY,
} as const satisfies Fields;
export type TickInput = InputOf<typeof tickFields>;

export const heartbeatFields = {
  every: { kind: 'text', placeholder: 'cron', default: '*/30 * * * *', help: 'while nothing is active' },
  active: { kind: 'text', placeholder: 'cron', default: '*/5 * * * *', help: 'while a council is active' },
  concurrency: CONCURRENCY,
  labels: LABELS,
} as const satisfies Fields;
export type HeartbeatInput = InputOf<typeof heartbeatFields>;

const REASON = {
  kind: 'text',
  placeholder: 'text',
  help: 'the reason, kept in the archive',
  otherwise: 'asked for on a terminal',
} as const;

export const extendFields = {
  duration: { kind: 'duration', required: true, argument: true, help: 'how much more time' },
  name: COUNCIL,
  why: WHY,
} as const satisfies Fields;
export type ExtendInput = InputOf<typeof extendFields>;

export const excuseFields = {
  agent: { ...AGENT, help: 'who is no longer waited for' },
  name: COUNCIL,
  why: REASON,
} as const satisfies Fields;
export type ExcuseInput = InputOf<typeof excuseFields>;

export const retryFields = {
  agent: { ...AGENT, help: 'who is launched again' },
  name: COUNCIL,
} as const satisfies Fields;
export type RetryInput = InputOf<typeof retryFields>;

export const cancelFields = {
  name: COUNCIL,
  why: REASON,
} as const satisfies Fields;
export type CancelInput = InputOf<typeof cancelFields>;

export const revealFields = {
  agent: { ...SEAT, help: 'whose text it is' },
  name: COUNCIL,
  text: {
    kind: 'document',
    limit: READ_LIMITS.contribution,
    required: true,
    option: 'file',
    help: 'the sealed-….json file, copied from the host where it lies (council status names it)',
  },
} as const satisfies Fields;
export type RevealInput = InputOf<typeof revealFields>;
