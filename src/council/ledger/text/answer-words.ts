// What the words of an answer to a challenge say, in English and French. Nothing is guessed: what could mean two things
// says nothing.
import type { ChallengeStatus } from '../../state/choices.ts';

export type AnswerStatus = Exclude<ChallengeStatus, 'open' | 'unanswered'>;

const IN_PART = 'in part|partially|partly|en partie|partiellement';
/** What stands where, the first that fits counts. All of them begin a clause, after an "I" or a "je". */
const WORDS: readonly [AnswerStatus, string][] = [
  [
    'rejected',
    "(?:i |je )?(?:do not|don't|don’t|cannot|can't|can’t|will not|ne peux pas|n'|n’|ne )\\s*(?:accept|concede|agree|accepte pas|concède pas)\\w*",
  ],
  ['rejected', '(?:not|non) (?:conceded|accepted|concédée?|acceptée?)'],
  [
    'conceded_in_part',
    `(?:i |je )?(?:${IN_PART})[, ]+(?:conceded?|accept(?:ed)?|concédée?|acceptée?|concède|accepte)`,
  ],
  [
    'conceded_in_part',
    `(?:i |je )?(?:conceded?|accept(?:ed)?|concédée?|acceptée?|concède|accepte)(?: (?:this|that|it|cela|ceci))?[, ]+(?:${IN_PART})`,
  ],
  ['conceded', "(?:i |je |j'|j’)?(?:conceded?|accept(?:ed)?|concédée?|acceptée?|concède|accepte)"],
  ['rejected', '(?:i |je )?(?:reject(?:ed)?|rejetée?|rejette)'],
  ['answered', 'answered|répondue?'],
];
const PATTERNS = WORDS.map(
  ([status, words]) => [status, new RegExp(`^(?:${words})(?![\\p{L}\\p{N}])`, 'iu')] as const,
);
/** An object that may follow the verb of a whole sentence: "I accept this and correct the claim". */
const OBJECT = /^ (?:this|that|it|the challenge|the objection|cela|ceci|l['’]objection)(?![\p{L}\p{N}])/iu;
const SELF = /^(?:i|je) /i;

/** How words begin: the answer, how long its verb is and that with its object, and whether both an "I" and an object are there. */
export function answerWords(
  words: string,
): { status: AnswerStatus; verb: number; length: number; isSentence: boolean } | undefined {
  const text = words.slice(0, 120);
  for (const [status, pattern] of PATTERNS) {
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    const object = SELF.test(found) ? OBJECT.exec(text.slice(found.length))?.[0] : undefined;
    const verb = found.length;
    return { status, verb, length: verb + (object?.length ?? 0), isSentence: object !== undefined };
  }
  return undefined;
}

/**
 * Whether what follows an answer leaves it as it is: its end, punctuation, a reason, or something done besides. "I concede
 * nothing", "conceded by nobody", "I concede, but only if …" settle nothing.
 */
export function isSettled(rest: string): boolean {
  const after = rest.slice(0, 80).replace(/^[*_`)\]]+/, '');
  if (
    /^[\s*_]*[,;:.—–-]?\s*(?:but|however|except|only|unless|if|when|though|mais|sauf|si|seulement)(?![\p{L}])/iu.test(
      after,
    )
  )
    return false;
  return /^\s*$|^[ \u00A0\u202F]?[.:,;!—–-]|^\s+(?:[—–-]\s|(?:because|since|and|parce que|car|et)(?![\p{L}]))/iu.test(
    after,
  );
}

/**
 * The answer that the first or second sentence of a paragraph gives with an "I" and an object; undefined for none, for two,
 * and where the paragraph asks something or quotes somebody.
 */
export function answerInSentences(text: string): AnswerStatus | undefined {
  if (/[?"“«]/.test(text.slice(0, 500))) return undefined;
  const starts = [
    0,
    ...[...text.slice(0, 500).matchAll(/[.!…]\s+/g)].map((mark) => mark.index + mark[0].length),
  ];
  const given = starts.slice(0, 2).flatMap((at) => {
    const words = text.slice(at);
    const answer = answerWords(words);
    return answer?.isSentence && isSettled(words.slice(answer.length)) ? [answer.status] : [];
  });
  return new Set(given).size === 1 ? given[0] : undefined;
}
