// A model's tool loop: runs its tool calls, requests approvals if needed, and keeps a journal from which another
// launch resumes.
import type * as Ai from 'ai';
import type { ModelMessage, ToolApprovalStatus, ToolSet } from 'ai';
import { formatDuration } from '../../base/duration.ts';
import type { LoopResult, ToolLoop, Tool, Journal } from '../tools/tool.ts';
import { formatToolError } from '../tools/tool.ts';
import { toUnknownRecord, tryParseJson } from '../../base/text.ts';

/** Milliseconds for one call, and maximum characters of its result shown to a model. */
const CALL_MS = 60_000;
const MAX_RESULT = 32_000;
const INTERRUPTED = 'This call was interrupted: it may or may not have taken effect. It was not repeated.';

/** A loop that is ready to start, or a conversation that still waits for approvals. */
export interface OpenLoop {
  /** Options for streamText, apart from the model. Undefined while an approval is pending. */
  options: LoopOptions | undefined;
  result: LoopResult;
}

type LoopOptions = Pick<
  Parameters<typeof Ai.streamText<ToolSet>>[0],
  'tools' | 'toolApproval' | 'stopWhen' | 'prepareStep' | 'onStepEnd'
> & { messages: ModelMessage[] };

/** Opens the loop: adds `input` unless it was added before, and the answers to requested approvals. */
export async function openLoop(loop: ToolLoop, input: string, ai: typeof Ai): Promise<OpenLoop> {
  const result: LoopResult = { calls: [], waitsFor: [], limited: false };
  const talk = await openConversation(loop.journal);
  if (!isUnfinished(talk, input)) await talk.say([{ role: 'user', content: input }]);
  await answerWaiting(loop, talk, result);
  if (result.waitsFor.length > 0) return { options: undefined, result };
  return { options: buildLoopOptions(loop, talk, result, ai), result };
}

/**
 * A conversation that waits for approvals goes on, and so does one with the same question, unless it was
 * answered: then it is asked again.
 */
const isUnfinished = ({ messages }: Conversation, input: string): boolean =>
  messages.at(-1)?.role !== 'assistant'
    ? messages.findLast(({ role }) => role === 'user')?.content === input
    : listPendingToolCalls(messages).length > 0;

function buildLoopOptions(
  loop: ToolLoop,
  talk: Conversation,
  result: LoopResult,
  ai: typeof Ai,
): LoopOptions {
  const left = Math.max(0, loop.maxIterations - talk.iterations);
  let saved = 0;
  return {
    messages: [...talk.messages],
    tools: Object.fromEntries(
      loop.tools.map((tool) => [
        tool.name,
        asTool(tool, { talk, result, limit: loop.callTimeout ?? CALL_MS }, ai),
      ]),
    ),
    toolApproval: ({ toolCall }) => decideToolApproval(loop, toolCall, talk, result),
    // The additional step is for the answer after the maximum number of calls.
    stopWhen: ai.isStepCount(left + 1),
    prepareStep: ({ stepNumber, messages }) => {
      if (stepNumber < left) return undefined;
      result.limited = true;
      return { toolChoice: 'none', messages: [...messages, { role: 'user', content: loop.limitReached }] };
    },
    onStepEnd: async ({ response, toolCalls }) => {
      // They accumulate from step to step.
      const added = response.messages.slice(saved);
      saved = response.messages.length;
      await talk.say(added, toolCalls.length > 0);
    },
  };
}

interface LoopTurn {
  talk: Conversation;
  result: LoopResult;
  /** Milliseconds per call. */
  limit: number;
}

function asTool(tool: Tool, turn: LoopTurn, ai: typeof Ai): ToolSet[string] {
  return ai.tool({
    description: tool.description,
    inputSchema: ai.jsonSchema<unknown>(tool.input.json, {
      validate: (value) => {
        const read = tool.input.read(value);
        return read.ok
          ? { success: true, value: read.value }
          : { success: false, error: new Error(read.problem) };
      },
    }),
    execute: (input, { toolCallId, abortSignal }) =>
      callToolOnce(tool, input, toolCallId, { ...turn, abortSignal }),
  });
}

/** Calls a tool. A call that needed approval is recorded before and after, so that it is never repeated. */
async function callToolOnce(
  tool: Tool,
  input: unknown,
  id: string,
  { talk, result, limit, abortSignal }: LoopTurn & { abortSignal: AbortSignal | undefined },
): Promise<unknown> {
  const kept = talk.calls.get(id);
  if (kept && 'output' in kept) return kept.output;
  if (kept) throw new Error(INTERRUPTED);
  const started = performance.now();
  const note = (ok: boolean): void => {
    const durationMs = Math.round(performance.now() - started);
    result.calls.push({ tool: tool.name, kind: tool.kind, ok, durationMs });
  };
  const hadLeave = hasApprovalRequest(talk.messages, id);
  if (hadLeave) await talk.start(id);
  try {
    const output = cutToolResult(await callWithTimeout(tool, input, tool.limit ?? limit, abortSignal));
    if (hadLeave) await talk.end(id, output);
    note(true);
    return output;
  } catch (error) {
    note(false);
    throw new Error(formatToolError(error), { cause: error });
  }
}

const hasApprovalRequest = (messages: readonly ModelMessage[], id: string): boolean =>
  messages.some(
    ({ content }) =>
      typeof content !== 'string' &&
      content.some((part) => part.type === 'tool-approval-request' && part.toolCallId === id),
  );

