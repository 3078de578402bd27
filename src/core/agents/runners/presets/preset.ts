// Types of the presets: the agent programs that council knows, and their output formats.
import type { Agent } from '../../agent.ts';
import type { FinishedTurn } from '../finished-turn.ts';
import type { SpeakRequest } from '../turn-types.ts';
import type { ProgramFacts } from './programs.ts';

/** Where numbers of tokens and costs stand; paths that are not there count nothing. */
export interface UsageRule {
  /** An object with one entry for each model: then `input` and `output` are paths in an entry. */
  models?: string;
  input: readonly string[];
  /** Of these, the ones that were in the provider's cache. */
  cached?: readonly string[];
  output: readonly string[];
  cost?: string;
  /** The model's name, or its parts. */
  model?: readonly string[];
}

export interface Rule {
  /** Values that a document of this kind has, by path; null stands for anything but nothing. */
  when: Readonly<Record<string, string | boolean | null>>;
  /**
   * `message`: the model said something. `end`: the positive sign that its turn is over. `failure`: the turn failed.
   * `trouble`: the reason of the failure, unless an `end` follows. `begin`: a new turn; an earlier `end` no longer counts.
   * `other`: known, but not used.
   */
  is: 'message' | 'end' | 'failure' | 'trouble' | 'begin' | 'other';
  /** Where the words stand; of an `end`, where it repeats the answer. */
  text?: string;
  /** A message that comes in pieces: what goes between them. */
  join?: string;
  /** Where it says why it ended, the most telling first (see the table of stop reasons). */
  stop?: readonly string[];
  /** Where a failure says what went wrong, the most telling first. */
  reason?: readonly string[];
  /** Where the HTTP status of the provider stands, and the seconds that it asked to wait. */
  status?: string;
  retryAfter?: string;
  /** The first that gives a figure counts. */
  usage?: readonly UsageRule[];
  /** Whether the figures are of all that came before as well, or count only where no end and no failure has any. */
  figures?: 'of all before' | 'of a step';
}

export interface Event {
  rule: Rule;
  document: object;
}

/** All that is known of what a program prints. */
export interface Shape {
  /** The first rule that fits a document counts. Empty: plain text. */
  rules: readonly Rule[];
  /** Failures are reported on stderr as well. */
  failsOnStderr?: true;
  /** What its log on stderr tells of a failure that its report does not name, or while it tries again by itself. */
  log?: RegExp;
  /** Tokens that stand on stderr in words. */
  counts?: { input: RegExp; output: RegExp };
  /** Where a document tells the id of its session. */
  session?: string;
  /** Exit codes of its own for settings that are wrong. */
  configExits?: readonly number[];
}

/** What a preset makes a command line of. */
export interface PlanInput {
  agent: Agent;
  /** The persona; empty when the agent has none. */
  system: string;
  input: string;
  env: NodeJS.ProcessEnv;
  /** It gets tools to read the project's files, and none to change them; otherwise it gets no tools for files. */
  reads: boolean;
  /** Another folder that it may read then. */
  readable?: string | undefined;
  /** It may change the files of its folder as well: that is a worktree of its own. */
  writes?: boolean;
  /** It keeps its session, and goes on with `resume` if that is set; otherwise none is kept. */
  session?: SpeakRequest['session'];
  /** A folder of this launch alone, removed after it: the only place a preset may put files. */
  folder: string;
  exists(path: string): boolean;
}

export interface Plan {
  /** Arguments for the program; those of the agent's file are in them already. */
  args: string[];
  input: string;
  /** Variables that the preset sets. */
  env?: Record<string, string>;
  /** Files to write before the launch, by their name in `folder`. */
  files?: Record<string, string>;
  /** Why nothing can be launched: the agent's file lacks something. */
  problem?: string;
}

/** What a program printed, and how it ended by itself; null when a signal ended it. */
export interface Printed extends Pick<SpeakRequest, 'hasForm'> {
  stdout: Buffer;
  stderr: string;
  exitCode: number | null;
}

export interface Reading extends Pick<FinishedTurn, 'usage' | 'failure' | 'session'> {
  answer: Buffer;
  /** The turn is over, by its own sign. */
  isOver: boolean;
}

export type Planner = (input: PlanInput) => Plan;

/** All that council knows about one agent program. */
export interface Preset extends ProgramFacts {
  plan: Planner;
  shape: Shape;
}
