// What is kept of a model's tool loop, entry by entry, and what another launch finds in it.
import type { ModelMessage } from 'ai';
import { toUnknownRecord, tryParseJson } from '../../base/text.ts';
import type { Journal } from '../tools/tool.ts';

/** One entry: what it was asked, what one of its turns added, or a call that needed leave. */
type LoopEntry =
  | { type: 'messages'; messages: ModelMessage[]; called: boolean }
  | { type: 'started'; call: string }
  | { type: 'ended'; call: string; output: unknown };

/** How far a conversation has come. */
export interface Conversation {
  messages: ModelMessage[];
  /** Answers of the model that were calls. */
  iterations: number;
  /** The calls that needed leave and were begun; those with an output are over. */
  calls: Map<string, { output?: unknown }>;
  /** Adds what was said; durable when it resolves. `called` counts it as a turn of calls. */
  say(messages: ModelMessage[], called?: boolean): Promise<void>;
  start(call: string): Promise<void>;
  end(call: string, output: unknown): Promise<void>;
}

/** The conversation that a journal holds; a new one without. An entry that was cut off by a crash never counted. */
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
    apply(conversation, entry);
    await journal?.append(JSON.stringify(entry));
  }
  for (const text of (await journal?.read()) ?? []) {
    const entry = parseLoopEntry(text);
    if (entry) apply(conversation, entry);
  }
  return conversation;
}

function apply(conversation: Conversation, entry: LoopEntry): void {
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
  // Council wrote them itself, into a place that only its owner can write.
  if (type === 'messages' && Array.isArray(messages))
    return { type, messages: messages as ModelMessage[], called: called === true };
  if (typeof call !== 'string') return undefined;
  return type === 'started' ? { type, call } : type === 'ended' ? { type, call, output } : undefined;
}

/** A call that waits for an answer to "may this be done?". */
export interface PendingToolCall {
  approvalId: string;
  callId: string;
  tool: string;
  input: unknown;
}

/** The calls of a conversation that were asked about and not answered yet. */
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
