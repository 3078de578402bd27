// How tools, resources and prompts have a use case performed, and what they tell a client of its fields and results.
import type { CallToolResult, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { printableJson } from '../../core/base/terminal.ts';
import { createRefusal } from '../remote/call-access.ts';
import type { UseCaseName } from '../remote/calls.ts';
import { cutText } from '../remote/paginate-lists.ts';
import type { Done } from '../remote/perform-call.ts';
import type { Raw, Fields } from '../../core/app/input/fields.ts';
import { jsonSchema } from '../../core/app/input/json-schema.ts';
import type { Filled } from '../../core/app/input/json-schema.ts';
import { toolHint } from './tool-hint.ts';

/** A refusal's document, whose hint was written for the command line. */
function withToolHint(document: Done['document']): Done['document'] {
  const { error } = document as { error?: { hint?: string | null } };
  return error?.hint
    ? { ...(document as object), error: { ...error, hint: toolHint(error.hint) } }
    : document;
}

/**
 * A text that a model reads, or the page of it that the cursor names. It stands alone: clients that prefer structured content
 * would hand on what others wrote without its fences.
 */
export function textResult(
  text: string,
  { call, cursor, bytes }: { call: string; cursor: unknown; bytes?: number },
): CallToolResult {
  const pages = textPages(text, bytes);
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

/** The document as structured content, and as text for clients that know none; a refusal is a result too. */
export function toToolResult({ document: told, failed }: Done): CallToolResult {
  const document = failed ? withToolHint(told) : told;
  return {
    content: [{ type: 'text', text: printableJson(document) }],
    structuredContent: document,
    ...(failed && { isError: true }),
  };
}

// Gives a long text in pages that a model can take, with their fences whole.

/** Bytes of a page: below 20,000 tokens in any script. */
const TEXT_PAGE_BYTES = 40_000;

/** The pages of a text. One begins where a paragraph does, and what a fence holds is fenced on each of them. */
export function textPages(text: string, bytes = TEXT_PAGE_BYTES): string[] {
  const pages: string[] = [];
  let fence: string | undefined;
  for (let at = 0; at < text.length || pages.length === 0;) {
    const most = cutText(text, at, bytes);
    const isLast = at + most.length >= text.length;
    const end = isLast ? most.length : endOfParagraph(most);
    const part = most.slice(0, end);
    const begun: string = fence === undefined ? part : `BEGIN ${fence}\n${part}`;
    fence = openFence(begun);
    pages.push(fence === undefined || isLast ? begun : `${begun}\nEND ${fence}`);
    at += end;
  }
  return pages;
}

/** Behind the last paragraph of a part, else its last line, else its last character. */
function endOfParagraph(part: string): number {
  for (const sign of ['\n\n', '\n']) {
    const at = part.lastIndexOf(sign);
    if (at > part.length / 2) return at + sign.length;
  }
  return part.length;
}

/** The fence that is not closed at the end of a part. */
function openFence(part: string): string | undefined {
  let open: string | undefined;
  for (const [, sign, name] of part.matchAll(/^(BEGIN|END) (council-text-\w+)$/gm))
    if (sign === 'BEGIN') open ??= name;
    else if (name === open) open = undefined;
  return open;
}

/** Performs a call as one caller. */
export type Perform = (name: UseCaseName, input: Raw, ends: Ends) => Promise<Done>;

/** How a call ends before its result: the client cancels it, or goes away (over HTTP that closes its request). */
export interface Ends {
  mcpReq: Pick<ServerContext['mcpReq'], 'signal' | '_meta' | 'notify'>;
  http?: { req?: Request };
}

/** Reports progress to a client that has given a token for that; undefined for any other. */
export function createReport({ mcpReq }: Ends): ((progress: number, message: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) => {
    const params = { progressToken, progress, message };
    // A client that is gone has no use for it.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/**
 * Fields as a schema in the form that the SDK knows. Nothing is refused there: the use case checks what it is given, and
 * its refusal is a result like any other.
 */
export function toMcpSchema(fields: Fields, filled: Filled = {}): StandardSchemaWithJSON<Raw> {
  // The dialect is the protocol's own: naming it costs each tool context.
  const asJson = () => {
    const { $schema: _, ...schema } = jsonSchema(fields, filled);
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
