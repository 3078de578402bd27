import { handlesOf } from '../naming/labels.ts';
import { MAX_CHALLENGES, MAX_CLAIMS } from '../ledger/text/limits.ts';
import type { Material } from './visible-contributions.ts';
import type { CouncilState } from '../state/state.ts';
import { fill, wordsFor } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';

/** The form of a contribution to the open phase: its front matter, how to address claims, what a change of position needs. */
export function formOf(state: CouncilState, { contributions, advocate }: Material): string[] {
  const { view } = wordsFor(state.lang);
  const { currentPhase: phase, rules } = state;
  const isDebated = phase === 'CHALLENGE' || phase === 'RESOLVE';
  const options = rules.options?.map((option) => `\`${option}\``).join(', ');
  const claim =
    contributions.flatMap(({ claims }) => claims)[0]?.id ?? `${[...handlesOf(state).values()].at(-1)}.1`;
  return [
    view.formText,
    example(state, view),
    phase === 'SYNTHESIZE' ? view.formFieldsSynthesis : view.formFields,
    options === undefined ? '' : fill(view.formOptions, { options }),
    phase === 'COLLECT' ? fill(view.formClaims, { limit: String(MAX_CLAIMS) }) : '',
    phase === 'CHALLENGE' ? fill(view.formChallenge, { claim, limit: String(MAX_CHALLENGES) }) : '',
    // Who argues for the other side on request is not moved by it.
    isDebated && !advocate ? fill(view.formMoves, { claim }) : '',
  ];
}

function example({ currentPhase, rules }: CouncilState, view: Words['view']): string {
  const isSynthesis = currentPhase === 'SYNTHESIZE';
  const fields = isSynthesis ? [] : ['confidence: 0.7', 'agreed: false', 'done: false'];
  const position = isSynthesis ? view.formDecision : rules.options ? view.formOption : view.formPosition;
  return ['```yaml', '---', `position: ${position}`, ...fields, 'blocking: []', '---', '```'].join('\n');
}
