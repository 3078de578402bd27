// The known failures of launched agents: how to recognize and fix each, and the text shown in a blind phase.
import { quoteShellWord } from '../../base/text.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import type { Agent } from '../agent.ts';
import { listKeyVariables, NO_KEY } from '../providers.ts';
import type { FailureClassName, FailureKind, KnownFailure, SpeakResult } from './turn-types.ts';

/** How to fix failures of a program; known for programs with a preset. */
export interface ProgramRemedies {
  install: string;
  /** The command that logs in. */
  login: string;
  /** The command that lists its models. */
  models?: string;
}

/** What a suggested fix depends on: the agent and its program. */
export interface FailureSubject {
  agent: Pick<Agent, 'id' | 'runner' | 'command' | 'model' | 'apiKey'>;
  ways: ProgramRemedies | undefined;
}

/** A class of failures; `reasons` of the words has a sentence under its name. */
export interface FailureClass {
  /** A program may hang on it until the timeout. */
  hangs?: true;
  /** Decides whether a retry can help. */
  kind: FailureKind;
  /** HTTP statuses of a provider with this meaning. */
  statuses?: readonly number[];
  /** Exit codes with this meaning only. */
  exits?: readonly number[];
  /** Matches output of programs and providers, in the order of the classes below: the first match counts. */
  printed?: RegExp;
  /** Returns the fix as one sentence; empty if there is none. */
  mend(about: FailureSubject): string;
}

/** Formats a fix in English: reasons are recorded in English, and translated for display. */
const formatReason = (key: keyof Words['reasons'], values: Record<string, string> = {}): string =>
  fill(loadWords('en').reasons[key], values);

const suggestReadingLogs = ({ agent }: FailureSubject): string =>
  formatReason('seeLogs', { agent: agent.id });
/** Returns the command that shows an agent's file, since a path would be specific to this machine. */
const showFile = ({ agent }: Pick<FailureSubject, 'agent'>): string => `council agents show ${agent.id}`;

