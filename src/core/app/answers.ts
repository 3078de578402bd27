// The blind answers of a council, and how its votes and positions stand now.
import type { Archive, Proceedings } from '../archive/archive.ts';
import { composeArchive } from '../archive/compose-archive.ts';
import { computeStandings, groupByPosition } from '../archive/positions.ts';
import { toOneLine } from '../base/text.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Language, Words } from '../base/words/words.ts';
import { formatOutcomeSentence } from '../council/vote/explain.ts';
import type { Council, Decision } from '../council/state/state.ts';
import { extractSpokenWords } from '../council/ledger/text/spoken-words.ts';

export { extractSpokenWords };

/** A participant's blind answer. */
export interface Answer {
  participant: string;
  title: string;
  /** Null if it named none. */
  position: string | null;
  /** Its text without the form fields. */
  text: string;
}

/** A position, and who supports it now. */
export interface SupportedPosition {
  /** Its number on the ballot; null if it has none. */
  id: string | null;
  position: string;
  by: string[];
}

export interface AnswersDocument {
  lang: Language;
  answers: Answer[];
  /** The current result of the votes, in a sentence; null if no rule decides. */
  outcome: string | null;
  /** Sorted by support, highest first. */
  positions: SupportedPosition[];
  /** Participants who answered without a position. */
  withoutPosition: string[];
  /** Issues that must be solved first. */
  blocking: { by: string; issue: string }[];
  /** Participants without an answer in the blind round, and why. */
  unheard: { participant: string; reason: string }[];
}

/**
 * Formats `P1 "Buy it" (claude, gemini)`, with at most `longest` characters of the position, in the
 * language's quotation marks.
 */
export const renderSupportedPosition = (
  { id, position, by }: SupportedPosition,
  { outcome }: Pick<Words, 'outcome'>,
  longest = 160,
): string =>
  `${id === null ? '' : `${id} `}${fill(outcome.position, { position: toOneLine(position, longest) })} (${by.join(', ')})`;

/** Returns each answer in COLLECT, and what council computes from the answers so far. */
export function describeAnswers(
  archive: Pick<Archive, 'meta' | 'contributions' | 'absences'>,
): AnswersDocument {
  const { meta, contributions, absences } = archive;
  const all = computeStandings(archive);
  return {
    lang: meta.lang,
    answers: contributions.flatMap(({ by, phase, position = null, text }) =>
      phase === 'COLLECT'
        ? [{ participant: by, title: findTitle(meta, by), position, text: extractSpokenWords(text) }]
        : [],
    ),
    outcome:
      meta.decision && meta.decision.rule !== 'none'
        ? formatOutcomeSentence(omitHowIfBlind(archive), loadWords(meta.lang))
        : null,
    positions: groupByPosition(all)
      .map(({ position, participants: by }) => ({
        id: findBallotNumberByWords(meta, position),
        position,
        by,
      }))
      .sort((a, b) => b.by.length - a.by.length || compareBallotIds(a.id, b.id)),
    withoutPosition: all.flatMap(({ participant, spoke, counted }) =>
      spoke && counted === null ? [participant] : [],
    ),
    blocking: all.flatMap(({ participant: by, blocking }) => blocking.map((issue) => ({ by, issue }))),
    unheard: absences.flatMap(({ phase, participant, reason }) =>
      phase === 'COLLECT' ? [{ participant, reason }] : [],
    ),
  };
}

/**
 * Omits the sentence about the decision's origin, unless there was a debate: votes of a blind round are
 * always blind.
 */
const omitHowIfBlind = ({ meta, contributions }: Pick<Archive, 'meta' | 'contributions'>): Decision => {
  const { how, ...decision } = meta.decision!;
  const isDebated = contributions.some(({ phase }) => phase === 'CHALLENGE');
  return { ...decision, ...(isDebated && how && { how }) };
};

/** Returns the ballot number of a position, by its exact words; null if it is not there. */
export const findBallotNumberByWords = (
  { ballot = [] }: Proceedings['meta'],
  position: string,
): string | null => ballot.find((line) => line.position === position)?.id ?? null;

const compareBallotIds = (a: string | null, b: string | null): number =>
  (a ?? '').localeCompare(b ?? '', 'en', { numeric: true });

const findTitle = ({ participants }: Proceedings['meta'], by: string): string =>
  participants.find(({ id }) => id === by)?.title ?? by;

/** Composes the archive of a council as if it ended now, for computations on archives. */
export const composeOpenArchive = (council: Council): Archive => {
  const { state } = council;
  const closing = { path: '', at: state.updatedAt, why: null };
  return composeArchive({ ...council, state: { ...state, closing } }, []);
};
