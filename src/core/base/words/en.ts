// The words of the state file, the archive, the computed digest and the prompts. fr.ts has the same keys.
// {name} is a placeholder. Phase names and ids are data: they are never translated.
import { councilWords } from './en/council.ts';
import { reasonWords } from './en/reasons.ts';
import { archiveWords } from './en/archive.ts';
import { votesWords } from './en/votes.ts';
import { promptsWords } from './en/prompts.ts';
import { seatWords } from './en/seat.ts';
import { terminalWords } from './en/told.ts';

export const en = () => ({
  ...councilWords(),
  ...reasonWords(),
  ...archiveWords(),
  ...votesWords(),
  ...promptsWords(),
  ...seatWords(),
  ...terminalWords(),
});
