// How tools, resources and prompts perform use cases, and how fields, results and errors are described to clients.
import type { CallToolResult, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { formatPrintableJson } from '../../core/base/terminal.ts';
import { createRefusal } from '../remote/call-access.ts';
import type { UseCaseName } from '../remote/calls.ts';
import { cutText } from '../remote/paginate-lists.ts';
import type { CallOutcome } from '../remote/perform-call.ts';
import type { Raw, Fields, Field } from '../../core/app/input/fields.ts';
import { buildJsonSchema } from '../json-schema.ts';
import type { Filled } from '../json-schema.ts';
import { toKebabCase } from '../../core/app/input/fields.ts';
import { callableUseCases, isCall, listCallFields } from '../remote/calls.ts';
import { FIELDS } from './council-tool-definitions.ts';

/** Rewrites the hint in a refusal, which was written for the command line. */
function withToolHint(document: CallOutcome['document']): CallOutcome['document'] {
  const { error } = document as { error?: { hint?: string | null } };
  return error?.hint
    ? { ...(document as object), error: { ...error, hint: rewriteHint(error.hint) } }
    : document;
}

/**
 * Returns a text for a model, or the page named by the cursor. There is no structured content: clients that prefer
 * it would pass on others' words without their fences.
 */
export function buildPagedTextResult(
  text: string,
  { call, cursor, bytes }: { call: string; cursor: unknown; bytes?: number },
): CallToolResult {
  const pages = splitTextPages(text, bytes);
  const at = Number(cursor ?? 1);
  const page = pages[at - 1];
  if (page === undefined)
    return toToolResult(
      createRefusal('usage', 'The argument cursor names no page.', `Pages 1 to ${pages.length} are there.`),
    );
  const more = at < pages.length ? ` Call ${call} again with the cursor "${at + 1}" for the next one.` : '';
  const told = pages.length === 1 ? page : `Page ${at} of ${pages.length}.${more}\n\n${page}`;
  return { content: [{ type: 'text', text: more === '' ? told : `${told}\n\n[${more.trim()}]` }] };
}

/** Returns the document as structured content, and as text for other clients; a refusal is a result, too. */
export function toToolResult({ document: told, failed }: CallOutcome): CallToolResult {
  const document = failed ? withToolHint(told) : told;
  return {
    content: [{ type: 'text', text: formatPrintableJson(document) }],
    structuredContent: document,
    ...(failed && { isError: true }),
  };
}

// Splits a long text into pages for a model, with complete fences.

/** Bytes per page: below 20,000 tokens in any script. */
const TEXT_PAGE_BYTES = 40_000;

/** Splits a text at paragraphs; a fenced text is fenced on each of its pages. */
export function splitTextPages(text: string, bytes = TEXT_PAGE_BYTES): string[] {
  const pages: string[] = [];
  let fence: string | undefined;
  for (let at = 0; at < text.length || pages.length === 0;) {
    const most = cutText(text, at, bytes);
    const isLast = at + most.length >= text.length;
    const end = isLast ? most.length : findParagraphEnd(most);
    const part = most.slice(0, end);
    const begun: string = fence === undefined ? part : `BEGIN ${fence}\n${part}`;
    fence = openFence(begun);
    pages.push(fence === undefined || isLast ? begun : `${begun}\nEND ${fence}`);
    at += end;
  }
  return pages;
}

/** Returns the end of the last paragraph of a part, or else of its last line or character. */
function findParagraphEnd(part: string): number {
  for (const sign of ['\n\n', '\n']) {
    const at = part.lastIndexOf(sign);
    if (at > part.length / 2) return at + sign.length;
  }
  return part.length;
}

function openFence(part: string): string | undefined {
  let open: string | undefined;
  for (const [, sign, name] of part.matchAll(/^(BEGIN|END) (council-text-\w+)$/gm))
    if (sign === 'BEGIN') open ??= name;
    else if (name === open) open = undefined;
  return open;
}

/** Performs a call for a caller. */
export type Perform = (name: UseCaseName, input: Raw, ends: CallSignals) => Promise<CallOutcome>;

/** How a call ends early: the client cancels it, or disconnects (over HTTP, by closing the request). */
export interface CallSignals {
  mcpReq: Pick<ServerContext['mcpReq'], 'signal' | '_meta' | 'notify'>;
  http?: { req?: Request };
}

/** Returns a function that reports progress, or undefined if the client has sent no token for it. */
export function createReport({
  mcpReq,
}: CallSignals): ((progress: number, message: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) => {
    const params = { progressToken, progress, message };
    // The client has disconnected.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/**
 * Converts fields to a schema as the SDK expects. It accepts everything: the use case validates its input, and a
 * refusal is a normal result.
 */
export function toMcpSchema(fields: Fields, filled: Filled = {}): StandardSchemaWithJSON<Raw> {
  // The dialect is the protocol's default; naming it would cost context for every tool.
  const asJson = () => {
    const { $schema: _, ...schema } = buildJsonSchema(fields, filled);
    return schema;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'council',
      validate: (value) => ({ value: value as Raw }),
      jsonSchema: { input: asJson, output: asJson },
    },
  };
}

/** A command with its words, up to the end of a clause. */
const COMMAND = /\bcouncil ([a-z]+)((?: (?:"[^"]*"|'[^']*'|[^\s"',.:;()]+(?:[.:][^\s"',.:;()]+)*))*)/g;
const SHELL_WORDS = /"[^"]*"|'[^']*'|\S+/g;
const OPTION = /(?<![\w-])--([a-z][a-z-]*)/g;
const toCamelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Rewrites a hint line by line. A command that no tool covers is kept: it is for a person with a command line. */
export const rewriteHint = (hint: string): string => hint.split('\n').map(rewriteLine).join('\n');

