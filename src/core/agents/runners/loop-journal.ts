// The journal of a model's tool loop, entry by entry, and how another launch resumes from it.
import type { ModelMessage } from 'ai';
import { toUnknownRecord, tryParseJson } from '../../base/text.ts';
import type { Journal } from '../tools/tool.ts';

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
