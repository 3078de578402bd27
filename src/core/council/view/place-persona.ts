// Where a participant learns who it is: apart from the prompt, or in it.
import type { Agent } from '../../agents/agent.ts';
import { sharesModel } from '../../agents/seat-notation.ts';
import { loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';

/** What goes into the prompt, and what the runner takes as its system prompt. */
export interface PlacedPersona {
  persona: string;
  system: string;
}

/**
 * A runner with a place of its own for the persona gets it there, where the provider reads it before everything else. Seats that share
 * a model must begin with the same words to share what is cached: their personas go into the prompt, behind what they have in common.
 */
export function placePersona(
  agent: Agent,
  seated: readonly Agent[],
  persona: string,
  lang: Language,
): PlacedPersona {
  if (agent.runner === 'command' || agent.runner === 'human') return { persona, system: '' };
  if (sharesModel(agent, seated)) return { persona, system: loadWords(lang).view.council };
  return { persona: '', system: persona };
}
