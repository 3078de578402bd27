// The prompts that COLLECT of a council would begin with.
import type { Council } from '../../council/state/state.ts';
import { firstState } from '../../council/use/start.ts';
import { placePersona } from '../../council/view/place-persona.ts';
import { viewFor } from '../../council/view/view.ts';
import type { ToStart } from '../convene.ts';

/** The prompt of a participant; `system` is the persona, if the runner takes it separately. */
export interface Prompt {
  bytes: number;
  /** Those of the beginning that is the same in every prompt of the council. */
  common: number;
  text: string;
  system: string;
}

/** A placeholder conversation id. Prompt markers derived from it differ in a real council. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The council as it starts, without contributions. Throws like `start`. */
export const buildOpeningCouncil = (council: ToStart): Council => ({
  state: firstState(council, NOBODY, Date.now()),
  brief: council.brief,
  contributions: [],
});

/** By participant. */
export function buildCollectPrompts(council: ToStart, houseRules: string): Map<string, Prompt> {
  const opening = buildOpeningCouncil(council);
  const { agents, coordinator, mode, reading } = council;
  const participants = agents.filter(({ id }) => id !== coordinator?.id);
  const borrowed = coordinator?.borrows && agents.find(({ id }) => id === coordinator.borrows![0]);
  const seated = [...participants, ...(coordinator ? [borrowed ?? coordinator] : [])];
  return new Map(
    participants.map((agent) => {
      const { persona, system } = placePersona(agent, seated, agent.persona, opening.state.lang);
      const view = viewFor({ council: opening, participant: agent.id, persona, houseRules, mode, reading });
      const text = agent.input === 'json' ? JSON.stringify(view) : view.prompt;
      const measure = (part: string): number => Buffer.byteLength(part) + Buffer.byteLength(system);
      const common = text === view.prompt ? measure(text.slice(0, view.stable[0])) : 0;
      return [agent.id, { bytes: measure(text), common, text, system }];
    }),
  );
}
