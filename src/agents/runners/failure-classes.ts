// The table of known failures of launched agents: how each is recognised, what it is called, and what mends it.
import { shellWord } from '../../base/shell.ts';
import type { Agent } from '../agent.ts';
import { keyNames } from '../providers.ts';
import type { FailureClassName, FailureKind } from './speak.ts';

/** What is known of a program that mends a failure of it; council knows it of those it has a preset for. */
export interface Ways {
  /** The command that installs it. */
  install: string;
  /** The command that logs in. */
  login: string;
  /** The command that lists its models. */
  models?: string;
}

/** Where somebody looks for what mends a failure. */
export interface About {
  agent: Pick<Agent, 'id' | 'runner' | 'command' | 'model' | 'apiKey'>;
  ways: Ways | undefined;
}

export interface FailureClass {
  says: string;
  /** A program may wait for it until its time is up. */
  hangs?: true;
  /** Whether another attempt can help. */
  kind: FailureKind;
  /** HTTP statuses of a provider that mean it. */
  statuses?: readonly number[];
  /** Exit codes that programs have for it and for nothing else. */
  exits?: readonly number[];
  /** What programs and providers print, in the order of the classes below: the first that is found counts. */
  printed?: RegExp;
  /** What mends it, as one sentence; empty where nothing does. */
  mend(about: About): string;
}

const logsOf = ({ agent }: About): string => `council logs ${agent.id} shows it`;

