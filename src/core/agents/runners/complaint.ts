// Recognizes error messages printed in place of an answer, even with exit code 0.
import { stripVTControlCharacters } from 'node:util';
import { makeOnFirstUse } from '../../base/memoize.ts';
import { parseJsonOrUndefined, toUnknownRecord } from '../../base/text.ts';
import { CLASSES } from './failure-classes.ts';
import type { FailureClass } from './failure-classes.ts';

/** Maximum length of a complaint that is recognized by its words, in characters; longer texts are answers. */
const LONGEST_COMPLAINT = 1024;

/** A text that fills in the form is an answer, and may talk about logins and limits. */
const FORM_LINE =
  /^[ \t>*_`#"{-]*(?:position|vote|approve|agreed|confidence|blocking|confiance|approuve)[ \t*_`"]*:/im;

/** A complaint ends with its own words or with punctuation. If the sentence goes on, the text is an answer. */
const ALONE = String.raw`[ \t]*(?:[.:;,(|·\]]|- |$)`;
/** Returns the HTTP error phrases. A top-level import of `node:http` would slow down every command by 25 ms. */
const listPhrases = (): string =>
  Object.entries(process.getBuiltinModule('node:http').STATUS_CODES)
    .flatMap(([code, phrase]) => (Number(code) >= 400 ? (phrase ?? []) : []))
    .join('|');
const PARTIES =
  'api|http|provider|server|internal server|connection|network|stream|request|execution|authentication|rate limit|quota';
/** Matches a single line that a provider, proxy or shell prints in place of an answer. */
const complaint = makeOnFirstUse(() => {
  const phrases = listPhrases();
  const status = String.raw`[45]\d\d(?: (?:${phrases}))?(?:${ALONE}|[ \t]*[{"])`;
  const lines = [
    String.raw`(?:\[?(?:${PARTIES}) )?error(?: code)?:?[ \t]*(?:${status}|1\d{3}$)`,
    String.raw`\[?(?:${PARTIES}) error${ALONE}`,
    String.raw`(?:http|(?:unexpected )?status(?: code)?):? ${status}`,
    String.raw`(?:http\/[\d.]+ )?[45]\d\d (?:${phrases}|(?:page )?not found|authorization required)${ALONE}`,
    String.raw`(?:unauthorized|forbidden|internal server error|not found|undefined|\[object object\]|killed|aborted|segmentation fault|bus error)(?: \(core dumped\))?$`,
    String.raw`(?:invalid|incorrect|missing|no) (?:x-)?(?:api[ _-]?key|authentication token)(?: (?:provided|found|set))?${ALONE}`,
    String.raw`unauthorized\. (?:access|bearer) token\b`,
    String.raw`(?:you are )?not (?:logged in|authenticated|authorized)${ALONE}`,
    String.raw`please (?:run \S+|log ?in|sign in)(?: (?:first|again|to continue|with \S+ log ?in))?${ALONE}`,
    String.raw`(?:your |the )?(?:oauth |security )?(?:token|session|login|credentials?)(?: included in the request)? (?:has |have |is )?(?:expired|been revoked)${ALONE}`,
    String.raw`(?:your )?credit balance is too low\b`,
    String.raw`(?:(?:claude|ai|codex|gemini|usage|rate|hourly|daily|weekly|monthly|5-hour|session|opus|sonnet|token|api|message|request|context) ){0,4}limit (?:reached|exceeded)(?: for \S+)?${ALONE}`,
    String.raw`you(?:['’]ve| have) (?:hit|reached|exceeded|used up|exhausted) your\b.{0,40}\b(?:limit|quota|capacity)\b`,
    String.raw`you exceeded your current quota\b`,
    String.raw`(?:too many requests|rate limited|overloaded|bad gateway|gateway time-?out|(?:service|model) (?:is )?(?:currently |temporarily )?(?:unavailable|overloaded)|quota exceeded|resource(?:_| has been )exhausted|something went wrong|no healthy upstream|stream timeout|no route matched with those values)${ALONE}`,
    String.raw`upstream (?:connect error|request timeout)\b|error response from daemon\b`,
    String.raw`(?:the )?(?:prompt|input|context|request)(?: length| window)? (?:is )?(?:too (?:long|large)|exceeded)${ALONE}`,
    String.raw`this model's maximum context length is \d`,
    String.raw`(?:unknown|invalid|no such) model:? ["'\x60\w]\S*${ALONE}`,
    String.raw`(?:the |\w+: )?model:? ["'\x60][^"'\x60]+["'\x60] (?:was |is )?(?:not found|does not exist)\b`,
    String.raw`(?:fetch failed|failed to load model|request timed out|socket hang up|(?:stream|connection) (?:disconnected|closed|reset|refused)(?: before completion)?|ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|terminated)${ALONE}`,
    String.raw`.{0,60}\bapi error: [45]\d\d\b`,
    String.raw`(?:your |this )organi[sz]ation has been disabled${ALONE}`,
    String.raw`(?:there was an error connecting|(?:unable|failed) to connect) to (?:the )?(?:api|server)${ALONE}`,
    String.raw`the server had an error while processing your request${ALONE}`,
    String.raw`(?:error: )?reached max turns \(\d+\)${ALONE}`,
    String.raw`no response requested${ALONE}`,
    // Printed by a shell, or a program that repeats a system error.
    String.raw`\w*sh: (?:\d+: )?command not found: \S+$`,
    String.raw`[\w./-]+: (?:\S.*: )?(?:command not found|no such file or directory|permission denied|connection refused)$`,
    String.raw`\S*sh: (?:line )?\d+: .*: not found$`,
  ];
  return new RegExp(`^[^\\p{L}\\p{N}[{/]*(?:${lines.join('|')})`, 'iu');
});

/** Matches the start of a crash report, a tool's error, or a server response with headers. */
const CRASH =
  /^(?:Traceback \(most recent call last\):\n|node:internal\/\S+\n|panic: .*\n(?:\[signal.*\n)?\ngoroutine |thread '.*' (?:\(\d+\) )?panicked at |Exception in thread "|npm (?:ERR!|error) |usage: [^]*\n\S+: error: |HTTP\/[\d.]+ [45]\d\d.*\n[\w-]+: |<\?xml[^>]*>\s*<(?:\w+:)?(?:Error|Fault))/;
/** The error line of a crashed program; the stack frames follow below it. */
const ERROR_LINE = /^(?:(?:[\w.]*(?:Error|Exception)|error|fatal)(?: \[\w+\])?: |\w+: \(\d+\) )/i;
const FRAME = /^\s+(?:at |File "|from )/;

const PAGE = /^<(?:!doctype html|html)\b[^]*?<(?:title|h1)[^>]*>([^<]*)/i;
/** Titles of HTML pages in place of an answer, besides complaints. */
const PAGE_TITLE =
  /^(?:error\b|[45]\d\d\b|just a moment|attention required|access denied|(?:sign|log) ?in\b)/i;

const classes: FailureClass[] = Object.values(CLASSES);

/** Returns what a program said about its failure: all of its text if that is short and no answer, else ''. */
export const dropAnswer = (text: string): string =>
  text.length > LONGEST_COMPLAINT || FORM_LINE.test(text) ? '' : text;

/** Whether a whole text is an error and no answer: a provider's known line, an error as JSON, a page, a crash. */
export function isComplaint(printed: string): boolean {
  const text = stripVTControlCharacters(printed).replaceAll('\r\n', '\n').trim();
  if (FORM_LINE.test(text)) return false;
  const json = /^[[{]/.test(text) ? parseJsonOrUndefined(text) : undefined;
  if (json !== undefined) return [json].flat().some(isErrorReport);
  const titles = PAGE.exec(text)?.[1]
    ?.split('|')
    .map((part) => part.trim());
  if (titles) return titles.some((title) => PAGE_TITLE.test(title) || isComplaint(title));
  if (CRASH.test(text)) return true;
  if (text.length > LONGEST_COMPLAINT) return false;
  const [line = '', ...below] = text.split('\n');
  const isAlone = below.every((row) => /^(?:\s|$)/.test(row));
  if (ERROR_LINE.test(line) && (below.length === 0 ? isPrinted(line) : FRAME.test(below[0] ?? '')))
    return true;
  return complaint().test(line) && (isAlone || parseJsonOrUndefined(below.join('\n')) !== undefined);
}

const isPrinted = (line: string): boolean => classes.some(({ printed }) => printed?.test(line));

const ENVELOPE =
  /^_*(?:errors?|error_?(?:type|code|description)|fault|type|object|request_?id|status_?(?:code|text)?|code|params?|messages?|details?|data|result|success|ok|title|instance|path|timestamp|user_id|estimated_time|metadata|documentation_url|hint)$/i;

/** Recognizes a provider's error in JSON: by its name, an HTTP status, a complaint, or validation details. */
function isErrorReport(document: unknown): boolean {
  const {
    error,
    fault = error,
    errors = fault,
    status,
    statusCode = status,
    code = statusCode,
    message,
    detail = message,
  } = toUnknownRecord(document);
  // Errors in words may be findings of an answer, if there are more keys than in a provider's error.
  const isObject = typeof errors === 'object' && errors !== null && !Array.isArray(errors);
  const isNothingElse = Object.keys(toUnknownRecord(document)).every((key) => ENVELOPE.test(key));
  const isNamed = Array.isArray(errors) ? errors.length > 0 : Boolean(errors);
  if (isObject || (isNamed && isNothingElse)) return true;
  if (Number(code) >= 400 && Number(code) < 600) return true;
  return [detail]
    .flat()
    .some((one) => (typeof one === 'string' ? isComplaint(one) : 'loc' in toUnknownRecord(one)));
}
