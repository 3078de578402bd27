// The words of the state file, the archive, the computed digest and the prompts. fr.ts has the same keys.
// {name} is a placeholder. Phase names and ids are data: they are never translated.
import { councilWords } from './en/council.ts';
import { archiveWords } from './en/archive.ts';
import { promptsWords } from './en/prompts.ts';
import { terminalWords } from './en/terminal.ts';

export const en = () => ({
  ...councilWords(),
  ...archiveWords(),
  ...promptsWords(),
  ...terminalWords(),
});
