// Types of a model's tool loop: what it may call, who allows it, what is kept of it, and how it went.
import type { Tool } from './tool.ts';

/** What a model gets that may call tools before it answers. */
export interface ToolLoop {
  tools: readonly Tool[];
  /** How many of its answers may be calls, over all launches of the same task. */
  maxIterations: number;
  /** What it is told beside who it is: which tools are missing, and why. */
  preface?: string;
  /** Milliseconds that one call may take; a minute by default. */
  callTimeout?: number;
  /** What it is told when there have been that many calls. */
  limitReached: string;
  /** Asked before each call; without it everything is allowed. The same call may be asked about again. */
  permit?(call: ToolCall): Promise<Permission>;
  /** Keeps the conversation, so that another launch goes on with it. */
  journal?: Journal;
  /** Told when the model is through with its tools, however it ended. */
  close?(): Promise<void>;
}

export interface ToolCall {
  id: string;
  tool: Tool;
  input: unknown;
}

/** Whether a call may be made. One that waits ends the launch; the next one asks again. */
export type Permission = { allowed: true } | { denied: string } | { waits: string };

/** An append-only record of one task's conversation. An entry is durable when `append` resolves. */
export interface Journal {
  read(): Promise<string[]>;
  append(entry: string): Promise<void>;
}

/** What a loop did in one launch. */
export interface LoopResult {
  calls: CalledTool[];
  /** The approvals that it waits for. */
  waitsFor: string[];
  /** True when it had to answer because there were as many calls as it may make. */
  limited: boolean;
}

export interface CalledTool {
  tool: string;
  kind: Tool['kind'];
  ok: boolean;
  durationMs: number;
}
