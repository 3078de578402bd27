// What a model can call: its name, what it is for, what it takes and does; and the types of its tool loop.
import type * as Zod from 'zod';
import { CouncilError, describeThrown } from '../../base/errors.ts';

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
  waitsFor: string[];
  /** True when it had to answer because there were as many calls as it may make. */
  limited: boolean;
}

interface CalledTool {
  tool: string;
  kind: Tool['kind'];
  ok: boolean;
  durationMs: number;
}

export interface Tool {
  /** Letters, digits, `_` and `-`, at most 64: what all providers take. */
  name: string;
  /** For the model: when it is of use. */
  description: string;
  input: ToolInput;
  /** What kind of operation an approval of it is. */
  kind: 'tool' | 'mcp' | 'sub_agent';
  /** Milliseconds a call may take, where it is not what holds for all. */
  limit?: number;
  /** What it throws is told to the model, which may try something else. */
  call(input: unknown, signal: AbortSignal): unknown;
}

/** What a tool takes: as the model sees it, and as it is checked. */
interface ToolInput {
  /** A JSON schema of an object. */
  json: Record<string, unknown>;
  read(value: unknown): { ok: true; value: unknown } | { ok: false; problem: string };
}

/** A tool whose input is described once, by a schema. `z` is handed in: only who builds a tool loads the library. */
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
    // It has been read by then; parsing it again gives it its type.
    call: (input, signal) => call(schema.parse(input), signal),
  };
}

/** What a model can do something about; the message is for the model. */
export const toolFault = (message: string): CouncilError => new CouncilError('usage', message);

/** An error as the model is told of it. */
export const faultText = (error: unknown): string =>
  error instanceof CouncilError && error.hint !== undefined
    ? `${error.message} ${error.hint}`
    : describeThrown(error);

/** A field that an operation cannot do without. */
export function requireToolField<Input extends { operation: string }, Key extends keyof Input & string>(
  input: Input,
  key: Key,
): NonNullable<Input[Key]> {
  const value = input[key];
  if (value === undefined || value === null) throw toolFault(`"${input.operation}" needs "${key}".`);
  return value;
}
