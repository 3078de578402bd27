// Types of the presets: the agent programs that council knows.
import type { Agent } from '../../agent.ts';
import type { FinishedTurn } from '../finished-turn.ts';
import type { SpeakRequest } from '../turn-types.ts';
import type { ProgramFacts } from './programs.ts';
import type { Shape } from './output-format-types.ts';

/** What a preset makes a command line of. */
export interface PlanInput {
  agent: Agent;
  /** The persona; empty when the agent has none. */
  system: string;
  /** The prompt. */
  input: string;
  env: NodeJS.ProcessEnv;
  /** It gets tools to read the project's files, and none to change them; otherwise it gets no tools for files. */
  reads: boolean;
  /** It may change the files of its folder as well: that is a worktree of its own. */
  writes?: boolean;
  /** A folder of this launch alone, removed after it: the only place a preset may put files. */
  folder: string;
  exists(path: string): boolean;
}

/** One launch as data. */
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

/** What was found in it. */
export interface Reading extends Pick<FinishedTurn, 'usage' | 'failure'> {
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