export const CLASSES = {
  unknown: { kind: 'config', mend: suggestReadingLogs },
  differ: { kind: 'failed', mend: suggestReadingLogs },
  unended: { kind: 'failed', mend: suggestReadingLogs },
  // Before `limit` and `cut`: a provider may name `max_tokens` in errors about credit or length.
  credit: {
    kind: 'config',
    statuses: [402],
    printed:
      /\binsufficient_quota\b|\bexceeded your current quota\b|\bplan and billing\b|\bcredit balance is too low\b|\b(?:insufficient|more) (?:credits?|balance|funds)\b/i,
    mend: (about) => formatReason('fillUp', { command: showFile(about) }),
  },
  context: {
    kind: 'limit',
    statuses: [413],
    printed:
      /\bprompt is too long\b|\b(?:context|prompt|input)\b.{0,60}\b(?:too long|too large|exceed\w*|ran out of room)\b|\b(?:ran out of room|exceed\w*|longer than)\b.{0,60}\b(?:context|input token)|\bcontext_length_exceeded\b|\bmaximum context length\b/i,
    mend: (about) => formatReason('shorten', { command: showFile(about) }),
  },
  cut: {
    kind: 'limit',
    printed: /\bexceeded the .{0,20}output token maximum\b|\bMAX_TOKENS\b|\breason: max_output_tokens\b/,
    mend: ({ agent }) => formatReason('seeLogsSaid', { agent: agent.id }),
  },
  turns: {
    kind: 'limit',
    printed: /\berror_max_turns\b|\b(?:reached|maximum|max) .{0,24}\b(?:turns|steps)\b/i,
    mend: ({ agent }) => formatReason('seeLogsDid', { agent: agent.id }),
  },
  refusal: {
    kind: 'refusal',
    printed:
      /\bblocked due to .{0,20}safety\b|\bsafety settings\b|\bPROHIBITED_CONTENT\b|\bcontent_filter\b|\bviolates? (?:our|the) Usage Policy\b/,
    mend: () => '',
  },
  trust: {
    kind: 'config',
    hangs: true,
    exits: [55],
    printed:
      /\b(?:in|inside|from) (?:a|an) (?:un)?trusted (?:directory|folder|workspace)|\bdo you trust\b|\btrust (?:the files in )?this (?:folder|directory|workspace)\b|\buntrusted (?:folder|workspace)\b/i,
    mend: (about) => formatReason('sayYes', { command: formatStartCommand(about) }),
  },
  noKey: {
    kind: 'config',
    printed:
      /\bthere is no key\b|\bno (?:api[ -]?)?key (?:was )?(?:found|set|provided|configured)\b|\bno api[ -]?key\b|\bmissing (?:an? |the )?(?:required )?api[ _-]?key\b|\bapi[ _-]?key (?:is |was )?(?:missing|required|not (?:set|found|provided|configured))\b|_(?:API_)?KEY\b.{0,40}\b(?:not set|missing|required|unset)\b|\bset (?:the )?\w+_API_KEY\b/i,
    mend: (about) => sayKeyOrLogin(about, 'setKey', 'setKeyOrLogin'),
  },
  login: {
    kind: 'config',
    hangs: true,
    exits: [41],
    printed:
      /\bnot logged ?in\b|\bnot authenticated\b|\bplease (?:run )?(?:\S+ )?\/?log ?in\b|\blog ?in (?:is )?required\b|\b(?:log|sign) ?in (?:again|first)\b|\blogin method\b|\b(?:run|type|use) .{0,24}\b(?:log ?in|auth)\b|\b(?:session|login|token|credentials?) (?:included in the request )?(?:has |have |is )?expired\b|\bauth(?:entication)? method\b|\bauthentication (?:is )?required\b|\bProviderAuthError\b|\bto (?:log|sign) ?in\b|\b(?:log|sign) ?in (?:at|to|with|by)\b/i,
    mend: (about) => formatReason('logIn', { command: formatLoginCommand(about) }),
  },
  key: {
    kind: 'config',
    statuses: [401, 403],
    printed:
      /\b(?:invalid|incorrect|wrong) (?:x-)?api[ _-]?key\b|\bapi[ _-]?key (?:is )?(?:not valid|invalid)\b|\bunauthori[sz]ed\b|\bauthentication (?:failed|error)\b|\bfailed to authenticate\b|\bauthentication_error\b|\bre-?authenticate\b|\bpermission_denied\b/i,
    mend: (about) => sayKeyOrLogin(about, 'mendKey', 'mendKeyOrLogin'),
  },
  model: {
    kind: 'config',
    statuses: [404],
    printed:
      /\bunknown model\b|\bno such model\b|\binvalid model\b|\bmodel\b.{0,80}\b(?:not found|does not exist|doesn't exist|not supported|not available|may not exist)\b|model_?not_?found|\bnot_found_error\b.{0,40}\bmodel:|\bissue with the selected model\b|\bhas no model\b|\bmodel manifest\b/i,
    mend: (about) =>
      about.ways?.models === undefined
        ? formatReason('changeModelAlone', { command: showFile(about) })
        : formatReason('changeModel', { command: showFile(about), models: about.ways.models }),
  },
  limit: {
    kind: 'rate-limit',
    hangs: true,
    statuses: [429, 529],
    printed:
      /\brate[ _-]?limit|\btoo many requests\b|\boverloaded(?:_error)?\b|\bRESOURCE_EXHAUSTED\b|\busage limit\b|\blimit reached\b|\b(?:hit|reached) your .{0,30}limit\b|\bout of (?:extra )?usage\b|\bexhausted your\b|\bQuotaError\b/i,
    mend: (about) => formatReason('otherModel', { command: showFile(about) }),
  },
  server: {
    kind: 'failed',
    printed:
      /\bECONNREFUSED\b|\bENOTFOUND\b|\bEAI_AGAIN\b|\bENETUNREACH\b|\bcould(?: not|n't) connect\b|\bfailed to connect\b|\bconnection refused\b|\bcannot be reached\b|\bunable to connect\b/i,
    mend: ({ agent }) =>
      agent.runner === 'ollama'
        ? formatReason('startServer', { command: 'ollama serve' })
        : formatReason('network'),
  },
} as const satisfies Record<FailureClassName, FailureClass>;

const formatStartCommand = ({ agent, ways }: FailureSubject): string =>
  agent.command.length > 0 || ways === undefined
    ? quoteShellWord(agent.command[0] ?? agent.runner)
    : agent.runner;

/** Returns the program's own login command; any other program has to be started once by hand. */
const formatLoginCommand = (about: FailureSubject): string =>
  about.ways === undefined || about.agent.command.length > 0
    ? `${formatStartCommand(about)} (start it once by hand)`
    : about.ways.login;

function sayKeyOrLogin(
  about: FailureSubject,
  key: 'setKey' | 'mendKey',
  keyOrLogin: 'setKeyOrLogin' | 'mendKeyOrLogin',
): string {
  const names = about.agent.runner === 'model' ? listKeyVariables(about.agent) : [];
  const name = names.join(' or ') || 'that holds its API key';
  return about.agent.runner === 'model'
    ? formatReason(key, { name })
    : formatReason(keyOrLogin, { name, command: formatLoginCommand(about) });
}

/** Explains why a program was not found. */
export const explainNotFound = (program: string): string =>
  /[\\/]/.test(program) ? 'there is no such program, or it may not be executed' : 'it is not on PATH';

/** A program that cannot be started because it is missing. `why`: "it is not on PATH". */
export const createProgramFailure = (
  program: string,
  why: string,
  { agent, ways }: FailureSubject,
): KnownFailure => ({
  says: `the program ${JSON.stringify(program)} cannot be launched: ${why}`,
  mend:
    ways !== undefined && agent.command.length === 0
      ? `install it: ${ways.install}`
      : `change "command" in its file (council agents show ${agent.id})`,
});

const formatKnownFailure = ({ says, mend }: KnownFailure): string =>
  mend === '' ? says : `${says}; ${mend}`;

/** Describes the class of a failure without quoting any output, for blind phases. Null if ok. */
export function findSafeReason(result: SpeakResult): string | null {
  const { ok, failure, exitCode, signal, timedOut, cancelled, truncated, reason, output } = result;
  if (ok) return null;
  if (cancelled) return 'interrupted';
  if (result.known) return formatKnownFailure(result.known);
  if (timedOut || failure === 'timeout') return 'no answer in time';
  if (truncated) return 'too much output';
  if (result.safeReason !== undefined) return result.safeReason;
  if (failure === 'config') return 'wrong configuration';
  if (signal !== null) return `ended by ${signal}`;
  if (exitCode === null) return 'no answer';
  if (exitCode !== 0) return `exit code ${exitCode}`;
  const isEmpty =
    reason === null ? output.toString('utf8').trim() === '' : reason.startsWith('printed nothing');
  return isEmpty
    ? 'printed nothing'
    : 'what it printed cannot be read as an answer; its owner sees it with: council logs';
}

/** Describes a failure in full, for open phases: its class first, if it is a known one. */
export const findFullReason = (result: SpeakResult): string | null =>
  result.known ? `${formatKnownFailure(result.known)}${quoteProgram(result)}` : result.reason;

/** Quotes the program's own words, to append to the failure's class; empty if the class says everything. */
export function quoteProgram({ known, reason }: Pick<SpeakResult, 'known' | 'reason'>): string {
  const said = (reason ?? '').replace(/^exit code \d+(?:: )?/, '');
  // A missing program, or one that hung silently, has no words of its own.
  const isAll =
    !known || known.says.startsWith('the program ') || known.says.includes(said) || said.startsWith(NO_KEY);
  return isAll ? '' : `. It said: ${said}`;
}
