// The most bytes that are read of a file, by its kind (pure data).
import { MAX_CONTRIBUTION_BYTES, MAX_COUNCIL_BYTES, MAX_DOCUMENT_BYTES } from './text.ts';

const KIB = 1024;

/** The most bytes council reads of one file, by what the file is. A larger one is refused before it is in memory. */
export const READ_LIMITS = {
  /** An agent file, a mode file, COUNCIL.md: all of them end up in prompts. */
  settings: 256 * KIB,
  brief: MAX_CONTRIBUTION_BYTES,
  /** All files and the diff that are given with a question, as they stand in the brief: everybody reads it in every phase. */
  context: 256 * KIB,
  /** Also of stdin. More than a contribution may have: a text that is refused for its size is kept. */
  contribution: MAX_COUNCIL_BYTES,
  /** One message of a channel, as JSON. */
  message: MAX_CONTRIBUTION_BYTES,
  /** A state file, a revision, a sealed or late text, a spool: whatever council writes itself. */
  own: MAX_DOCUMENT_BYTES,
  /** A finished council: its texts, and what was counted and quoted out of them. */
  archive: 4 * MAX_COUNCIL_BYTES,
} as const;
