// Offline panel: parses the view that its programs receive.
import { CouncilError } from '../core/base/errors.ts';
import { isObject, parseJsonSafely } from '../core/base/text.ts';

export const PHASES = ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'] as const;
export type Phase = (typeof PHASES)[number];

/** A contribution to an earlier phase. */
export interface EarlierContribution {
  /** The displayed name: a title, or "Participant B" where names are hidden. */
  label: string;
  phase: Phase;
  text: string;
}

/** The part of `council view --json` that the panel needs. */
export interface View {
  phase: Phase;
  brief: string;
  contributions: EarlierContribution[];
  /** The reader's own earlier contributions, if the view has them. */
  own: Omit<EarlierContribution, 'label'>[];
}
const isPhase = (value: unknown): value is Phase => PHASES.some((phase) => phase === value);

/** Parses stdin. Throws `usage`, naming the field, if it is not a valid view. */
export function parseView(json: string): View {
  let value: unknown;
  try {
    value = parseJsonSafely(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw createViewError(`stdin is not JSON (${error.message.slice(0, 120)})`, error);
  }
  if (!isObject(value)) throw createViewError('stdin is not a JSON object');
  const { phase, brief, contributions = [], own = [] } = value;
  if (!isPhase(phase))
    throw createViewError(`"phase" must be one of ${PHASES.join(', ')}, not ${quoteValue(phase)}`);
  if (typeof brief !== 'string') throw createViewError(`"brief" must be a string, not ${quoteValue(brief)}`);
  if (!Array.isArray(contributions))
    throw createViewError(`"contributions" must be an array, not ${quoteValue(contributions)}`);
  if (!Array.isArray(own)) throw createViewError(`"own" must be an array, not ${quoteValue(own)}`);
  return {
    phase,
    brief,
    contributions: contributions.map((said, index) => readSaid(said, `contributions[${index}]`)),
    own: own.map((said, index) => readSaid(said, `own[${index}]`)),
  };
}

function readSaid(value: unknown, where: string): EarlierContribution {
  if (!isObject(value)) throw createViewError(`"${where}" must be an object, not ${quoteValue(value)}`);
  const { label = '', phase, text } = value;
  if (typeof label !== 'string')
    throw createViewError(`"${where}.label" must be a string, not ${quoteValue(label)}`);
  if (!isPhase(phase))
    throw createViewError(`"${where}.phase" must be one of ${PHASES.join(', ')}, not ${quoteValue(phase)}`);
  if (typeof text !== 'string')
    throw createViewError(`"${where}.text" must be a string, not ${quoteValue(text)}`);
  return { label, phase, text };
}

const quoteValue = (value: unknown): string =>
  value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40);

function createViewError(what: string, cause?: unknown): CouncilError {
  return new CouncilError('usage', `Cannot read the view: ${what}.`, {
    hint: 'The programs of the panel read on stdin what "council view AGENT --json" prints; set "input: json" in the agent file.',
    cause,
  });
}
