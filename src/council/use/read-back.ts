// Tells what is read in a text, without recording it.
import { readBack } from '../view/read-back.ts';
import type { ReadBack, Written } from '../view/read-back.ts';
import { openBallot } from '../state/ballot.ts';
import type { Council } from '../state/state.ts';
import { readVerdict } from './verdict.ts';
import type { VerdictFlags } from './verdict.ts';

/** What is read in a text that somebody writes, or may write, in a phase; `council` is null where there is none. */
export async function readText(
  council: Council | null,
  { flags = NO_FLAGS, ...written }: Omit<Written, 'verdict'> & { flags?: VerdictFlags },
): Promise<ReadBack> {
  const ballot = council ? openBallot(council.state) : [];
  const hasOptions = council !== null && council.state.rules.options !== null;
  const { verdict } = await readVerdict(written.text, flags, ballot, hasOptions);
  return readBack(council, { ...written, verdict });
}

const NO_FLAGS: VerdictFlags = { agree: false, done: false, block: [] };
