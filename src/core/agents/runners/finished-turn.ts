// What is known when a turn is over, before it is judged; by which words programs say why it ended.
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
  /** The id of its session, where it told one. */
  session?: string | undefined;
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

/** A turn that came to its end, one that goes on (a tool is called), or the class of failure that it is. */
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

/** Looks up a stop reason in the table, without regard to case or dashes; undefined for an unknown one. */
export const classifyStopReason = (reason: string): Meaning | undefined =>
  MEANINGS.get(reason.toLowerCase().replaceAll('-', '_'));

/** The failure that a reason to stop tells; null for a turn that came to its end. */
export function failureOfStop(reason: string, said = `stop reason ${reason}`): Failure | null {
  const meaning = classifyStopReason(reason);
  if (meaning === 'end') return null;
  if (meaning === undefined || meaning === 'goes on')
    return { kind: 'failed', class: 'unended', reason: `its turn did not end: ${said}` };
  return { kind: meaning === 'refusal' ? 'refusal' : 'limit', class: meaning, reason: said };
}
