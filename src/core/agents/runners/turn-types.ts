// Types of a turn: request, result, usage, kinds of failure, and the runner interface.
import type { NewTurn, TurnRegister } from '../../store/local/turns.ts';
import type { Agent } from '../agent.ts';
import type { LoopResult, ToolLoop } from '../tools/tool.ts';

/** How a program is spoken with that hears one line after the other, while it works. */
export interface LineTalk {
  /** What it hears first. */
  first: string;
  /**
   * Called with each line that it prints, one after the other, and the byte of its output behind it; without a line where it has
   * been silent since for seconds. Null once nothing more is said, undefined for no answer.
   */
  answer(line: string | undefined, end: number): Promise<string | undefined | null>;
}

export interface SpeakRequest {
  agent: Agent;
  /** What the register is told of this launch; null for a trial, in which nothing can be said. */
  turn: (NewTurn & { register: TurnRegister }) | null;
  /** What goes to the program's stdin. */
  input: string;
  /** How `input` begins, for a model whose provider wants to be told what to keep. */
  beginnings?: Beginning[];
  /** Called once the provider has begun to answer, where the runner sees that: it knows the beginning from then on. */
  onBegin?: (() => void) | undefined;
  /** The persona, where the runner has a place of its own for it (presets, acp, model); then `input` has none. */
  system: string;
  /** Servers of the Model Context Protocol that an `acp` agent is offered, as argv: the runner only hands them on. */
  toolServers: ToolServer[];
  cwd: string;
  /** The program keeps its session: it goes on with `resume`, by its id, or begins one, as `fresh` where it can be told an id. */
  session?: { resume: string | null; fresh: string } | undefined;
  /** The program may read the files below `cwd` by tools of its own, and change none; otherwise it has no tools for files. */
  reads?: boolean;
  /** A folder outside of `cwd` that such a program may read as well. */
  readable?: string | undefined;
  /** It may change those files: `cwd` is a worktree of its own. */
  writes?: boolean;
  /** The environment of council's own process; only the allowlist and the declared names are passed on. */
  env: NodeJS.ProcessEnv;
  /** Variables that council itself sets; they win over everything else. */
  extraEnv: Record<string, string>;
  /** Ends the turn when aborted. */
  signal: AbortSignal;
  /**
   * Called with the pid, which is also the process group's id, before the prompt is written. What it throws
   * ends the group and is thrown by `speak`. A `model` turn has no process and never calls it: its request ends with
   * the tick, so a lease without a recorded group leaves nothing to be ended, and the turn is simply taken again.
   */
  onSpawn(pid: number): Promise<void>;
  /** Called with the number of bytes of output so far; a program's own are given as they come. */
  onOutput?(bytes: number, chunk?: Buffer): void;
  /** The most bytes of output that are accepted; 1 MiB by default. */
  maxOutput?: number;
  /** Whether a text has the form that is asked for: of narration and answer, the last that has it is the answer. */
  hasForm?(text: string): boolean;
  /** Milliseconds that a program has to exit by itself once its report is complete; 2,000 by default. */
  exitWithin?: number;
  /** For a program that is spoken with by lines: then `input` is not written. */
  talk?: LineTalk;
  /** For a `model` agent that works with tools; without it the model is asked once, and answers. */
  loop?: ToolLoop;
}

/** A part at the beginning of a prompt that ends behind so many characters, and whether its provider is to keep what stands up to there. */
export interface Beginning {
  end: number;
  isKept: boolean;
}

/** A tool server as data: how an agent starts it. */
export interface ToolServer {
  name: string;
  command: string[];
  env: Record<string, string>;
}

/** What a turn used up, as far as the program told; null where it did not. */
export interface Usage {
  model: string | null;
  inputTokens: number | null;
  /** Those of the input that the provider had in its cache; not set where nothing tells. */
  cachedTokens?: number | undefined;
  outputTokens: number | null;
  costUsd: number | null;
}

/**
 * What kind of failure it was, for the decision whether to try again: `config` (no program, no key, unknown model),
 * `refusal` (the model declined) and `limit` (cut off, prompt too long, too many steps) come again with the same prompt;
 * `rate-limit`, `timeout` and `failed` may not.
 */
export type FailureKind = 'config' | 'refusal' | 'limit' | 'rate-limit' | 'timeout' | 'cancelled' | 'failed';

/** The classes of failure that the table of known ones has. */
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

/** A failure of a known class, in council's own words: nothing of what the program or its provider said is in them. */
export interface KnownFailure {
  class?: FailureClassName;
  /** "not logged in (exit code 1)". */
  says: string;
  /** What mends it, with the command: "log in with: codex login". */
  mend: string;
}

/** A failure with its one line for people. */
export interface Failure {
  kind: FailureKind;
  reason: string;
  /** Its class, where the program's own report tells it. */
  class?: FailureClassName;
  /** What else its report says of it, for finding the class. */
  clue?: string;
  /** The HTTP status that the provider answered, where the program tells it. */
  status?: number | null;
  /** Why a program could not be found: "it is not on PATH". */
  missing?: string;
  /** Milliseconds the provider asked to wait before the next attempt, where it said so. */
  retryAfterMs?: number;
  /** The class of the failure without a word of what the agent said, where how its program ended does not tell it. */
  safeReason?: string;
}

/** How a turn went: one shape for success and failure. When it is there, no process of the group is left. */
export interface SpeakResult {
  /** True when it said something and nothing went wrong: a command by ending with exit code 0, the others by their protocol. */
  ok: boolean;
  /** The answer: the raw bytes of stdout, or what a preset or a protocol found: perhaps no UTF-8, at most `maxOutput`. */
  output: Buffer;
  /**
   * Null when the program was ended by a signal or never started, and for a model. 0 for an `acp` agent that answered,
   * which council ends.
   */
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  cancelled: boolean;
  /** True when there was more output than accepted. */
  truncated: boolean;
  durationMs: number;
  /** Why it is not ok: one short line for people. Null when ok. */
  reason: string | null;
  /** Null when ok. */
  failure: FailureKind | null;
  /** As in `Failure`. */
  safeReason?: string | null;
  /** What the table of known failures says of it; null or not set where it has nothing. */
  known?: KnownFailure | null;
  /** Milliseconds the provider asked to wait before the next attempt; null when it did not say. */
  retryAfterMs: number | null;
  usage: Usage | null;
  /** The id of the session that it kept, as it told. */
  session?: string | undefined;
  /** What a model did with its tools. One that waits for approvals is not ok, with the failure `cancelled`: it is no failed attempt. */
  loop?: LoopResult;
  /** The end of stderr, at most 2 KB, without terminal codes and secrets. */
  stderrTail: string;
  /**
   * All output that was kept, without terminal codes and secrets. Not set if nothing was launched.
   */
  renderPrinted?: () => Printed;
}

/** What a program printed, as text. */
export interface Printed {
  stdout: string;
  stderr: string;
}

/** A way to ask a participant for a contribution. Throws only what `onSpawn` throws: every failure of the agent is a result. */
export interface Runner {
  speak(request: SpeakRequest): Promise<SpeakResult>;
}
