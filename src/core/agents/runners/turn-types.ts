// Types of a turn: request, result, usage, kinds of failure, and the runner interface.
import type { NewTurn, TurnRegister } from '../../store/local/turns.ts';
import type { Agent } from '../agent.ts';
import type { LoopResult, ToolLoop } from '../tools/tool.ts';

/** A conversation with a program that gets one line at a time while it works. */
export interface LineConversation {
  /** The first line it gets. */
  first: string;
  /**
   * Called with each printed line in order, and the byte offset after it; without a line if it has been
   * silent for seconds. Returns null once nothing more is said, undefined for no reply.
   */
  answer(line: string | undefined, end: number): Promise<string | undefined | null>;
}

export interface SpeakRequest {
  agent: Agent;
  /** What to register about this launch; null for a trial, in which nothing can be said. */
  turn: (NewTurn & { register: TurnRegister }) | null;
  /** Content of the program's stdin. */
  input: string;
  /** Beginnings of `input`, for a model whose provider has to be told what to cache. */
  beginnings?: PromptPrefix[];
  /** Called once the provider starts to answer, if the runner notices: from then on the beginning is cached. */
  onBegin?: (() => void) | undefined;
  /** The persona, if the runner has a separate place for it (presets, acp, model); then `input` has none. */
  system: string;
  /** MCP servers offered to an `acp` agent, as argv: the runner only passes them on. */
  toolServers: ToolServer[];
  cwd: string;
  /** Keeps the program's session: resumes `resume` by its id, or starts one, as `fresh` if it accepts an id. */
  session?: { resume: string | null; fresh: string } | undefined;
  /**
   * Allows the program's own tools to read files below `cwd`, but not to change them; otherwise no file
   * tools.
   */
  reads?: boolean;
  /** A folder outside `cwd` that the program may read as well. */
  readable?: string | undefined;
  /** Allows changing files: `cwd` is a worktree of its own. */
  writes?: boolean;
  /** The environment of council's own process; only the allowlist and the declared names are passed on. */
  env: NodeJS.ProcessEnv;
  /** Variables set by council itself; they take precedence over all others. */
  extraEnv: Record<string, string>;
  /** Ends the turn when aborted. */
  signal: AbortSignal;
  /**
   * Called with the pid, which is also the process group's id, before the prompt is written. If it throws,
   * the group is ended and `speak` throws the error. A `model` turn has no process and never calls it: its
   * request ends with the tick, so a lease without a recorded group leaves nothing to end, and the turn is
   * simply taken again.
   */
  onSpawn(pid: number): Promise<void>;
  /** Called with the number of output bytes so far; for programs with each chunk. */
  onOutput?(bytes: number, chunk?: Buffer): void;
  /** Maximum bytes of output; 1 MiB by default. */
  maxOutput?: number;
  /** Whether a text has the requested form: of narration and answer, the last one with it is the answer. */
  hasForm?(text: string): boolean;
  /** Milliseconds for a program to exit by itself once its report is complete; 2,000 by default. */
  exitWithin?: number;
  /** For a line-by-line conversation: then `input` is not written. */
  talk?: LineConversation;
  /** For a `model` agent with tools; without it the model is called once. */
  loop?: ToolLoop;
}

/** A part of a prompt that ends at offset `end`, and whether the provider is to cache all up to there. */
export interface PromptPrefix {
  end: number;
  isKept: boolean;
}

/** A tool server as data: how an agent starts it. */
export interface ToolServer {
  name: string;
  command: string[];
  env: Record<string, string>;
}

/** The usage of a turn as far as reported; null if not. */
export interface Usage {
  model: string | null;
  inputTokens: number | null;
  /** Input tokens read from the provider's cache; not set if unknown. */
  cachedTokens?: number | undefined;
  outputTokens: number | null;
  costUsd: number | null;
}

/**
 * The kind of failure, which decides about a retry: `config` (no program, no key, unknown model), `refusal`
 * (the model declined) and `limit` (cut off, prompt too long, too many steps) would come again with the same
 * prompt; `rate-limit`, `timeout` and `failed` may not.
 */
export type FailureKind = 'config' | 'refusal' | 'limit' | 'rate-limit' | 'timeout' | 'cancelled' | 'failed';

/** The classes of known failures. */
export type FailureClassName =
  | 'unknown'
  | 'differ'
  | 'unended'
  | 'cut'
  | 'context'
  | 'turns'
  | 'refusal'
  | 'trust'
  | 'credit'
  | 'noKey'
  | 'login'
  | 'key'
  | 'model'
  | 'limit'
  | 'server';

/** Whether another attempt with the same prompt would fail in the same way. */
export const isLasting = (failure: FailureKind | null): boolean =>
  failure === 'config' || failure === 'refusal' || failure === 'limit';

/** A failure of a known class, in council's own words, without any text of the program or its provider. */
export interface KnownFailure {
  class?: FailureClassName;
  /** "not logged in (exit code 1)". */
  says: string;
  /** How to fix it, with the command: "log in with: codex login". */
  mend: string;
}

/** A failure with a one-line reason for people. */
export interface Failure {
  kind: FailureKind;
  reason: string;
  /** Its class, if the program's own report names it. */
  class?: FailureClassName;
  /** Further words of the report, for finding the class. */
  clue?: string;
  /** The provider's HTTP status, if the program reports it. */
  status?: number | null;
  /** Why a program could not be found: "it is not on PATH". */
  missing?: string;
  /** Milliseconds to wait before the next attempt, if the provider requested it. */
  retryAfterMs?: number;
  /** A description without any of the agent's words, if the exit status does not explain the failure. */
  safeReason?: string;
}

/** The outcome of a turn, successful or not. Once it is returned, no process of the group is left. */
export interface SpeakResult {
  /**
   * True if it said something and nothing went wrong: exit code 0 for a command, for others by their
   * protocol.
   */
  ok: boolean;
  /**
   * The answer: the raw bytes of stdout, or the one extracted by a preset or a protocol. May be invalid
   * UTF-8; at most `maxOutput` bytes.
   */
  output: Buffer;
  /**
   * Null if the program was ended by a signal or never started, and for a model. 0 for an `acp` agent that
   * answered, which council ends.
   */
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  cancelled: boolean;
  /** True if there was more output than allowed. */
  truncated: boolean;
  durationMs: number;
  /** Why it is not ok: one short line for people. Null if ok. */
  reason: string | null;
  /** Null if ok. */
  failure: FailureKind | null;
  /** As in `Failure`. */
  safeReason?: string | null;
  /** The matching known failure; null or not set if there is none. */
  known?: KnownFailure | null;
  /** Milliseconds to wait before the next attempt; null if the provider did not request any. */
  retryAfterMs: number | null;
  usage: Usage | null;
  /** The id of the kept session, as reported. */
  session?: string | undefined;
  /**
   * A model's use of its tools. A turn that waits for approvals is not ok, with the failure `cancelled`: it
   * is no failed attempt.
   */
  loop?: LoopResult;
  /** The end of stderr, at most 2 KB, without terminal codes and secrets. */
  stderrTail: string;
  /** Renders all kept output, without terminal codes and secrets. Not set if nothing was launched. */
  renderPrinted?: () => PrintedText;
}

/** A program's output as text. */
export interface PrintedText {
  stdout: string;
  stderr: string;
}

/** Gets a contribution from a participant. Throws only what `onSpawn` throws: agents' failures are results. */
export interface Runner {
  speak(request: SpeakRequest): Promise<SpeakResult>;
}
