// What a control is asked: its own blind answer once more, with nothing that anybody else has said.
import { createFence } from '../../base/fence.ts';
import { loadWords } from '../../base/words/words.ts';
import { newcomer } from '../state/new-state.ts';
import type { Council, CouncilState } from '../state/state.ts';
import { breakMarkers } from './fence.ts';
import { section } from './section.ts';
import { viewFor } from './view.ts';
import type { View, ViewInput } from './view.ts';

/** The council as it was when COLLECT began. */
export function rewindToCollect({ state, brief }: Council): Council {
  const { reveals: _reveals, notes: _notes, ...rest } = state;
  const past: CouncilState = {
    ...rest,
    currentPhase: 'COLLECT',
    tour: 1,
    ballot: [],
    advocate: null,
    ledger: { claims: [], challenges: [], moves: [] },
    participants: Object.fromEntries(state.order.map((id) => [id, newcomer(state.participants[id]!)])),
    transitions: [],
    absences: [],
  };
  return { state: past, brief, contributions: [] };
}

/** The view of COLLECT, with the answer that was given there and the wish to think it over. */
export function viewForControl(input: ViewInput): View {
  const { council, participant } = input;
  const { control } = loadWords(council.state.lang);
  const own = council.contributions.find(({ by, phase }) => by === participant && phase === 'COLLECT');
  const said = breakMarkers(own?.text ?? '');
  const view = viewFor({ ...input, council: rewindToCollect(council) });
  const fence = createFence([council.state.conversationId, participant, 'control'], said);
  return {
    ...view,
    prompt: `${view.prompt.trimEnd()}\n\n${section(control.again, [control.reconsider, fence(said)])}\n`,
  };
}
