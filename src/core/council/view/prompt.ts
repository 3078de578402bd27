// Renders the whole prompt for a participant.
import { sharesModel } from '../../agents/seat-notation.ts';
import { canRead } from '../../agents/runner-kind.ts';
import { MARKER_PREFIX, toOneLine } from '../../base/text.ts';
import { describeAbridgement } from './abridge.ts';
import type { ViewExtent } from './abridge.ts';
import { renderClaims } from './excerpt.ts';
import { maskAtClose } from './visible-contributions.ts';
import type { SynthesisFacts } from './synthesis-facts.ts';
import {
  breakMarkers,
  createBriefFence,
  createPromptFence,
  createRoundFence,
  renderSection,
} from './fence.ts';
import type { Fence } from './fence.ts';
import { labelAmongOthers, formatRealName } from '../naming/labels.ts';
import type { Material, OwnContribution, SeenRound } from './visible-contributions.ts';
import type { Mode } from '../state/mode.ts';
import type { ModeReading } from '../state/mode-reading.ts';
import { renderContract } from './contract.ts';
import { renderChallengesToAnswer, renderMandatoryFacts } from './prompt-ledger.ts';
import { isBlindNow, getSeat } from '../state/state.ts';
import type { Council, CouncilState } from '../state/state.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Words, Language } from '../../base/words/words.ts';
import { namePhase } from '../../base/words/reasons.ts';
import type { Agent } from '../../agents/agent.ts';

export interface ViewInput {
  council: Council;
  /** The reader's id: a participant, or the coordinator. */
  participant: string;
  /** The body of the agent's file. */
  persona: string;
  /** The body of COUNCIL.md. */
  houseRules: string;
  mode: Mode;
  /** Set if contributions to this mode are read by its own rules. */
  reading?: ModeReading | undefined;
  /** How much of contributions is shown; by default as the mode says. */
  extent?: ViewExtent | undefined;
  /** The folder with the full texts of abridged contributions, for programs that may read files. */
  wholeTexts?: string | undefined;
}

/**
 * Renders the whole prompt of one participant. Providers bill a cached prefix at a fraction, so stable parts
 * come first: what is the same for all in all phases, then what has been revealed, round by round, then
 * everything that changes. `stable`: the end of each stable part, in characters.
 */
export function renderPrompt(
  input: ViewInput,
  material: Material & { rounds: SeenRound[] },
  facts: SynthesisFacts | null,
): { prompt: string; stable: number[] } {
  const stable: number[] = [];
  let prompt = '';
  // In modes with their own reading rules, their findings replace the contributions.
  for (const part of [
    renderCommonPart(input),
    ...renderRounds(input, input.reading ? [] : material.rounds),
  ]) {
    prompt = joinParts([prompt, part]);
    stable.push(prompt.length);
  }
  return { prompt: `${joinParts([prompt, ...renderTurn(input, material, facts)])}\n`, stable };
}