/** Runs a tool with a timeout: one that hangs costs one call, not the turn. */
async function callWithTimeout(
  tool: Tool,
  input: unknown,
  limit: number,
  abort: AbortSignal | undefined,
): Promise<unknown> {
  const late = AbortSignal.timeout(limit);
  const signal = abort ? AbortSignal.any([abort, late]) : late;
  const ended = Promise.withResolvers<never>();
  const onAbort = (): void =>
    ended.reject(new Error(late.aborted ? `no answer within ${formatDuration(limit)}` : 'cancelled'));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([tool.call(input, signal), ended.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns a result as shown to the model: a long one is cut, with a note. */
function cutToolResult(output: unknown): unknown {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null');
  if (text.length <= MAX_RESULT) return typeof output === 'string' ? output : JSON.parse(text);
  return `${text.slice(0, MAX_RESULT).toWellFormed()}\n[cut: ${text.length} characters, ${MAX_RESULT} of them shown]`;
}

interface CalledToolRef {
  toolCallId: string;
  toolName: string;
  input: unknown;
}

async function decideToolApproval(
  loop: ToolLoop,
  { toolCallId, toolName, input }: CalledToolRef,
  talk: Conversation,
  result: LoopResult,
): Promise<ToolApprovalStatus> {
  const tool = loop.tools.find(({ name }) => name === toolName);
  // Do not ask again about a call that was answered in an earlier launch.
  if (!tool || !loop.permit || hasApprovalRequest(talk.messages, toolCallId)) return undefined;
  const said = await loop.permit({ id: toolCallId, tool, input });
  if ('allowed' in said) return undefined;
  if ('denied' in said) return { type: 'denied', reason: said.denied };
  result.waitsFor.push(said.waits);
  return 'user-approval';
}

/** Asks again for the approvals that ended an earlier launch; once all are answered, adds the answers. */
async function answerWaiting(loop: ToolLoop, talk: Conversation, result: LoopResult): Promise<void> {
  const answers: Ai.ToolApprovalResponse[] = [];
  for (const { approvalId, callId, tool: name, input } of listPendingToolCalls(talk.messages)) {
    const tool = loop.tools.find((one) => one.name === name);
    const said = tool
      ? ((await loop.permit?.({ id: callId, tool, input })) ?? { allowed: true })
      : { denied: `there is no tool ${name} any more` };
    if ('waits' in said) result.waitsFor.push(said.waits);
    else
      answers.push({
        type: 'tool-approval-response',
        approvalId,
        ...('denied' in said ? { approved: false, reason: said.denied } : { approved: true }),
      });
  }
  if (result.waitsFor.length === 0 && answers.length > 0)
    await talk.say([{ role: 'tool', content: answers }]);
}

/** One entry: messages of the user or of a model's turn, or the start or end of a call that needed permission. */
type LoopEntry =
  | { type: 'messages'; messages: ModelMessage[]; called: boolean }
  | { type: 'started'; call: string }
  | { type: 'ended'; call: string; output: unknown };

/** The progress of a conversation. */
export interface Conversation {
  messages: ModelMessage[];
  /** Number of the model's answers that were calls. */
  iterations: number;
  /** Calls that needed permission and were started; those with an output have ended. */
  calls: Map<string, { output?: unknown }>;
  /** Adds messages; durable when it resolves. `called` counts them as a turn of calls. */
  say(messages: ModelMessage[], called?: boolean): Promise<void>;
  start(call: string): Promise<void>;
  end(call: string, output: unknown): Promise<void>;
}

/** Restores a conversation from its journal, or starts a new one. An entry truncated by a crash is ignored. */
export async function openConversation(journal: Journal | undefined): Promise<Conversation> {
  const conversation: Conversation = {
    messages: [],
    iterations: 0,
    calls: new Map(),
    say: (messages, called = false) => add({ type: 'messages', messages, called }),
    start: (call) => add({ type: 'started', call }),
    end: (call, output) => add({ type: 'ended', call, output }),
  };
  async function add(entry: LoopEntry): Promise<void> {
    applyEntry(conversation, entry);
    await journal?.append(JSON.stringify(entry));
  }
  for (const text of (await journal?.read()) ?? []) {
    const entry = parseLoopEntry(text);
    if (entry) applyEntry(conversation, entry);
  }
  return conversation;
}

function applyEntry(conversation: Conversation, entry: LoopEntry): void {
  switch (entry.type) {
    case 'messages':
      conversation.messages.push(...entry.messages);
      if (entry.called) conversation.iterations++;
      return;
    case 'started':
      conversation.calls.set(entry.call, {});
      return;
    case 'ended':
      conversation.calls.set(entry.call, { output: entry.output });
  }
}

function parseLoopEntry(text: string): LoopEntry | undefined {
  const { type, messages, called, call, output } = toUnknownRecord(tryParseJson(text));
  // Trusted: council wrote it, in a place that only its owner can write to.
  if (type === 'messages' && Array.isArray(messages))
    return { type, messages: messages as ModelMessage[], called: called === true };
  if (typeof call !== 'string') return undefined;
  return type === 'started' ? { type, call } : type === 'ended' ? { type, call, output } : undefined;
}

/** A call that waits for an approval. */
export interface PendingToolCall {
  approvalId: string;
  callId: string;
  tool: string;
  input: unknown;
}

/** Returns the calls of a conversation that wait for an approval. */
export function listPendingToolCalls(messages: readonly ModelMessage[]): PendingToolCall[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
  const answered = new Set(
    parts.flatMap((part) => (part.type === 'tool-approval-response' ? [part.approvalId] : [])),
  );
  return parts.flatMap((part) => {
    if (part.type !== 'tool-approval-request' || answered.has(part.approvalId)) return [];
    const call = parts.find((one) => one.type === 'tool-call' && one.toolCallId === part.toolCallId);
    if (call?.type !== 'tool-call') return [];
    return [{ approvalId: part.approvalId, callId: call.toolCallId, tool: call.toolName, input: call.input }];
  });
}
