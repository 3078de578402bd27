// What a council was started with and its later ticks need: kept beside it where it is played from several checkouts.
import * as z from 'zod/mini';

const pinned = z.object({
  /** The mode file. */
  mode: z.string(),
  /** The body of COUNCIL.md. */
  houseRules: z.string(),
  /** Who each participant is told to be, by id. */
  personas: z.record(z.string(), z.string()),
});

export type Pinned = z.infer<typeof pinned>;

/** Reads what `JSON.stringify` has made of it. */
export const parsePinned = (text: string): Pinned => pinned.parse(JSON.parse(text));