export const CLASSES = {
  unknown: { says: 'printed something that council does not know', kind: 'config', mend: logsOf },
  differ: { says: 'printed two reports of its turn that differ', kind: 'failed', mend: logsOf },
  unended: { says: 'its turn did not end', kind: 'failed', mend: logsOf },
  cut: {
    says: 'its answer was cut off at its limit of length',
    kind: 'limit',
    printed: /\bexceeded the .{0,20}output token maximum\b|\bMAX_TOKENS\b|\bmax_output_tokens\b/i,
    mend: ({ agent }) =>
      `give it a higher limit, or ask for less; council logs ${agent.id} shows what it said`,
  },
  context: {
    says: 'the prompt is too long for its model',
    kind: 'limit',
    statuses: [413],
    printed:
      /\bprompt is too long\b|\b(?:context|prompt|input)\b.{0,60}\b(?:too long|too large|exceed\w*|ran out of room)\b|\b(?:ran out of room|exceed\w*|longer than)\b.{0,60}\b(?:context|input token)|\bcontext_length_exceeded\b|\bmaximum context length\b/i,
    mend: ({ agent }) => `shorten the brief, or name a model with a larger context in ${fileOf(agent)}`,
  },
  turns: {
    says: 'it used up its steps before it answered',
    kind: 'limit',
    printed: /\berror_max_turns\b|\b(?:reached|maximum|max) .{0,24}\b(?:turns|steps)\b/i,
    mend: ({ agent }) =>
      `allow it more steps (council.args), or ask for less; council logs ${agent.id} shows what it did`,
  },
  refusal: {
    says: 'refused by the model',
    kind: 'refusal',
    printed: /\bblocked due to .{0,20}safety\b|\bsafety settings\b|\bPROHIBITED_CONTENT\b|\bcontent_filter\b/,
    mend: () => '',
  },
  trust: {
    says: 'asks whether it may trust this folder',
    kind: 'config',
    hangs: true,
    exits: [55],
    printed:
      /\b(?:in|inside|from) (?:a|an) (?:un)?trusted (?:directory|folder|workspace)|\bdo you trust\b|\btrust (?:the files in )?this (?:folder|directory|workspace)\b|\buntrusted (?:folder|workspace)\b/i,
    mend: (about) => `start it here once by hand and say yes: ${startOf(about)}`,
  },
  credit: {
    says: 'its account has no credit left',
    kind: 'config',
    statuses: [402],
    printed:
      /\binsufficient_quota\b|\bexceeded your current quota\b|\bcredit balance is too low\b|\binsufficient (?:credits?|balance|funds)\b/i,
    mend: ({ agent }) => `fill up the account, or name another model in ${fileOf(agent)}`,
  },
  noKey: {
    says: 'there is no API key',
    kind: 'config',
    printed:
      /\bthere is no key\b|\bno (?:api[ -]?)?key (?:was )?(?:found|set|provided|configured)\b|\bno api[ -]?key\b|\bmissing (?:an? |the )?(?:required )?api[ _-]?key\b|\bapi[ _-]?key (?:is |was )?(?:missing|required|not (?:set|found|provided|configured))\b|_(?:API_)?KEY\b.{0,40}\b(?:not set|missing|required|unset)\b|\bset (?:the )?\w+_API_KEY\b/i,
    mend: (about) => `set ${keyOf(about)}${loginOr(about)}`,
  },
  login: {
    says: 'not logged in',
    kind: 'config',
    hangs: true,
    exits: [41],
    printed:
      /\bnot logged ?in\b|\bnot authenticated\b|\bplease (?:run )?(?:\S+ )?\/?log ?in\b|\blog ?in (?:is )?required\b|\blog ?in (?:again|first)\b|\b(?:run|type|use) .{0,24}\b(?:log ?in|auth)\b|\b(?:session|login|token|credentials?) (?:has |have |is )?expired\b|\bauth(?:entication)? method\b|\bauthentication (?:is )?required\b|\bProviderAuthError\b|\bto (?:log|sign) ?in\b|\b(?:log|sign) ?in (?:at|to|with|by)\b/i,
    mend: (about) => `log in with: ${loginOf(about)}`,
  },
  key: {
    says: 'its key or login is not accepted',
    kind: 'config',
    statuses: [401, 403],
    printed:
      /\b(?:invalid|incorrect|wrong) (?:x-)?api[ _-]?key\b|\bapi[ _-]?key (?:is )?(?:not valid|invalid)\b|\bunauthori[sz]ed\b|\bauthentication (?:failed|error)\b|\bfailed to authenticate\b|\bauthentication_error\b|\bre-?authenticate\b|\bpermission_denied\b/i,
    mend: (about) => `mend ${keyOf(about)}${loginOr(about)}`,
  },
  model: {
    says: 'its model is unknown',
    kind: 'config',
    statuses: [404],
    printed:
      /\bunknown model\b|\bno such model\b|\binvalid model\b|\bmodel\b.{0,80}\b(?:not found|does not exist|doesn't exist|not supported|not available|may not exist)\b|\bmodel_?not_?found|\bissue with the selected model\b|\bhas no model\b|\bmodel manifest\b/i,
    mend: ({ agent, ways }) =>
      `change "model" in ${fileOf(agent)}${ways?.models === undefined ? '' : `; those there are: ${ways.models}`}`,
  },
  limit: {
    says: 'rate limit',
    kind: 'rate-limit',
    hangs: true,
    statuses: [429, 529],
    printed:
      /\brate[ _-]?limit|\btoo many requests\b|\boverloaded(?:_error)?\b|\bRESOURCE_EXHAUSTED\b|\busage limit\b|\blimit reached\b|\bhit your .{0,20}limit\b|\bQuotaError\b/i,
    mend: ({ agent }) => `if it lasts, name another model in ${fileOf(agent)}`,
  },
  server: {
    says: "cannot reach its model's server",
    kind: 'failed',
    printed:
      /\bECONNREFUSED\b|\bENOTFOUND\b|\bEAI_AGAIN\b|\bENETUNREACH\b|\bcould not connect\b|\bconnection refused\b|\bcannot be reached\b|\bunable to connect\b/i,
    mend: ({ agent }) =>
      agent.runner === 'ollama'
        ? 'start the server: ollama serve'
        : 'look at the network, its settings and the proxy variables',
  },
} as const satisfies Record<FailureClassName, FailureClass>;

/** Behind the words of a complaint stands a sign, or nothing: a sentence that goes on is somebody's own. */
const ALONE = String.raw`[ \t]*(?:[.:;,(|·\]]|- |$)`;
/** What a provider or its program prints in place of an answer, as the only line. */
const COMPLAINTS = [
  String.raw`(?:\[?(?:api|http|provider|server|internal server|connection|network|stream|request|execution|authentication|rate limit|quota) )?error(?: code)?:?[ \t]*[45]\d\d\b`,
  String.raw`\[?(?:api|http|provider|server|internal server|connection|network|stream|request|execution|authentication) error${ALONE}`,
  String.raw`(?:http|(?:unexpected )?status(?: code)?):? [45]\d\d\b`,
  String.raw`(?:invalid|incorrect|missing|no) (?:x-)?api[ _-]?key(?: (?:provided|found|set))?${ALONE}`,
  String.raw`(?:you are )?not (?:logged in|authenticated|authorized)${ALONE}`,
  String.raw`please (?:run \S+|log ?in|sign in)(?: (?:first|again|to continue))?${ALONE}`,
  String.raw`(?:your )?(?:oauth )?(?:token|session|login|credentials?) (?:has |have |is )?(?:expired|been revoked)${ALONE}`,
  String.raw`(?:your )?credit balance is too low\b`,
  String.raw`(?:(?:claude|ai|codex|gemini|usage|rate|hourly|daily|weekly|monthly|5-hour|session|opus|sonnet|token|api|message|request|context) ){0,4}limit (?:reached|exceeded)${ALONE}`,
  String.raw`you(?:['’]ve| have) (?:hit|reached|exceeded|used up|exhausted) your\b.{0,40}\b(?:limit|quota|capacity)\b`,
  String.raw`you exceeded your current quota\b`,
  String.raw`(?:too many requests|rate limited|overloaded|bad gateway|gateway time-?out|(?:service|model) (?:is )?(?:currently |temporarily )?(?:unavailable|overloaded)|quota exceeded|resource(?:_| has been )exhausted)${ALONE}`,
  String.raw`(?:the )?(?:prompt|input|context|request)(?: length| window)? (?:is )?(?:too (?:long|large)|exceeded)${ALONE}`,
  String.raw`this model's maximum context length is \d`,
  String.raw`(?:unknown|invalid|no such) model:? ["'\x60\w]\S*${ALONE}`,
  String.raw`(?:the )?model:? ["'\x60][^"'\x60]+["'\x60] (?:was |is )?(?:not found|does not exist)\b`,
  String.raw`(?:fetch failed|request timed out|socket hang up|(?:stream|connection) (?:disconnected|closed|reset|refused)(?: before completion)?|ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|terminated)${ALONE}`,
];
export const COMPLAINT = new RegExp(`^[^\\p{L}\\p{N}[{]*(?:${COMPLAINTS.join('|')})`, 'iu');
/** Its path is of this machine only. */
export const fileOf = ({ id }: About['agent']): string => `its file (council agents show ${id})`;

const startOf = ({ agent, ways }: About): string =>
  agent.command.length > 0 || ways === undefined ? shellWord(agent.command[0] ?? agent.runner) : agent.runner;

/** The login of its own program; anything else is started once by hand. */
const loginOf = (about: About): string =>
  about.ways === undefined || about.agent.command.length > 0
    ? `${startOf(about)} (start it once by hand)`
    : about.ways.login;

const loginOr = (about: About): string =>
  about.agent.runner === 'model' ? '' : `, or log in with: ${loginOf(about)}`;

function keyOf({ agent }: About): string {
  const names = agent.runner === 'model' ? keyNames(agent) : [];
  return names.length === 0 ? 'the variable that holds its API key' : `the variable ${names.join(' or ')}`;
}
