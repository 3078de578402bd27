// A tool that a model can call (name, purpose, input, action), and the types of its tool loop.
import type * as Zod from 'zod';
import { CouncilError, describeThrown } from '../../base/errors.ts';

/** Input of a model that may call tools before it answers. */
export interface ToolLoop {
  tools: readonly Tool[];
  /** Maximum number of answers that are calls, over all launches of the same task. */
  maxIterations: number;
  /** Additional instructions: which tools are missing, and why. */
  preface?: string;
  /** Milliseconds for one call; a minute by default. */
  callTimeout?: number;
  /** The message once that maximum is reached. */
  limitReached: string;
  /** Called before each call; without it everything is allowed. May be called again for the same call. */
  permit?(call: ToolCall): Promise<Permission>;
  /** Records the conversation, so that another launch can resume it. */
  journal?: Journal;
  /** Called when the model is done with its tools, however it ended. */
  close?(): Promise<void>;
}

export interface ToolCall {
  id: string;
  tool: Tool;
  input: unknown;
}

/** Whether a call may be made. One that waits ends the launch; the next launch asks again. */
export type Permission = { allowed: true } | { denied: string } | { waits: string };

/** An append-only record of one task's conversation. An entry is durable when `append` resolves. */
export interface Journal {
  read(): Promise<string[]>;
  append(entry: string): Promise<void>;
}

/** The outcome of a loop in one launch. */
export interface LoopResult {
  calls: CalledTool[];
  waitsFor: string[];
  /** True if it had to answer because it reached its maximum number of calls. */
  limited: boolean;
}

interface CalledTool {
  tool: string;
  kind: Tool['kind'];
  ok: boolean;
  durationMs: number;
}

export interface Tool {
  /** Letters, digits, `_` and `-`, at most 64: accepted by all providers. */
  name: string;
  /** For the model: when to use it. */
  description: string;
  input: ToolInput;
  /** The kind of operation, for approvals. */
  kind: 'tool' | 'mcp' | 'sub_agent';
  /** Milliseconds for a call, if not the default. */
  limit?: number;
  /** Errors are reported to the model, which may try something else. */
  call(input: unknown, signal: AbortSignal): unknown;
}

/** A tool's input: its schema for the model, and its validation. */
interface ToolInput {
  /** A JSON schema of an object. */
  json: Record<string, unknown>;
  read(value: unknown): { ok: true; value: unknown } | { ok: false; problem: string };
}

/** Creates a tool from one schema of its input. `z` is passed in, so that only builders of tools load it. */
export function createTool<Schema extends Zod.ZodObject>(
  z: typeof Zod,
  { kind = 'tool', ...about }: Pick<Tool, 'name' | 'description'> & Partial<Pick<Tool, 'kind' | 'limit'>>,
  schema: Schema,
  call: (input: Zod.infer<Schema>, signal: AbortSignal) => unknown,
): Tool {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return {
    ...about,
    kind,
    input: {
      json,
      read(value) {
        const read = schema.safeParse(value);
        return read.success
          ? { ok: true, value: read.data }
          : { ok: false, problem: z.prettifyError(read.error) };
      },
    },
    // Already validated; parsing again only gives it its type.
    call: (input, signal) => call(schema.parse(input), signal),
  };
}

/** Creates an error that the model can correct; the message is for the model. */
export const createToolError = (message: string): CouncilError => new CouncilError('usage', message);

export const formatToolError = (error: unknown): string =>
  error instanceof CouncilError && error.hint !== undefined
    ? `${error.message} ${error.hint}`
    : describeThrown(error);

export function requireToolField<Input extends { operation: string }, Key extends keyof Input & string>(
  input: Input,
  key: Key,
): NonNullable<Input[Key]> {
  const value = input[key];
  if (value === undefined || value === null) throw createToolError(`"${input.operation}" needs "${key}".`);
  return value;
}
