// What the words of an answer to a challenge say, in English and French. Nothing is guessed: what could mean two things
// says nothing.
import type { ChallengeStatus } from '../../state/choices.ts';

export type AnswerStatus = Exclude<ChallengeStatus, 'open' | 'unanswered'>;

const I = "(?:i |we |je |j'|nous )?";
const IN_PART = 'in part|partially|partly|en partie|partiellement';
const NOT = "(?:do not|don't|cannot|can't|can not|will not|won't|did not|didn't)";
const YES =
  '(?:conceded?|accept(?:ed)?|agreed?|granted?|admit(?:ted)?|concédée?s?|acceptée?s?|admise?s?|concède|accepte|admets|reconnais)';
const CLAIM =
  '(?:the|this|that|my) (?:claim|point|figure|statement|assertion|number)|(?:cette|mon|l[ae]|ce) ?(?:affirmation|chiffre|point)';
const IT = '(?:the|this|your) (?:objection|challenge|criticism)';
const CELA = "(?:l'|cette |votre )(?:objection|critique)";
/** What stands where, the first that fits counts. All of them begin a clause, after an "I" or a "je". */
const WORDS: readonly [AnswerStatus, string][] = [
  ['rejected', `${I}${NOT} (?:accept|concede|agree|grant|admit)`],
  ['rejected', '(?:not|non) (?:conceded|accepted|agreed|granted|admitted|concédée?s?|acceptée?s?|admise?s?)'],
  ['rejected', `${I}(?:ne |n')(?:l'|le |la |les )?(?:concède|accepte|admets|reconnais) pas`],
  ['rejected', `${I}ne (?:peux|veux) pas (?:l'|le |la )?(?:accepter|concéder|admettre)`],
  ['rejected', "(?:je ne suis )?pas d'accord"],
  [
    'conceded_in_part',
    `(?:${I})(?:${IN_PART})[, ]+(?:${YES}|right|true|correct|valid|justified|vraie?|juste|fondée?|d'accord)`,
  ],
  ['conceded_in_part', `${I}${YES}(?: (?:this|that|it|cela|ceci))?[ ,(—–-]+(?:${IN_PART})`],
  ['conceded_in_part', 'partial (?:concession|agreement)|concession partielle'],
  ['conceded', `${I}(?:fully |entièrement |pleinement )?${YES}`],
  ['conceded', `${I}(?:withdraw|retire) (?:${CLAIM})|withdrawn|retirée?`],
  [
    'rejected',
    `${IT} (?:is|was) (?:not (?:valid|justified|correct|right|well[- ]founded)|wrong|invalid|unfounded)|${IT} does not hold|${CELA} n'est pas (?:fondée?|juste|recevable)`,
  ],
  [
    'conceded',
    `${IT} (?:is|was) (?:correct|right|valid|justified|well[- ]founded)|${CELA} est (?:fondée?|juste|exacte?)`,
  ],
  ['conceded', "(?:you are|you're) right|(?:vous avez|tu as) raison|d'accord"],
  [
    'rejected',
    `${I}(?:reject(?:ed)?|disagreed?|refused?|dismiss(?:ed)?|den(?:y|ied)|rejetée?s?|rejette|refusée?s?|contestée?s?|conteste)`,
  ],
  ['answered', 'answered|replied|explained|clarified|addressed|maintained|répondue?|expliquée?|maintenue?'],
];
const PATTERNS = WORDS.map(
  ([status, words]) => [status, new RegExp(`^(?:${words})(?![\\p{L}\\p{N}])`, 'iu')] as const,
);
/** An object that may follow the verb of a whole sentence: "I accept this and correct the claim". */
const OBJECT =
  /^(?: (?:with|to))? (?:(?:the|this|your|that) (?:challenge|objection|criticism|point|claim)|this|that|it|cela|ceci|(?:cette|la|votre|l') ?(?:objection|critique|remarque)|(?:ce|le) (?:défi|point))(?![\p{L}\p{N}])/iu;
const SELF = /^(?:i |we |je |j'|nous )/i;

/** An apostrophe in one spelling; the length stays. */
const plain = (words: string): string => words.replaceAll('’', "'");

/** How words begin: the answer, how long its verb is and that with its object, and whether both an "I" and an object are there. */
export function answerWords(
  words: string,
): { status: AnswerStatus; verb: number; length: number; isSentence: boolean } | undefined {
  const text = plain(words.slice(0, 120));
  for (const [status, pattern] of PATTERNS) {
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    const object = SELF.test(found) ? OBJECT.exec(text.slice(found.length))?.[0] : undefined;
    const verb = found.length;
    return { status, verb, length: verb + (object?.length ?? 0), isSentence: object !== undefined };
  }
  return undefined;
}

const BUT =
  /^[\s*_]*[,;:.(—–-]?\s*(?:but|however|except|with|avec|only|unless|if|when|though|although|provided|assuming|as long as|mais|sauf|si|seulement|à condition|pourvu)(?![\p{L}])/iu;
const END =
  /^\s*$|^[ \u00A0\u202F]?[.:,;!—–-]|^\s+(?:[—–(-]|(?:because|since|and|as|parce que|parce qu'|car|et|puisque)(?![\p{L}]))|^[ \t]*\r?\n/iu;

/** What a rejection may begin its reason with behind a colon, and a concession may not: "rejected: with four engineers we can". */
const REASON = /^[\s*_]*:[\s*_]*(?:with|avec|if|when|though|although|si|as long as)(?![\p{L}])/iu;

/**
 * Whether what follows an answer leaves it as it is: its end, punctuation, a reason, or something done besides. "I concede
 * nothing", "conceded by nobody", "I concede, but only if …" settle nothing. Behind "answered:" stands the answer, whatever it is.
 */
export function isSettled(rest: string, status: AnswerStatus): boolean {
  const after = plain(rest.slice(0, 80)).replace(/^[*_`)\]]+/, '');
  if (status === 'answered' && /^[ \u00A0\u202F]?:/.test(after)) return true;
  if (status === 'rejected' && REASON.test(after)) return true;
  return !BUT.test(after) && END.test(after);
}

/** What names a verdict anywhere: a text with one that does not begin with it says nothing certain. */
const VERDICT =
  /(?<![\p{L}])(?:conce(?:d|ss)|accept|reject|agree|disagree|admit|grant(?:ed)?\b|withdr|refus|den(?:y|ied)|dismiss|right\b|wrong\b|fair\b|true\b|valid|correct|revis|amend|indeed\b|touché|my (?:mistake|error)|sorry|corrig|mon erreur|exact|vraie?\b|juste\b|concéd|concèd|concess|rejet|admet|admis|reconnai|retir|contest|raison\b|tort\b|d'accord)/iu;
/** What says that somebody will not, cannot or need not answer. */
const EVADES =
  /(?<![\p{L}])(?:interesting|(?:good|fair|great|excellent|valid|important|noted|legitimate) (?:question|point|challenge|objection|criticism|remark)|thanks?|merci|intéressante?|bonne? (?:question|point|remarque)|cannot (?:answer|say|tell|judge|know)|can't (?:answer|say|tell|judge)|unable|unanswer|know\b|no (?:comment|answer|opinion|idea)|(?:not|un)[ -]?(?:sure|clear|certain|decided)|neither|nor\b|maybe|perhaps|possibly|peut-être|i(?:'d|'ll| will| would| might| may| could)\b|tbd|n\/a|pending|to be (?:determined|decided|checked|answered)|see (?:above|below)|depends|sais pas|ne (?:peux|sais|veux)|ni\b|je (?:verrai|vais|répondrai|pourrais)|on verra|ça dépend|voir (?:plus haut|ci-dessus))/iu;
const SENTENCE = /[.!…]\s+/g;

/**
 * What a passage about one challenge says of it. A sentence with an "I" and an object counts wherever it stands among the first
 * ones; where no verdict is named at all, five words that evade nothing are an answer. Undefined for all else.
 */
export function answerIn(passage: string): AnswerStatus | undefined {
  const text = plain(passage.slice(0, 2000))
    .replace(/^[ \t]*>.*$/gm, '')
    .replace(/[*_`]/g, '')
    .trim();
  if (/[?]/.test(text.slice(0, 500))) return undefined;
  const sentences = [
    0,
    ...[...text.slice(0, 500).matchAll(SENTENCE)].map((mark) => mark.index + mark[0].length),
  ];
  const given = sentences.slice(0, 3).flatMap((at) => {
    const words = text.slice(at);
    const answer = answerWords(words);
    return answer?.isSentence && isSettled(words.slice(answer.length), answer.status) ? [answer.status] : [];
  });
  if (given.length > 0) return new Set(given).size === 1 ? given[0] : undefined;
  if (VERDICT.test(text) || EVADES.test(text)) return undefined;
  return wordCount(text) >= 5 ? 'answered' : undefined;
}

export const wordCount = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
