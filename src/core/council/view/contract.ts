// The instructions for a participant's turn: the form to fill in, how to write, and how to think.
import { CouncilError } from '../../base/errors.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import { getSeat } from '../state/state.ts';
import { getDecisionToRestate } from '../vote/synthesis-mark.ts';
import type { Mode } from '../state/mode.ts';
import type { CouncilState } from '../state/state.ts';
import type { Material } from './visible-contributions.ts';

type View = Words['view'];
/** A form field with a description in the prompt. */
type FieldName = Exclude<keyof Words['field'], 'option' | 'rankAnswers'>;

interface PromptTurn {
  state: CouncilState;
  participant: string;
  mode: Mode;
  /** Contributions are read by the mode's own rules, and it says how to write them: there is no form. */
  isRead: boolean;
}

/** Renders a turn's instructions, after the material: the mode says how to think, the form how to write. */
export function renderContract(turn: PromptTurn, material: Material): string[] {
  const { state, participant, mode, isRead } = turn;
  const { view } = loadWords(state.lang);
  const ending = describeSubmission(state, participant, view);
  if (isRead) return [requireInstructions(state, mode), ending];
  const fields = listFormFields(state, material);
  return [
    ...(fields.length > 0
      ? [view.fillIn, renderFieldLines(fields), renderFieldMeanings(fields, state, material.ballot)]
      : [view.advocateNote, view.nothingToFillIn]),
    renderWritingRules(state, material, view),
    ending,
    `### ${view.thinking}`,
    requireInstructions(state, mode),
  ];
}

/** Renders how to write and how to think, without the form. */
export function renderGuidance({ state, mode, isRead }: PromptTurn, material: Material): string {
  if (isRead) return requireInstructions(state, mode);
  const { view } = loadWords(state.lang);
  const note = material.advocate ? `${view.advocateNote}\n\n` : '';
  return `${note}${renderWritingRules(state, material, view)}\n\n${requireInstructions(state, mode)}`;
}

/** Renders the form lines that a turn starts with; empty for the advocate. */
export const renderFormLines = (state: CouncilState, material: Material): string =>
  renderFieldLines(listFormFields(state, material));

/** Returns the fields that the open phase asks for, in form order. */
function listFormFields(state: CouncilState, { advocate }: Material): FieldName[] {
  if (advocate) return [];
  const { currentPhase: phase, ballot = [], rules } = state;
  if (phase === 'SYNTHESIZE') return [getDecisionToRestate(state) === null ? 'result' : 'decision'];
  if (phase === 'COLLECT') return ['position', 'confidence', 'blocking'];
  if (rules.ranks === 'answers' && ballot.length > 0) return ['rank', 'confidence', 'blocking'];
  // Councils older than ballots, and those without any stated position, use sentences.
  const added: FieldName[] = rules.options ? [] : ['new'];
  const choice: FieldName[] =
    ballot.length === 0
      ? ['position']
      : rules.rule === 'ranked'
        ? ['rank', ...added]
        : ['vote', 'approve', ...added, 'same'];
  const held: FieldName[] =
    phase === 'CHALLENGE' ? ['holds'] : rules.rule === 'blind-first' ? ['because'] : [];
  return [...choice, ...held, 'confidence', 'blocking', 'agreed'];
}

const KEYS: Partial<Record<FieldName, string>> = { result: 'position' };

function renderFieldLines(fields: FieldName[]): string {
  if (fields.length === 0) return '';
  return ['---', ...fields.map((field) => `${KEYS[field] ?? field}:`), '---'].join('\n');
}

function renderFieldMeanings(fields: FieldName[], state: CouncilState, ballot: Material['ballot']): string {
  const { rules, lang } = state;
  const meaning = loadWords(lang).field;
  const options = rules.options?.map((option) => `\`${option}\``).join(', ');
  const decision = getDecisionToRestate(state) ?? '';
  const numbers = ballot.map(({ id }) => id).join(', ');
  const describeField = (field: FieldName): string =>
    field === 'position' && options !== undefined
      ? fill(meaning.option, { options })
      : fill(meaning[field === 'rank' && rules.ranks ? 'rankAnswers' : field], { numbers, decision });
  return fields.map((field) => `- ${describeField(field)}`).join('\n');
}

/** Renders how to write the text below the form. */
function renderWritingRules(state: CouncilState, material: Material, view: View): string {
  const { currentPhase: phase } = state;
  const { challenges, advocate } = material;
  const [first] = challenges;
  // The advocate argues on request, so this does not move it.
  const mayMove = (phase === 'CHALLENGE' || phase === 'RESOLVE') && !advocate;
  const parts = [
    view.writing,
    phase === 'COLLECT' ? view.writingClaims : '',
    phase === 'CHALLENGE' ? view.writingChallenge : '',
    phase === 'RESOLVE' && first ? fill(view.writingAnswers, { id: first.id }) : '',
    // The form already has a line for it.
    mayMove && !listFormFields(state, material).includes('because') ? view.writingMoves : '',
    mayMove && phase === 'RESOLVE' ? view.writingNumbers : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function describeSubmission(state: CouncilState, participant: string, view: View): string {
  const { runner } = getSeat(state, participant);
  if (runner === 'human') return fill(view.endingHuman, { id: participant, name: state.name });
  // Only a command has a standard output: if told so, a model would try to run a program.
  return runner === 'command' ? view.endingCommand : view.endingAgent;
}

function requireInstructions(state: CouncilState, mode: Mode): string {
  const instructions = mode.prompts[state.lang][state.currentPhase];
  if (instructions !== undefined) return instructions;
  throw new CouncilError('invalid_mode', `The mode "${mode.name}" has no prompt for ${state.currentPhase}.`, {
    hint: `Add a section "## ${state.currentPhase}" to the mode's file.`,
  });
}