function rewriteLine(line: string): string {
  const said = line.replace(
    COMMAND,
    (command, name: string, rest: string) => toToolCall(name, rest.match(SHELL_WORDS) ?? []) ?? command,
  );
  if (/\bcouncil [a-z]+\b/.test(said)) return said;
  return said.replace(OPTION, (_, name: string) => `the argument ${toCamelCase(name)}`);
}

/**
 * Rewrites `send`, `human`, `"Please look"` to: the tool send {"to":"human","text":"Please look"}. Returns
 * undefined if the tool cannot do it.
 */
function toToolCall(name: string, words: readonly string[]): string | undefined {
  const fields = listToolFields(name);
  if (!fields) return undefined;
  const given: Record<string, unknown> = {};
  // The recipient of a message precedes its text.
  const open = [...(name === 'send' ? ['to'] : []), ...listPlaces(name)];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const isOption = word.startsWith('--');
    const key = isOption ? findOption(fields, word.slice(2)) : open[0];
    if (key === undefined && !isOption) break;
    const field = key === undefined ? undefined : fields[key];
    if (key === undefined || !field) return undefined;
    const value = !isOption ? word : field.kind === 'flag' || words[at + 1];
    if (value === undefined || !isAllowedValue(field, value)) return undefined;
    if (isOption && value !== true) at += 1;
    const list = field.kind === 'texts' && !isOption;
    if (!isOption && !list) open.shift();
    given[key] = list ? [...((given[key] as string[] | undefined) ?? []), unquote(word)] : unquote(value);
  }
  const rest = words.slice(at).map((word) => ` ${word}`);
  const input = Object.keys(given).length > 0 ? ` ${JSON.stringify(given)}` : '';
  return `the tool ${name}${input}${rest.join('')}`;
}

function listToolFields(name: string): Fields | undefined {
  if (isCall(name)) return listCallFields(name, 'mcp');
  return name === 'ask' ? FIELDS.ask : undefined;
}

/** Lists the positional fields of a command in order, including those that the tool lacks. */
const listPlaces = (name: string): string[] =>
  isCall(name)
    ? Object.entries<Field>(callableUseCases[name].fields).flatMap(([key, { argument }]) =>
        argument ? key : [],
      )
    : ['question'];

const findOption = (fields: Fields, option: string): string | undefined =>
  Object.keys(fields).find((key) => (fields[key]?.option ?? toKebabCase(key)) === option);

/** Returns whether a field accepts a value; one such as `debate|end` stands for several. */
const isAllowedValue = (field: Field, value: string | true): boolean =>
  value === true || field.kind !== 'choice' || value.split('|').every((one) => field.choices.includes(one));

const unquote = (value: string | true): string | true =>
  value === true ? value : value.replace(/^(["'])(.*)\1$/, '$2');
