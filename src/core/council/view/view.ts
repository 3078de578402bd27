// What a participant may see now, as data and as a prompt.
import { limitShownBytes } from './abridge.ts';
import { buildSynthesisFacts } from './synthesis-facts.ts';
import type { SynthesisFacts } from './synthesis-facts.ts';
import { labelAmongOthers } from '../naming/labels.ts';
import { getMask, countUnmaskedNames } from '../naming/mask.ts';
import { buildMaterial } from './visible-contributions.ts';
import type { Material } from './visible-contributions.ts';
import { renderFormLines, renderGuidance } from './contract.ts';
import { hasTurn, renderPrompt } from './prompt.ts';
import type { ViewInput } from './prompt.ts';
import { getSeat } from '../state/state.ts';
import type { Contribution, CouncilState, Participant, Council } from '../state/state.ts';
import { collectVotes } from '../vote/votes.ts';
import { sha256 } from '../../base/ids.ts';
import { loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import { createFence } from '../../base/text.ts';
import { createParticipant } from '../state/new-state.ts';
import { breakMarkers, renderSection } from './fence.ts';
export type { ViewInput } from './prompt.ts';

/** What one participant may see now. Runners, `council view` and all other interfaces show only this. */
export interface View extends Material {
  name: string;
  topic: string;
  lang: Language;
  participant: string;
  /** The label under which others see the participant in an anonymous council; otherwise null. */
  label: string | null;
  /** What the participant has done in the open phase. */
  status: Participant['status'];
  /** True if the open phase asks the participant to speak, whether done or not. */
  asked: boolean;
  /** Unique per council, participant and round; the key for stored drafts. */
  key: string;
  phase: PhaseName;
  tour: number;
  /** ISO 8601 UTC. */
  deadline: string;
  brief: string;
  /** Everything as one text with instructions: what a program gets on stdin. */
  prompt: string;
  /** Offsets in characters at which prompt parts shared with later prompts end: common part, then each round. */
  stable: number[];
  /** The form lines that the contribution starts with; empty if it is not the participant's turn. */
  form: string;
  /** How to write and how to think, in Markdown; empty if it is not the participant's turn. */
  instructions: string;
  /** The only positions allowed; null if positions are free labels. */
  options: string[] | null;
  /** The number of the participant's current vote, if asked to vote; otherwise null. */
  vote: string | null;
  /** What must appear in the synthesis; null for anyone who does not write it now. */
  facts: SynthesisFacts | null;
}

/**
 * Returns what `participant` may see now. In blind COLLECT: only the brief and their own texts, even for the
 * coordinator. Later: the closed rounds; in SYNTHESIZE the coordinator sees everything.
 * In an anonymous council other names are replaced: `replaced` counts them, `notes` lists those that could not
 * be replaced. Throws `unknown_agent` for a non-participant, `invalid_mode` if the mode has no prompt for the
 * phase.
 */
export function viewFor(input: ViewInput): View {
  const { council, participant, persona, houseRules, mode, reading } = input;
  const { state, brief } = council;
  const { status } = getSeat(state, participant);
  const asked = hasTurn(state, participant);
  const mask = getMask(council);
  const shown = limitShownBytes(state, participant, input.extent);
  const { rounds, ...all } = buildMaterial(council, participant, mask, shown);
  const material: Material = reading
    ? { ...all, contributions: [], findings: reading.renderOthers(council, participant) }
    : all;
  const summed = buildSynthesisFacts(council, participant, mask, shown.others);
  const facts = summed?.facts ?? null;
  const { options } = state.rules;
  const inPlace = { topic: state.topic, brief, options: options?.join('\n') ?? '', persona, houseRules };
  const asTheyAre = Object.entries(inPlace).flatMap(([where, text]) =>
    countUnmaskedNames(mask.find(text), where, participant),
  );
  return {
    name: state.name,
    topic: state.topic,
    lang: state.lang,
    participant,
    label: labelAmongOthers(state, participant) ?? null,
    status,
    asked,
    key: sha256(JSON.stringify([state.conversationId, participant, state.tour])).slice(0, 16),
    phase: state.currentPhase,
    tour: state.tour,
    deadline: state.timeoutAt,
    brief,
    ...renderPrompt(input, { ...material, rounds }, facts),
    form: asked && !reading ? renderFormLines(state, material) : '',
    instructions: asked
      ? renderGuidance({ state, participant, mode, isRead: reading !== undefined }, material)
      : '',
    options,
    vote: (asked && findHeldNumber(participant, state, council.contributions)) || null,
    facts,
    ...material,
    notes: sumNotes([...asTheyAre, ...material.notes, ...(summed?.notes ?? [])]),
  };
}

/** Returns the number of a participant's current vote; undefined without one. */
const findHeldNumber = (
  participant: string,
  state: CouncilState,
  contributions: readonly Contribution[],
): string | undefined =>
  collectVotes({ state, contributions }, { upTo: state.tour - 1 }).find(({ by }) => by === participant)
    ?.number;

/** Sums up notes by place and kind. */
function sumNotes(notes: View['notes']): View['notes'] {
  const sums = new Map<string, View['notes'][number]>();
  for (const note of notes) {
    const key = `${note.where}\n${note.what}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...known, count: known.count + note.count } : note);
  }
  return [...sums.values()];
}

/** Returns the council as it was when COLLECT began. */
export function rewindToCollect({ state, brief }: Council): Council {
  const { reveals: _reveals, notes: _notes, ...rest } = state;
  const past: CouncilState = {
    ...rest,
    currentPhase: 'COLLECT',
    tour: 1,
    ballot: [],
    advocate: null,
    ledger: { claims: [], challenges: [], moves: [] },
    participants: Object.fromEntries(
      state.order.map((id) => [id, createParticipant(state.participants[id]!)]),
    ),
    transitions: [],
    absences: [],
  };
  return { state: past, brief, contributions: [] };
}

/** Returns the view of COLLECT, with the participant's own answer and a request to reconsider it. */
export function buildControlView(input: ViewInput): View {
  const { council, participant } = input;
  const { control } = loadWords(council.state.lang);
  const own = council.contributions.find(({ by, phase }) => by === participant && phase === 'COLLECT');
  const said = breakMarkers(own?.text ?? '');
  const view = viewFor({ ...input, council: rewindToCollect(council) });
  const fence = createFence([council.state.conversationId, participant, 'control'], said);
  return {
    ...view,
    prompt: `${view.prompt.trimEnd()}\n\n${renderSection(control.again, [control.reconsider, fence(said)])}\n`,
  };
}
