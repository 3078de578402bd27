// The prompt that asks an agent again: what was read, what is missing, and the texts needed for it.
import { toOneLine } from '../../base/text.ts';
import type { Language, Words } from '../../base/words/words.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import { formatRealName } from '../naming/labels.ts';
import { formatRank } from '../../base/words/reasons.ts';
import { getSeat } from '../state/state.ts';
import { getDecisionToRestate } from '../vote/synthesis-mark.ts';
import type { CouncilState } from '../state/state.ts';
import { renderClaims } from './excerpt.ts';
import { createPromptFence, renderSection } from './fence.ts';
import type { Fence } from './fence.ts';
import { renderChallengesToAnswer } from './prompt-ledger.ts';
import type { ViewInput } from './prompt.ts';
import type { ReadBack } from './read-back.ts';
import type { Material } from './visible-contributions.ts';

export interface PreviousAnswer {
  said: string;
  read: ReadBack;
}

interface RepairContext extends PreviousAnswer {
  state: CouncilState;
  material: Material;
  fenced: Fence;
  words: Words;
}

/** Renders the whole prompt for a repair, with the persona as before, but without the task. */
export function repairPrompt(
  { council: { state }, participant, persona }: Pick<ViewInput, 'council' | 'participant' | 'persona'>,
  material: Material,
  { said, read }: PreviousAnswer,
): string {
  const words = loadWords(state.lang);
  const { view, again } = words;
  const { currentPhase: phase, tour } = state;
  const fenced = createPromptFence(state, participant, JSON.stringify([persona, said, read, material]));
  const asked: RepairContext = { state, material, fenced, words, said, read };
  const isCommand = getSeat(state, participant).runner === 'command';
  return [
    `# ${fill(view.title, { topic: toOneLine(state.topic) })}`,
    [
      fill(view.youAre, { name: formatRealName(state, participant) }),
      fill(again.intro, { phase, tour }),
      fill(view.fenceNote, { marker: fenced.marker }),
    ].join(' '),
    renderSection(view.persona, [persona]),
    renderSection(view.own, [fenced(said)]),
    renderSection(again.read, [
      read.repeated ? again.repeated : '',
      fenced(readLines(asked).join('\n') || '–'),
    ]),
    renderSection(again.missing, [
      ...renderMissingParts(asked),
      isCommand ? again.endingCommand : again.endingAgent,
    ]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** Renders what was read, one per line: the author's words, or names of fields. */
function readLines({ read, words: { ledger } }: RepairContext): string[] {
  const { position, vote, rank, quotes, answers, missing } = read;
  return [
    ...(position === null && !missing.includes('position') ? [] : [`position: ${position ?? '–'}`]),
    ...(vote === null ? [] : [`vote: ${vote}`]),
    ...(rank.length === 0 ? [] : [`rank: ${formatRank(rank)}`]),
    ...quotes.map(({ text, status }) => `"${text}": ${ledger[status === 'own_case' ? 'verified' : status]}`),
    ...Object.entries(answers).map(([id, status]) => `${id}: ${ledger[status]}`),
  ];
}

function renderMissingParts(asked: RepairContext): string[] {
  const { read, state, words, fenced } = asked;
  const has = (what: string): boolean => read.missing.includes(what);
  const field =
    (['rank', 'vote'] as const).find(has) ?? (has('position') || has('option') ? 'position' : null);
  return [
    ...(read.gaps ?? []),
    ...(has('option') ? [words.again.noOption] : []),
    ...(read.unclear.length === 0
      ? []
      : [fenced(read.unclear.map((one) => fill(words.unclear[one.why], { ...one })).join('\n'))]),
    ...(has('blocking') ? [words.again.blocking] : []),
    ...(field === null ? [] : renderMissingField(field, asked)),
    ...(has('decision') ? [words.again.decision, ...renderDecisionLine(asked)] : []),
    ...(has('quote') ? renderQuotesToFix(asked) : []),
    ...(has('because') ? renderReasonLine(asked) : []),
    ...renderAnswersToGive(asked, state.lang),
  ];
}

function renderMissingField(
  field: 'vote' | 'rank' | 'position',
  { read, state, material, fenced, words }: RepairContext,
): string[] {
  const { view, field: meaning } = words;
  const options = state.rules.options?.map((option) => `\`${option}\``).join(', ');
  const numbers = material.ballot.map(({ id }) => id).join(', ');
  const isOption = field === 'position' && options !== undefined;
  const means = isOption
    ? fill(meaning.option, { options })
    : fill(meaning[field === 'rank' && state.rules.ranks ? 'rankAnswers' : field], { numbers });
  const ballot = material.ballot.map(({ id, position }) => `${id}: ${position}`).join('\n');
  return [
    ...(read.missing.includes('option') || read.unclear.length > 0 ? [] : [words.again[field]]),
    ...(field === 'position' ? [] : [fenced(ballot)]),
    view.fillIn,
    ['---', `${field}:`, '---'].join('\n'),
    `- ${means}`,
  ];
}

/** Renders the ballot, and the form line for the decision. */
function renderDecisionLine({ state, material, fenced, words }: RepairContext): string[] {
  const ballot = material.ballot.map(({ id, position }) => `${id}: ${position}`).join('\n');
  const decision = getDecisionToRestate(state) ?? '';
  const line = ['---', 'decision:', '---'].join('\n');
  return [fenced(ballot), words.view.fillIn, line, `- ${fill(words.field.decision, { decision })}`];
}

/** Renders the quotes that were not found, and the texts of their addressees, or of all if unknown. */
function renderQuotesToFix({ read, material, fenced, words: { again, view } }: RepairContext): string[] {
  const wrong = read.quotes.filter(({ status }) => status === 'not_found').map(({ text }) => `> ${text}`);
  const aimed = read.challenges.filter(({ quote }) => quote === 'not_found');
  const handles = new Set(aimed.map(({ target }) => target?.split('.')[0]));
  const isMeant = (claims: { id: string }[]): boolean =>
    handles.size === 0 || handles.has(undefined) || claims.some(({ id }) => handles.has(id.split('.')[0]));
  const meant = material.contributions.filter(({ claims, tour }) => tour > 1 || isMeant(claims));
  return [again.quotes, fenced(wrong.join('\n')), ...renderSaid(meant, { fenced, view })];
}

/** Renders the form line for the reason of a move, and the others' texts unless already shown for quotes. */
function renderReasonLine({
  read,
  material,
  fenced,
  words: { again, field, view },
}: RepairContext): string[] {
  const line = ['---', 'because:', '---'].join('\n');
  const isShown = read.missing.includes('quote');
  const said = isShown ? [] : renderSaid(material.contributions, { fenced, view });
  return [again.because, ...said, view.fillIn, line, `- ${field.because}`];
}

const renderSaid = (
  contributions: Material['contributions'],
  { fenced, view }: { fenced: Fence; view: Words['view'] },
): string[] =>
  contributions.flatMap(({ label, phase, tour, text, claims }) => [
    `### ${fill(view.contribution, { label, phase, tour })}`,
    fenced(text),
    ...(claims.length === 0 ? [] : [view.claims, fenced(renderClaims(claims))]),
  ]);

function renderAnswersToGive(
  { read, material, fenced, words: { again } }: RepairContext,
  lang: Language,
): string[] {
  const open = material.challenges.filter(({ id }) => read.missing.includes(id));
  const [first] = open;
  return first
    ? [fill(again.answers, { id: first.id }), ...renderChallengesToAnswer(open, lang, fenced)]
    : [];
}

/** Adds to the prompt of the next launch why the previous text was refused. */
export function addRefusal(prompt: string, code: string, lang: Language): string {
  const { again, refusal } = loadWords(lang);
  const reasons: Record<string, string> = refusal;
  const why = (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? code;
  return `${prompt}\n${renderSection(again.refused, [fill(again.refusedNote, { why })])}\n`;
}
