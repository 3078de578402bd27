// What is known when a turn is over, before it is judged.
import type { Failure, Usage } from './turn-types.ts';

/** The raw outcome of a turn, whether a program, an ACP agent or a model was asked. */
export interface FinishedTurn {
  /** What was printed, or said over the protocol or by the model. */
  stdout: Buffer;
  /** The answer that was found in it; null when it is the answer itself. */
  answer: Buffer | null;
  /** The end of stderr; longer than what is shown, so that a secret is not cut before it is found. */
  stderr: Buffer;
  exitCode: number | null;
  signal: string | null;
  /** Why council ended it, null when it ended by itself. */
  stoppedFor: 'timeout' | 'silence' | 'cancelled' | 'overflow' | null;
  /** What kept it from running or from getting its prompt, null when nothing did. */
  broken: Failure | null;
  /** A failure that it reported in its own way; null when it reported none. */
  failure: Failure | null;
  usage: Usage | null;
  durationMs: number;
}

/** Defaults for a turn in which nothing was launched. */
export const NOTHING: FinishedTurn = {
  stdout: Buffer.alloc(0),
  answer: null,
  stderr: Buffer.alloc(0),
  exitCode: null,
  signal: null,
  stoppedFor: null,
  broken: null,
  failure: null,
  usage: null,
  durationMs: 0,
};
