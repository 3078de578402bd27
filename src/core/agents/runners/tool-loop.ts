// A model's tool loop: lets it call tools, asks for leave where that is needed, and keeps the conversation.
import type * as Ai from 'ai';
import type { ModelMessage, ToolApprovalStatus, ToolSet } from 'ai';
import { formatDuration } from '../../base/duration.ts';
import type { LoopResult, ToolLoop, Tool } from '../tools/tool.ts';
import { faultText } from '../tools/tool.ts';
import { openConversation, listPendingToolCalls } from './loop-journal.ts';
import type { Conversation } from './loop-journal.ts';

/** Milliseconds that one call may take, and characters of its result that a model is shown. */
const CALL_MS = 60_000;
const MAX_RESULT = 32_000;
const INTERRUPTED = 'This call was interrupted: it may or may not have taken effect. It was not repeated.';

/** A loop that is about to begin, or a conversation that still waits for leave. */
export interface OpenLoop {
  /** What streamText takes, beside the model. Undefined while something waits. */
  options: LoopOptions | undefined;
  result: LoopResult;
}

type LoopOptions = Pick<
  Parameters<typeof Ai.streamText<ToolSet>>[0],
  'tools' | 'toolApproval' | 'stopWhen' | 'prepareStep' | 'onStepEnd'
> & { messages: ModelMessage[] };

/** Opens the loop: `input` is said unless it was said before, and answers to what was asked for are handed over. */
export async function openLoop(loop: ToolLoop, input: string, ai: typeof Ai): Promise<OpenLoop> {
  const result: LoopResult = { calls: [], waitsFor: [], limited: false };
  const talk = await openConversation(loop.journal);
  if (!isUnfinished(talk, input)) await talk.say([{ role: 'user', content: input }]);
  await answerWaiting(loop, talk, result);
  if (result.waitsFor.length > 0) return { options: undefined, result };
  return { options: buildLoopOptions(loop, talk, result, ai), result };
}

/** What waits for leave goes on, and so does the same question, unless it was answered: then it is asked anew. */
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
    // The last one is the answer that it is asked for when there have been enough calls.
    stopWhen: ai.isStepCount(left + 1),
    prepareStep: ({ stepNumber, messages }) => {
      if (stepNumber < left) return undefined;
      result.limited = true;
      return { toolChoice: 'none', messages: [...messages, { role: 'user', content: loop.limitReached }] };
    },
    onStepEnd: async ({ response, toolCalls }) => {
      // They add up from step to step.
      const added = response.messages.slice(saved);
      saved = response.messages.length;
      await talk.say(added, toolCalls.length > 0);
    },
  };
}

interface LoopTurn {
  talk: Conversation;
  result: LoopResult;
  /** Milliseconds a call may take. */
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

/** Calls a tool. What needed leave is written down before and after, so that it is never done twice. */
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
    const output = cutToolResult(await inTime(tool, input, tool.limit ?? limit, abortSignal));
    if (hadLeave) await talk.end(id, output);
    note(true);
    return output;
  } catch (error) {
    note(false);
    throw new Error(faultText(error), { cause: error });
  }
}

const hasApprovalRequest = (messages: readonly ModelMessage[], id: string): boolean =>
  messages.some(
    ({ content }) =>
      typeof content !== 'string' &&
      content.some((part) => part.type === 'tool-approval-request' && part.toolCallId === id),
  );

/** A tool that hangs costs one call, not the turn. */
async function inTime(
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

/** A result as the model gets it: a long one is cut, and says so. */
function cutToolResult(output: unknown): unknown {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null');
  if (text.length <= MAX_RESULT) return typeof output === 'string' ? output : JSON.parse(text);
  return `${text.slice(0, MAX_RESULT).toWellFormed()}\n[cut: ${text.length} characters, ${MAX_RESULT} of them shown]`;
}

interface Called {
  toolCallId: string;
  toolName: string;
  input: unknown;
}

async function decideToolApproval(
  loop: ToolLoop,
  { toolCallId, toolName, input }: Called,
  talk: Conversation,
  result: LoopResult,
): Promise<ToolApprovalStatus> {
  const tool = loop.tools.find(({ name }) => name === toolName);
  // One that was answered in an earlier launch is not asked about again.
  if (!tool || !loop.permit || hasApprovalRequest(talk.messages, toolCallId)) return undefined;
  const said = await loop.permit({ id: toolCallId, tool, input });
  if ('allowed' in said) return undefined;
  if ('denied' in said) return { type: 'denied', reason: said.denied };
  result.waitsFor.push(said.waits);
  return 'user-approval';
}

/** Asks again about what an earlier launch ended for; once everything is answered, the conversation has the answers. */
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
