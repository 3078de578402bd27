// Types of the presets: agent programs and their output formats.
import type { Agent } from '../../agent.ts';
import type { FinishedTurn } from '../finished-turn.ts';
import type { SpeakRequest } from '../turn-types.ts';
import type { ProgramFacts } from './programs.ts';

/** Paths of token counts and costs; missing paths are ignored. */
export interface UsageRule {
  /** Path of an object with one entry per model: then `input` and `output` are paths within an entry. */
  models?: string;
  input: readonly string[];
  /** The part of `input` that was read from the provider's cache. */
  cached?: readonly string[];
  output: readonly string[];
  cost?: string;
  /** The model's name, or its parts. */
  model?: readonly string[];
}

export interface Rule {
  /** Required values by path; null matches any value but null and undefined. */
  when: Readonly<Record<string, string | boolean | null>>;
  /**
   * `message`: text of the model. `end`: the turn is over. `failure`: the turn failed. `trouble`: the reason
   * of the failure, unless an `end` follows. `begin`: a new turn; an earlier `end` no longer counts. `other`:
   * known, but not used.
   */
  is: 'message' | 'end' | 'failure' | 'trouble' | 'begin' | 'other';
  /** Path of the text; for an `end`, where it repeats the answer. */
  text?: string;
  /** Separator between the pieces of a message that arrives in pieces. */
  join?: string;
  /** Paths of the stop reason, most specific first (see the table of stop reasons). */
  stop?: readonly string[];
  /** Paths of a failure's reason, most specific first. */
  reason?: readonly string[];
  /** Paths of the provider's HTTP status, and of its retry delay in seconds. */
  status?: string;
  retryAfter?: string;
  /** The first rule that yields a figure counts. */
  usage?: readonly UsageRule[];
  /** Whether the figures are cumulative, or count only if no end and no failure has any. */
  figures?: 'of all before' | 'of a step';
}

export interface Event {
  rule: Rule;
  document: object;
}

/** The output format of a program. */
export interface OutputShape {
  /** The first matching rule counts. Empty: plain text. */
  rules: readonly Rule[];
  /** Failures are also reported on stderr. */
  failsOnStderr?: true;
  /** Matches a failure in the log on stderr that the report does not name, or during its own retries. */
  log?: RegExp;
  /** Matches token counts as text on stderr. */
  counts?: { input: RegExp; output: RegExp };
  /** Path of the session's id. */
  session?: string;
  /** Exit codes for wrong settings. */
  configExits?: readonly number[];
}

/** Input for building a command line. */
export interface PlanInput {
  agent: Agent;
  /** The persona; empty if the agent has none. */
  system: string;
  input: string;
  env: NodeJS.ProcessEnv;
  /** Allows tools for reading the project's files, but not for changing them; otherwise no file tools. */
  reads: boolean;
  /** Another folder that it may read. */
  readable?: string | undefined;
  /** Allows changing files of its folder, which is a worktree of its own. */
  writes?: boolean;
  /** Keeps the session, resuming `resume` if set; otherwise none is kept. */
  session?: SpeakRequest['session'];
  /** A temporary folder for this launch: the only place a preset may put files. */
  folder: string;
  exists(path: string): boolean;
}

export interface Plan {
  /** Arguments for the program, including those of the agent's file. */
  args: string[];
  input: string;
  /** Variables set by the preset. */
  env?: Record<string, string>;
  /** Files to write before the launch, by their name in `folder`. */
  files?: Record<string, string>;
  /** Why nothing can be launched: a setting is missing in the agent's file. */
  problem?: string;
}

/** A program's output and exit code; null if a signal ended it. */
export interface ProgramOutput extends Pick<SpeakRequest, 'hasForm'> {
  stdout: Buffer;
  stderr: string;
  exitCode: number | null;
}

export interface ReportReading extends Pick<FinishedTurn, 'usage' | 'failure' | 'session'> {
  answer: Buffer;
  /** Whether the output marks the turn as over. */
  isOver: boolean;
}

export type Planner = (input: PlanInput) => Plan;

/** All that council knows about one agent program. */
export interface Preset extends ProgramFacts {
  plan: Planner;
  shape: OutputShape;
}
