// The blind answers of a council, and where they agree and differ.
import type { Archive, Proceedings } from '../archive/archive.ts';
import { composeArchive } from '../archive/compose-archive.ts';
import { standings, support } from '../archive/positions.ts';
import { oneLine } from '../base/text.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Language, Words } from '../base/words/words.ts';
import { outcomeSentence } from '../council/vote/explain.ts';
import type { Council, Decision } from '../council/state/state.ts';
import { spokenWords } from '../council/ledger/text/spoken-words.ts';

export { spokenWords };

/** What one participant answered, blind. */
export interface Answer {
  participant: string;
  title: string;
  /** Null where it named none. */
  position: string | null;
  /** Its words without the form. */
  text: string;
}

/** A position, and who holds it now. */
export interface HeldPosition {
  /** Its number on the ballot; null where it has none. */
  id: string | null;
  position: string;
  by: string[];
}

export interface AnswersDocument {
  lang: Language;
  answers: Answer[];
  /** What the rule makes of the votes now, in a sentence; null where no rule is to decide. */
  outcome: string | null;
  /** The most widely held first. */
  positions: HeldPosition[];
  /** Who holds no position, and what some say must be solved first. */
  withoutPosition: string[];
  blocking: { by: string; issue: string }[];
  /** Who was not heard in the blind round, and why. */
  unheard: { participant: string; reason: string }[];
}

/** `P1 "Buy it" (claude, gemini)`, the position in at most `longest` characters and in the marks of the language. */
export const renderHeldPosition = (
  { id, position, by }: HeldPosition,
  { outcome }: Pick<Words, 'outcome'>,
  longest = 160,
): string =>
  `${id === null ? '' : `${id} `}${fill(outcome.position, { position: oneLine(position, longest) })} (${by.join(', ')})`;

/** What each participant answered in COLLECT, and what council computes from the answers so far. */
export function describeAnswers(
  archive: Pick<Archive, 'meta' | 'contributions' | 'absences'>,
): AnswersDocument {
  const { meta, contributions, absences } = archive;
  const all = standings(archive);
  return {
    lang: meta.lang,
    answers: contributions.flatMap(({ by, phase, position = null, text }) =>
      phase === 'COLLECT'
        ? [{ participant: by, title: findTitle(meta, by), position, text: spokenWords(text) }]
        : [],
    ),
    outcome:
      meta.decision && meta.decision.rule !== 'none'
        ? outcomeSentence(withoutOrigin(archive), loadWords(meta.lang))
        : null,
    positions: support(all)
      .map(({ position, participants: by }) => ({ id: findBallotNumber(meta, position), position, by }))
      .sort((a, b) => b.by.length - a.by.length || compareNumbers(a.id, b.id)),
    withoutPosition: all.flatMap(({ participant, spoke, counted }) =>
      spoke && counted === null ? [participant] : [],
    ),
    blocking: all.flatMap(({ participant: by, blocking }) => blocking.map((issue) => ({ by, issue }))),
    unheard: absences.flatMap(({ phase, participant, reason }) =>
      phase === 'COLLECT' ? [{ participant, reason }] : [],
    ),
  };
}

/** A decision without the sentence about its origin, unless there was a debate: votes of a blind round alone are always blind. */
const withoutOrigin = ({ meta, contributions }: Pick<Archive, 'meta' | 'contributions'>): Decision => {
  const { how, ...decision } = meta.decision!;
  const isDebated = contributions.some(({ phase }) => phase === 'CHALLENGE');
  return { ...decision, ...(isDebated && how && { how }) };
};

/** The number of a position on the ballot, by its very words; null where it is not there. */
export const findBallotNumber = ({ ballot = [] }: Proceedings['meta'], position: string): string | null =>
  ballot.find((line) => line.position === position)?.id ?? null;

const compareNumbers = (a: string | null, b: string | null): number =>
  (a ?? '').localeCompare(b ?? '', 'en', { numeric: true });

const findTitle = ({ participants }: Proceedings['meta'], by: string): string =>
  participants.find(({ id }) => id === by)?.title ?? by;

/** A council as its archive would be if it ended now: for what is computed from archives. */
export const composeOpenArchive = (council: Council): Archive => {
  const { state } = council;
  const closing = { path: '', at: state.updatedAt, why: null };
  return composeArchive({ ...council, state: { ...state, closing } }, []);
};
