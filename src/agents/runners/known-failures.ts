// Tells the class of a failed launch, from the table of known failures.
import { oneLine } from '../../base/text.ts';
import { CLASSES, fileOf } from './failure-classes.ts';
import type { About, FailureClass } from './failure-classes.ts';
import type { FailureClassName, FailureKind, KnownFailure } from './speak.ts';

export type { About, Ways } from './failure-classes.ts';

const classes: readonly FailureClass[] = Object.values(CLASSES);

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
const COMPLAINT = new RegExp(`^[^\\p{L}\\p{N}[{]*(?:${COMPLAINTS.join('|')})`, 'iu');
/** More than this is an answer. */
const LONGEST_COMPLAINT = 1024;

/** Whether all of a text is one known line of a provider, or its report of an error as JSON: no answer, whatever the exit code. */
export function isComplaint(text: string): boolean {
  const said = text.trim();
  if (said.length > LONGEST_COMPLAINT) return false;
  if (said.startsWith('{'))
    return /^\{\s*(?:"type"\s*:\s*"error"\s*,\s*)?"error"\s*:\s*["{]/.test(said) && said.endsWith('}');
  return !said.includes('\n') && COMPLAINT.test(said);
}

/** What tells one failure from another. */
export interface Clues {
  kind: FailureKind;
  /** The class that the program's own report tells. */
  class?: FailureClassName;
  /** What was said about it, the most telling first. */
  printed: readonly string[];
  /** The HTTP status that the provider answered, where it is known. */
  status: number | null;
  exitCode: number | null;
  /** How council ended it: "no answer within 5m"; null when it ended by itself. */
  ending: string | null;
}

/** The class of a failure, where it is a known one, with its kind. Which words tell it does not get out. */
export function knownFailure(
  clues: Clues,
  about: About,
): { known: KnownFailure; kind: FailureKind } | undefined {
  if (clues.kind === 'cancelled') return undefined;
  const found = classOf(clues);
  if (!found) return undefined;
  const status = clues.status ?? statusIn(clues.printed);
  const code = [
    status !== null && `HTTP ${status}`,
    status === null && clues.exitCode !== null && clues.exitCode !== 0 && `exit code ${clues.exitCode}`,
    clues.ending,
  ].filter((one) => typeof one === 'string');
  const says = code.length === 0 ? found.says : `${found.says} (${code.join(', ')})`;
  return { known: { says, mend: oneLine(found.mend(about), 200) }, kind: found.kind };
}

function classOf({ kind, class: own, printed, status, exitCode, ending }: Clues): FailureClass | undefined {
  if (own !== undefined) return CLASSES[own];
  // Its own class was told by whoever knows the program.
  if (kind === 'rate-limit') return CLASSES.limit;
  if (kind === 'refusal') return CLASSES.refusal;
  const possible = ending === null ? classes : classes.filter(({ hangs }) => hangs);
  for (const text of printed) {
    const told = possible.find((one) => one.printed?.test(text));
    if (told) return told;
  }
  if (ending !== null) return undefined;
  const known = status ?? statusIn(printed);
  return classes.find(
    ({ statuses = [], exits = [] }) =>
      (known !== null && statuses.includes(known)) || (exitCode !== null && exits.includes(exitCode)),
  );
}

/** The HTTP status that an error speaks of: "status 401", "HTTP 429", "API Error: 401", "answered 404". */
function statusIn(printed: readonly string[]): number | null {
  const phrase =
    /\b(?:status(?: code)?|HTTP(?:\/[\d.]+)?|error(?: code)?|answered|rejected)[\s:=(]{1,3}([45]\d\d)\b/i;
  const found = printed.map((text) => phrase.exec(text)?.[1]).find((one) => one !== undefined);
  return found === undefined ? null : Number(found);
}

/** Why a program is not found. */
export const notFound = (program: string): string =>
  /[\\/]/.test(program) ? 'there is no such program, or it may not be executed' : 'it is not on PATH';

/** A program that cannot be started: not there, or not where a command says. `why`: "it is not on PATH". */
export const noProgram = (program: string, why: string, { agent, ways }: About): KnownFailure => ({
  says: `the program ${JSON.stringify(program)} cannot be launched: ${why}`,
  mend:
    ways !== undefined && agent.command.length === 0
      ? `install it: ${ways.install}`
      : `change "command" in ${fileOf(agent)}`,
});

/** A known failure in one line. */
export const inOneLine = ({ says, mend }: KnownFailure): string => (mend === '' ? says : `${says}; ${mend}`);