const joinParts = (parts: string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** Renders the part that is the same for all, from the first prompt of a council to the last. */
function renderCommonPart({ council, houseRules }: ViewInput): string {
  const { state, brief } = council;
  const { view } = loadWords(state.lang);
  return joinParts([
    `# ${fill(view.title, { topic: toOneLine(state.topic) })}`,
    `${view.council} ${fill(view.fenceNote, { marker: `${MARKER_PREFIX}…` })}`,
    renderSection(view.houseRules, [houseRules]),
    renderSection(view.brief, [createBriefFence(council)(brief)]),
  ]);
}

/** Renders the contributions, one text per round; notes of the person who asked follow the first. */
function renderRounds({ council, participant }: ViewInput, rounds: SeenRound[]): string[] {
  const { state } = council;
  const { view } = loadWords(state.lang);
  const notes = renderNotes(council, view);
  if (isBlindNow(state) || rounds.length === 0) return notes === '' ? [] : [notes];
  const [first, ...later] = rounds.map((round) => renderRound(council, participant, round, view));
  return [joinParts([renderSection(view.said, first!), notes]), ...later.map(joinParts)];
}

function renderRound(
  council: Council,
  reader: string,
  { tour, others, own }: SeenRound,
  view: Words['view'],
): string[] {
  const fenced = createRoundFence(council, tour, [...others, ...own]);
  const entry = (label: string, { phase, text, claims, advocate, abridged }: OwnContribution): string[] => {
    const heading = fill(view.contribution, { label, phase, tour });
    return [
      `### ${advocate ? fill(view.advocateSaid, { contribution: heading }) : heading}`,
      fenced(text),
      ...(abridged ? [fill(view.abridged, { ...abridged, id: reader, council: council.state.name })] : []),
      ...(claims.length > 0 ? [view.claims, fenced(renderClaims(claims))] : []),
    ];
  };
  return [
    ...others.flatMap((said) => entry(said.label, said)),
    // The reader's own claims are listed where they have to be answered for.
    ...own.flatMap((said) => [
      ...entry(view.you, { ...said, claims: [] }),
      ...describeAbridgement(council.state, reader, said.text, council.state.lang),
    ]),
  ];
}

/** Renders the notes of the person who asked, with the names of an anonymous council replaced. */
function renderNotes(council: Council, view: Words['view']): string {
  const { notes = [] } = council.state;
  if (notes.length === 0) return '';
  const mask = maskAtClose(council, 1);
  const fenced = createBriefFence(council);
  return renderSection(
    view.notes,
    notes.map(({ text }) => fenced(breakMarkers(mask(text).text))),
  );
}

/** Renders what depends on the reader and the open phase, and last what to do, in which form. */
function renderTurn(
  { council: { state }, participant, persona, mode, reading, wholeTexts }: ViewInput,
  material: Material,
  facts: SynthesisFacts | null,
): string[] {
  const { view } = loadWords(state.lang);
  const fenced = createPromptFence(state, participant, JSON.stringify([persona, material, facts]));
  const turn = hasTurn(state, participant);
  const claims = material.own.flatMap((said) => said.claims);
  const where = [
    renderStanding(state, participant, material, view),
    ...(wholeTexts === undefined ? [] : [`- ${fill(view.wholeTexts, { folder: wholeTexts })}`]),
  ].join('\n');
  return [
    renderSection(view.findings, reading && material.findings ? [fenced(material.findings)] : []),
    renderSection(view.persona, [renderIdentity(state, participant, view), persona]),
    renderSection(view.ownClaims, claims.length > 0 ? [fenced(renderClaims(claims))] : []),
    renderSection(view.ballot, renderBallotLines(material, fenced)),
    turn && state.currentPhase === 'RESOLVE'
      ? renderSection(view.challenges, renderChallengesToAnswer(material.challenges, state.lang, fenced))
      : '',
    facts ? renderSection(view.facts, renderMandatoryFacts(facts, state.lang, fenced)) : '',
    turn
      ? renderSection(view.instructions, [
          where,
          ...renderContract({ state, participant, mode, isRead: reading !== undefined }, material),
        ])
      : renderSection(view.instructions, [where, explainNotYourTurn(state, participant, view)]),
  ];
}

/** True if the open phase asks this participant to speak. */
export function hasTurn(state: CouncilState, participant: string): boolean {
  const asked =
    state.currentPhase === 'SYNTHESIZE'
      ? participant === state.coordinator
      : participant !== state.coordinator;
  return asked && getSeat(state, participant).status !== 'DONE';
}

function renderIdentity(state: CouncilState, participant: string, view: Words['view']): string {
  const isCoordinator = participant === state.coordinator;
  const lines = [
    fill(isCoordinator ? view.youAreCoordinator : view.youAre, { name: formatRealName(state, participant) }),
  ];
  const label = labelAmongOthers(state, participant);
  if (label !== undefined) lines.push(fill(view.knownAs, { label }));
  return lines.join(' ');
}

function renderStanding(
  state: CouncilState,
  participant: string,
  { contributions, findings }: Material,
  view: Words['view'],
): string {
  const { runner } = getSeat(state, participant);
  const lines = [fill(view.phase, { phase: namePhase(state.currentPhase, state.rules), tour: state.tour })];
  // Council itself ends a program at the deadline, so only people need to know it.
  if (runner === 'human') lines.push(fill(view.deadline, { deadline: state.timeoutAt }));
  if (isBlindNow(state)) lines.push(view.blind);
  else if (contributions.length === 0 && findings === undefined) lines.push(view.noOthers);
  if (state.read === 'project' && canRead(runner)) lines.push(view.reads);
  return lines.map((line) => `- ${line}`).join('\n');
}

function explainNotYourTurn(state: CouncilState, participant: string, view: Words['view']): string {
  if (state.currentPhase !== 'SYNTHESIZE')
    return participant === state.coordinator ? view.notYourTurnCoordinator : view.alreadyDone;
  if (participant === state.coordinator) return view.alreadyDone;
  if (state.coordinator === null) return view.noCoordinator;
  const name = state.anonymous ? '' : `, ${formatRealName(state, state.coordinator)},`;
  return fill(view.notYourTurn, { coordinator: view.theCoordinator + name });
}

/** Renders the positions by number, fenced because they are participants' words. */
function renderBallotLines({ ballot }: Material, fenced: Fence): string[] {
  if (ballot.length === 0) return [];
  return [fenced(ballot.map(({ id, position }) => `${id}: ${position}`).join('\n'))];
}

/** The persona for the prompt, and the runner's system prompt. */
interface PlacedPersona {
  persona: string;
  system: string;
}

/**
 * Places the persona in the runner's system prompt if it has one; the provider reads that first. Seats that
 * share a model must start with the same words to share a cache, so their personas go into the prompt, after
 * the common parts.
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
