// Offline panel: its arguments and objections in English and French, and the frame of every contribution.
import type { Document, Span } from './document.ts';
import type { Language } from './says.ts';
import { getSentences } from './says.ts';
import type { Finding } from './finding.ts';
import { getLineText, findOccurrences } from './place.ts';
import type { ReviewerId } from './reviewer.ts';

const en = {
  notQuoted: (line: number) => `Line ${line} does not contain these words.`,
  lookedAgain: (line: number) => `I looked again: the quoted words stand on line ${line}.`,
  notThere: 'The quoted words do not stand there.',
  inQuotation: (line: number) =>
    `Line ${line} is inside a quotation; quoted words are not the author’s to change.`,
  noQuotation: (line: number) => `Line ${line} is not inside a quotation.`,
  callout: 'It is written as a quotation, but it is a callout in the author’s own words.',
  somebodyElse: 'The words are somebody else’s; they stay as they are.',
  label: (times: number) =>
    `It is written ${times} times in the same way: a label, not a link that lost its address.`,
  isLabel: 'Used that often, it is a label of the author’s.',
  maybeLink: 'Used once or twice, it may as well be a link that lost its address.',
  twoOptions: (one: string, other: string) =>
    `The two places describe different options (“${one}”, “${other}”).`,
  differentOptions: 'They are two options, so the two values do not contradict each other.',
  sameOption: 'Both places belong to the same option.',
  figureBeside: (words: string) => `A figure stands right beside it: “${words}”.`,
  figureSettles: 'The figure beside it says what I asked for.',
  noFigure: 'No figure stands beside it.',
  freeWords:
    'I am a fixed rule and cannot weigh an argument in free words; I leave the finding to the reader.',
};

const fr: typeof en = {
  notQuoted: (line) => `La ligne ${line} ne contient pas ces mots.`,
  lookedAgain: (line) => `J’ai relu : les mots cités sont à la ligne ${line}.`,
  notThere: 'Les mots cités n’y sont pas.',
  inQuotation: (line) =>
    `La ligne ${line} est dans une citation ; l’auteur ne peut changer les mots d’autrui.`,
  noQuotation: (line) => `La ligne ${line} n’est pas dans une citation.`,
  callout: 'C’est écrit comme une citation, mais c’est un encadré de l’auteur.',
  somebodyElse: 'Ce sont les mots de quelqu’un d’autre ; ils restent ainsi.',
  label: (times) => `C’est écrit ${times} fois de la même façon : une étiquette, pas un lien sans adresse.`,
  isLabel: 'Employé si souvent, c’est une étiquette de l’auteur.',
  maybeLink: 'Employé une ou deux fois, ce peut être un lien sans adresse.',
  twoOptions: (one, other) =>
    `Les deux endroits décrivent des options différentes (« ${one} », « ${other} »).`,
  differentOptions: 'Ce sont deux options : les deux valeurs ne se contredisent pas.',
  sameOption: 'Les deux endroits relèvent de la même option.',
  figureBeside: (words) => `Un chiffre se trouve juste à côté : « ${words} ».`,
  figureSettles: 'Le chiffre d’à côté répond à ma question.',
  noFigure: 'Il n’y a pas de chiffre à côté.',
  freeWords:
    'Je suis une règle fixe et ne peux peser un argument en mots libres ; je laisse le constat au lecteur.',
};

const ARGUE: Record<Language, typeof en> = { en, fr };

export const getArguments = ({ language }: Pick<Document, 'language'>): typeof en => ARGUE[language];

/** Returns the name at the start of a contribution, which identifies the reviewer even where names are hidden. */
export const renderSpeakerOpening = (id: string): string => `**${id}**:`;

/** Returns the last line of every contribution. */
export const renderOrigin = (language: Language): string => `*${getSentences(language).origin}*`;

/** A kind of objection to findings: who raises it, when it applies, and the author's answer. */
export interface Objection {
  reason: string;
  /** The reviewer who raises it: every argument belongs to one reviewer's subject. */
  by: ReviewerId;
  /** The rules whose findings it can apply to. */
  against: readonly string[];
  /** Returns the argument, or undefined if it does not apply. The finding's author evaluates it, too. */
  raise(finding: Finding, document: Document, say: typeof en): string | undefined;
  /** Returns whether the author keeps the finding nevertheless. */
  isExempt?(finding: Finding, document: Document): boolean;
  concede(say: typeof en): string;
  keep(say: typeof en, finding: Finding, isExempt: boolean): string;
}

/** Returns the spans of a finding: its words on its line, or else its quote. */
export function findFindingSpans(finding: Finding, document: Document): Span[] {
  const found = findOccurrences(document, finding.line, finding.subject);
  if (found.length > 0) return found;
  const start =
    (document.starts[finding.line - 1] ?? 0) +
    Math.max(0, getLineText(document, finding.line).indexOf(finding.quote));
  return [{ start, end: start + Math.max(1, finding.quote.length) }];
}
