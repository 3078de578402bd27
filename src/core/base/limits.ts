// Maximum bytes read from a file, by kind (pure data).
import { MAX_CONTRIBUTION_BYTES, MAX_COUNCIL_BYTES, MAX_DOCUMENT_BYTES } from './text.ts';

const KIB = 1024;

/** Maximum bytes read from one file, by kind. A larger file is refused before it is in memory. */
export const READ_LIMITS = {
  /** An agent file, a mode file, COUNCIL.md: all of them end up in prompts. */
  settings: 256 * KIB,
  brief: MAX_CONTRIBUTION_BYTES,
  /** All files and the diff of a question, as in the brief: everyone reads it in every phase. */
  context: 256 * KIB,
  /** Also for stdin. Larger than a contribution, because a text that is refused for its size is kept. */
  contribution: MAX_COUNCIL_BYTES,
  /** One message of a channel, as JSON. */
  message: MAX_CONTRIBUTION_BYTES,
  /** Files written by council itself: a state file, a revision, a sealed or late text, a spool. */
  own: MAX_DOCUMENT_BYTES,
  /** A finished council: its texts, and the counts and quotes from them. */
  archive: 4 * MAX_COUNCIL_BYTES,
} as const;
