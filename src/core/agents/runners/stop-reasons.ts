// The one table of words by which providers and programs say why a turn ended.
import type { Failure } from './turn-types.ts';

/** A turn that came to its end, one that goes on (a tool is called), or the class of failure that it is. */
type Meaning = 'end' | 'goes on' | 'cut' | 'context' | 'turns' | 'refusal';

const WORDS: Record<Meaning, string> = {
  end: 'end_turn stop stop_sequence success completed finished ok eos',
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

/** What a reason means, in whatever case and with whatever dashes; undefined for one that is not in the table. */
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
