// The whole prompt for a participant.
import { canRead } from '../../agents/runner-kind.ts';
import { oneLine } from '../../base/text.ts';
import type { Extent } from './abridge.ts';
import type { SynthesisFacts } from './synthesis-facts.ts';
import { fence } from './fence.ts';
import type { Fence } from './fence.ts';
import { labelAmongOthers, formatSeatName } from '../naming/labels.ts';
import { maskFor } from '../naming/mask.ts';
import type { Material, OwnContribution } from './visible-contributions.ts';
import type { Mode } from '../state/mode.ts';
import type { ModeReading } from '../state/mode-reading.ts';
import { renderContract } from './contract.ts';
import { challengesToAnswer, factsToTell } from './prompt-ledger.ts';
import { section } from './section.ts';
import { isBlindNow, seat } from '../state/state.ts';
import type { Council, CouncilState } from '../state/state.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import { namePhase } from '../../base/ranking-words.ts';

export interface ViewInput {
  council: Council;
  /** The id of the one who looks: a participant, or the coordinator. */
  participant: string;
  /** The body of the agent's file. */
  persona: string;
  /** The body of COUNCIL.md. */
  houseRules: string;
  mode: Mode;
  /** Where contributions to this mode are read by rules of their own. */
  reading?: ModeReading | undefined;
  /** How much of contributions is shown; as the mode says where it is not set. */
  extent?: Extent | undefined;
}

/** The whole prompt of one participant: who it is, the material, fenced, and last what it has to do and in which form. */
export function renderPrompt(input: ViewInput, material: Material, facts: SynthesisFacts | null): string {
  const { council, participant, persona, houseRules } = input;
  const { state, brief } = council;
  const { view } = loadWords(state.lang);
  // Everything shown: the marker must not occur in any of it.
  const fenced = fence(
    state,
    participant,
    JSON.stringify([brief, noteTexts(council), persona, houseRules, material, facts]),
  );
  const turn = hasTurn(state, participant);
  const isRead = input.reading !== undefined;
  return [
    `# ${fill(view.title, { topic: oneLine(state.topic) })}`,
    section(view.persona, [whoYouAre(state, participant, view), persona]),
    section(view.houseRules, [houseRules]),
    section(view.now, [whereItStands(state, participant, view), turn ? view.taskBelow : '']),
    section(view.brief, [fill(view.fenceNote, { marker: fenced.marker }), fenced(brief)]),
    section(view.notes, noteTexts(council).map(fenced)),
    ...(isRead
      ? [section(view.findings, material.findings ? [fenced(material.findings)] : [])]
      : othersAndOwn(state, participant, material, fenced, view)),
    section(view.ballot, ballotLines(material, fenced)),
    turn && state.currentPhase === 'RESOLVE'
      ? section(view.challenges, challengesToAnswer(material.challenges, state.lang, fenced))
      : '',
    facts ? section(view.facts, factsToTell(facts, state.lang, fenced)) : '',
    turn
      ? renderContract({ state, participant, mode: input.mode, isRead }, material)
      : section(view.instructions, [notYourTurn(state, participant, view)]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** What the person who asked has added, with the names of an anonymous council replaced. */
function noteTexts(council: Council): string[] {
  const { notes = [] } = council.state;
  const mask = notes.length > 0 ? maskFor(council) : undefined;
  return notes.map(({ text }) => mask?.(text).text ?? text);
}

/** True when the open phase asks this participant to speak. */
export function hasTurn(state: CouncilState, participant: string): boolean {
  const asked =
    state.currentPhase === 'SYNTHESIZE'
      ? participant === state.coordinator
      : participant !== state.coordinator;
  return asked && seat(state, participant).status !== 'DONE';
}

function whoYouAre(state: CouncilState, participant: string, view: Words['view']): string {
  const isCoordinator = participant === state.coordinator;
  const lines = [
    fill(isCoordinator ? view.youAreCoordinator : view.youAre, { name: formatSeatName(state, participant) }),
  ];
  const label = labelAmongOthers(state, participant);
  if (label !== undefined) lines.push(fill(view.knownAs, { label }));
  return lines.join(' ');
}

function whereItStands(state: CouncilState, participant: string, view: Words['view']): string {
  const phase = state.currentPhase;
  const lines = [
    fill(view.phase, { phase: namePhase(phase, state.rules), tour: state.tour }),
    fill(view.phases, { phases: state.phases.map((one) => namePhase(one, state.rules)).join(', ') }),
    fill(view.deadline, { deadline: state.timeoutAt }),
  ];
  if (isBlindNow(state)) lines.push(view.blind);
  if (state.read === 'project' && canRead(seat(state, participant).runner)) lines.push(view.reads);
  return lines.map((line) => `- ${line}`).join('\n');
}

function notYourTurn(state: CouncilState, participant: string, view: Words['view']): string {
  if (state.currentPhase !== 'SYNTHESIZE')
    return participant === state.coordinator ? view.notYourTurnCoordinator : view.alreadyDone;
  if (participant === state.coordinator) return view.alreadyDone;
  if (state.coordinator === null) return view.noCoordinator;
  const name = state.anonymous ? '' : `, ${formatSeatName(state, state.coordinator)},`;
  return fill(view.notYourTurn, { coordinator: view.theCoordinator + name });
}

function othersAndOwn(
  state: CouncilState,
  participant: string,
  { contributions, own }: Material,
  fenced: Fence,
  view: Words['view'],
): string[] {
  if (isBlindNow(state)) return [];
  const entry = (label: string, { phase, tour, text, claims, advocate, abridged }: OwnContribution) => {
    const heading = fill(view.contribution, { label, phase, tour });
    const listed = claims.map(({ id, text: words }) => `@${id} ${words}`).join('\n');
    return [
      `### ${advocate ? fill(view.advocateSaid, { contribution: heading }) : heading}`,
      fenced(text),
      ...(abridged ? [fill(view.abridged, { ...abridged, id: participant, council: state.name })] : []),
      ...(claims.length > 0 ? [view.claims, fenced(listed)] : []),
    ].join('\n\n');
  };
  const others = contributions.map((said) => entry(said.label, said));
  const mine = own.map((said) => entry(formatSeatName(state, participant), said));
  return [
    section(view.others, others.length > 0 ? others : [view.noOthers]),
    mine.length > 0 ? section(view.own, mine) : '',
  ];
}

/** The positions by number. They are participants' words. */
function ballotLines({ ballot }: Material, fenced: Fence): string[] {
  if (ballot.length === 0) return [];
  return [fenced(ballot.map(({ id, position }) => `${id}: ${position}`).join('\n'))];
}
