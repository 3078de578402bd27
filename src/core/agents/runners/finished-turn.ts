// The raw outcome of a turn before it is judged, and the meaning of stop reasons.
import type { Failure, Usage } from './turn-types.ts';

/** The raw outcome of a turn of a program, an ACP agent or a model. */
export interface FinishedTurn {
  /** The raw output, or the text from the protocol or the model. */
  stdout: Buffer;
  /** The answer extracted from it; null if stdout is the answer. */
  answer: Buffer | null;
  /** The end of stderr, longer than what is shown, so that a secret is not cut before it is found. */
  stderr: Buffer;
  exitCode: number | null;
  signal: string | null;
  /** Why council ended it; null if it ended by itself. */
  stoppedFor: 'timeout' | 'silence' | 'cancelled' | 'overflow' | null;
  /** What prevented it from running or getting its prompt; null if nothing did. */
  broken: Failure | null;
  /** A failure that it reported itself; null if none. */
  failure: Failure | null;
  usage: Usage | null;
  /** The id of its session, if reported. */
  session?: string | undefined;
  durationMs: number;
}

/** Defaults for a turn without a launch. */
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

/** The meaning of a stop reason: the turn ended, goes on (a tool is called), or failed with this class. */
type Meaning = 'end' | 'goes on' | 'cut' | 'context' | 'turns' | 'refusal';

const WORDS: Record<Meaning, string> = {
  end: 'end_turn stop stop_sequence success completed finished ok eos eos_token',
  'goes on': 'tool_use tool_calls function_call pause_turn',
  cut: 'max_tokens length max_output_tokens incomplete messageoutputlengtherror',
  context: 'model_context_window_exceeded context_length_exceeded context_overflow contextoverflowerror',
  turns: 'error_max_turns max_turns max_turn_requests error_max_budget_usd',
  refusal: 'refusal content_filter contentfiltererror safety prohibited_content recitation blocklist',
};

const MEANINGS = new Map(
  Object.entries(WORDS).flatMap(([meaning, words]) =>
    words.split(' ').map((word) => [word, meaning as Meaning] as const),
  ),
);

/** Looks up a stop reason, ignoring case and dashes; undefined if unknown. */
export const classifyStopReason = (reason: string): Meaning | undefined =>
  MEANINGS.get(reason.toLowerCase().replaceAll('-', '_'));

/** Converts a stop reason to a failure; null if the turn ended normally. */
export function findStopFailure(reason: string, said = `stop reason ${reason}`): Failure | null {
  const meaning = classifyStopReason(reason);
  if (meaning === 'end') return null;
  if (meaning === undefined || meaning === 'goes on')
    return { kind: 'failed', class: 'unended', reason: `its turn did not end: ${said}` };
  return { kind: meaning === 'refusal' ? 'refusal' : 'limit', class: meaning, reason: said };
}
