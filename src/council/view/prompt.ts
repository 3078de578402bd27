// The whole prompt for a participant.
import { MAX_CHALLENGES, MAX_CLAIMS } from '../ledger/text/limits.ts';
import { CouncilError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { SynthesisFacts } from './synthesis-facts.ts';
import { fence } from './fence.ts';
import type { Fence } from './fence.ts';
import { handlesOf, labelsOf, nameOf } from '../naming/labels.ts';
import type { Material, OwnContribution } from './visible-contributions.ts';
import type { Mode } from '../state/mode.ts';
import { challengesToAnswer, factsToTell } from './prompt-ledger.ts';
import { isBlindNow, seat } from '../state/state.ts';
import type { Council, CouncilState } from '../state/state.ts';
import { fill, wordsFor } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';

export interface ViewInput {
  council: Council;
  /** The id of the one who looks: a participant, or the coordinator. */
  participant: string;
  /** The body of the agent's file. */
  persona: string;
  /** The body of COUNCIL.md. */
  houseRules: string;
  mode: Mode;
}

/** The whole prompt of one participant: who it is, what to do and in which form, then the material, fenced. */
export function promptOf(input: ViewInput, material: Material, facts: SynthesisFacts | null): string {
  const { council, participant, persona, houseRules } = input;
  const { state, brief } = council;
  const { view } = wordsFor(state.lang);
  // All that is shown, whatever it holds: nobody can have written the marker anywhere.
  const fenced = fence(state, participant, JSON.stringify([brief, persona, houseRules, material, facts]));
  const turn = hasTurn(state, participant);
  return [
    `# ${fill(view.title, { topic: oneLine(state.topic) })}`,
    section(view.persona, [whoYouAre(state, participant, view), persona]),
    section(view.houseRules, [houseRules]),
    section(view.now, [whereItStands(state, view, wordsFor(state.lang))]),
    ...(turn
      ? yourTurn(input, material, view)
      : [section(view.instructions, [notYourTurn(state, participant, view)])]),
    section(view.brief, [fill(view.briefNote, { marker: fenced.marker }), fenced(brief)]),
    ...othersAndOwn(state, participant, material, fenced, view),
    turn && state.currentPhase === 'RESOLVE'
      ? section(view.challenges, challengesToAnswer(material.challenges, state.lang, fenced))
      : '',
    facts ? section(view.facts, factsToTell(facts, state.lang, fenced)) : '',
    turn ? fill(view.reminder, { phase: state.currentPhase }) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** True when the open phase asks this participant to speak. */
function hasTurn(state: CouncilState, participant: string): boolean {
  const asked =
    state.currentPhase === 'SYNTHESIZE'
      ? participant === state.coordinator
      : participant !== state.coordinator;
  return asked && seat(state, participant).status !== 'DONE';
}

function whoYouAre(state: CouncilState, participant: string, view: Words['view']): string {
  const isCoordinator = participant === state.coordinator;
  const lines = [
    fill(isCoordinator ? view.youAreCoordinator : view.youAre, { name: nameOf(state, participant) }),
  ];
  const label = state.anonymous ? labelsOf(state).get(participant) : undefined;
  if (label !== undefined) lines.push(fill(view.knownAs, { label }));
  return lines.join(' ');
}

function whereItStands(state: CouncilState, view: Words['view'], { phases }: Words): string {
  const phase = state.currentPhase;
  const lines = [
    fill(view.phase, { phase, tour: state.tour, meaning: phases[phase] }),
    fill(view.phases, { phases: state.phases.join(', ') }),
    fill(view.deadline, { deadline: state.timeoutAt }),
  ];
  if (isBlindNow(state)) lines.push(view.blind);
  return lines.map((line) => `- ${line}`).join('\n');
}

function notYourTurn(state: CouncilState, participant: string, view: Words['view']): string {
  if (state.currentPhase !== 'SYNTHESIZE')
    return participant === state.coordinator ? view.notYourTurnCoordinator : view.alreadyDone;
  if (participant === state.coordinator) return view.alreadyDone;
  if (state.coordinator === null) return view.noCoordinator;
  const name = state.anonymous ? '' : `, ${nameOf(state, state.coordinator)},`;
  return fill(view.notYourTurn, { coordinator: view.theCoordinator + name });
}

function yourTurn(
  { council, participant, mode }: ViewInput,
  material: Material,
  view: Words['view'],
): string[] {
  const { state } = council;
  const instructions = mode.prompts[state.lang][state.currentPhase];
  if (instructions === undefined) {
    throw new CouncilError(
      'invalid_mode',
      `The mode "${mode.name}" has no prompt for ${state.currentPhase}.`,
      {
        hint: `Add a section "## ${state.currentPhase}" to the mode's file.`,
      },
    );
  }
  return [
    section(view.instructions, [instructions]),
    material.advocate ? section(view.advocate, [view.advocateNote]) : '',
    section(view.form, formOf(state, material)),
    section(view.ending, [endingOf(state, participant, view)]),
  ];
}

function endingOf(state: CouncilState, participant: string, view: Words['view']): string {
  const { runner } = seat(state, participant);
  if (runner === 'human') return fill(view.endingHuman, { id: participant, name: state.name });
  // Only a command has a standard output: told so, a model would try to run a program.
  return runner === 'command' ? view.endingCommand : view.endingAgent;
}

function othersAndOwn(
  state: CouncilState,
  participant: string,
  { contributions, own }: Material,
  fenced: Fence,
  view: Words['view'],
): string[] {
  if (isBlindNow(state)) return [];
  const entry = (label: string, { phase, tour, text, claims, advocate }: OwnContribution) => {
    const heading = fill(view.contribution, { label, phase, tour });
    const listed = claims.map(({ id, text: words }) => `@${id} ${words}`).join('\n');
    return [
      `### ${advocate ? fill(view.advocateSaid, { contribution: heading }) : heading}`,
      fenced(text),
      ...(claims.length > 0 ? [view.claims, fenced(listed)] : []),
    ].join('\n\n');
  };
  const others = contributions.map((said) => entry(said.label, said));
  const mine = own.map((said) => entry(nameOf(state, participant), said));
  const { marker } = fenced;
  return [
    section(
      view.others,
      others.length > 0 ? [fill(view.othersNote, { marker }), ...others] : [view.noOthers],
    ),
    mine.length > 0 ? section(view.own, [view.ownNote, ...mine]) : '',
  ];
}

function section(heading: string, paragraphs: string[]): string {
  const filled = paragraphs.map((text) => text.trim()).filter((text) => text !== '');
  return filled.length > 0 ? [`## ${heading}`, ...filled].join('\n\n') : '';
}

/** The form of a contribution to the open phase: its front matter, how to address claims, what a change of position needs. */
function formOf(state: CouncilState, { contributions, advocate }: Material): string[] {
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
