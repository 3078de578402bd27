// Offline panel: its sentences, in English and French.

const pluralizeEn = (count: number): string => (count === 1 ? '' : 's');

/** Formats a number with at most `digits` decimals: "1,234.5", "1 234,5". */
const formatNumber =
  (language: Language) =>
  (value: number, digits = 2): string =>
    value.toLocaleString(language, { maximumFractionDigits: digits });

interface DocumentParts {
  dates: number;
  numbers: number;
  tables: number;
  links: number;
}

/** Lists what there is of a document's parts, with the nouns of a language. */
const listParts = (
  { numbers, dates, links, tables }: DocumentParts,
  nouns: readonly string[],
  pluralize: (count: number) => string,
): string =>
  [numbers, dates, links, tables]
    .flatMap((count, at) => (count > 0 ? `${count} ${nouns[at]}${pluralize(count)}` : []))
    .join(', ');

export const en = {
  // The form of a finding
  line: 'Line',
  lines: 'Lines',
  first: 'first',
  worth: 'worth checking',
  colon: ': ',
  about: (words: string) => `"${words}": `,
  number: formatNumber('en'),
  // Findings proved by the page
  notInCalendar: (date: string) => `${date} is not in the calendar.`,
  wrongWeekday: (date: string, weekday: string) => `${date} is a ${weekday}.`,
  backwards: (date: string, before: string) => `${date} comes after ${before}, and is earlier.`,
  endsBeforeStart: (end: string, start: string) => `it ends (${end}) before it starts (${start}).`,
  wrongPeriod: (written: string, days: number) => `${written} → that is ${days} day${pluralizeEn(days)}.`,
  wrongSum: (given: string, sum: string) => `${given} is given as the sum, and the parts make ${sum}.`,
  wrongShare: (part: string, whole: string, share: string) => `${part} of ${whole} is ${share}.`,
  wrongChange: (written: string, share: string) => `${written} → the change is ${share}.`,
  overHundred: (parts: string, sum: string) => `these shares of one thing make ${parts} = ${sum}.`,
  wrongProduct: (written: string, sum: string) => `${written} → gives ${sum}.`,
  wrongRow: (given: string, sum: string) => `${given} → by the other rows this would be ${sum}.`,
  wrongUnit: (one: string, other: string) => `${one} is ${other}.`,
  wrongCount: (given: string, counted: number) =>
    `"${given}" is announced, and ${counted} follow${counted === 1 ? 's' : ''}.`,
  leadsNowhere: 'no heading here has this name: the link leads nowhere.',
  undefinedReference: 'reads as a link, and nothing here gives its address.',
  undefinedFootnote: 'there is no such footnote.',
  noSection: 'the sections here are numbered, and none has this number.',
  emptyLink: 'the link has no address.',
  noScheme: 'the address lacks "https://": it is looked for beside this file.',
  brokenLink: 'the brackets of this link are broken.',
  placeholder: 'left to be filled in.',
  emptySection: 'nothing stands under this heading.',
  lacksSection: (kind: string, section: string) =>
    `this reads like ${kind}: where is its section "${section}"?`,
  // Findings worth checking
  twoValues: (one: string, other: string) => `${one} here, ${other} there: is it the same thing?`,
  atOnce: (time: string) => `at once, or within ${time}?`,
  offAndUsed: (words: string) => `"${words}" is switched off in one place and relied on in the other.`,
  manyItems: (given: string, counted: number) => `"${given}" is announced; ${counted} things follow.`,
  claim: 'a claim without a figure or a source.',
  noneConsidered: 'no other option was considered: is that so?',
  missing: (what: string) => `nothing about ${what}.`,
  noTitle: 'the document has no title.',
  twiceDefined: 'the name is defined twice; only the first counts.',
  alternatives: 'alternatives',
  cost: 'cost or effort',
  risk: 'risks',
  rollback: 'a rollback (the way back)',
  owner: 'who is responsible',
  decision: 'Decision',
  consequences: 'Consequences',
  adr: 'a decision record',
  // Contributions
  found: (all: number, first: number) =>
    all === 0 ? 'I found nothing.' : `${all} thing${pluralizeEn(all)} to look at${describeFirstEn(first)}.`,
  read: (count: number, others: number) =>
    `I read ${count} finding${pluralizeEn(count)} of ${others} other${pluralizeEn(others)}`,
  noneCollides: 'none collides with what I know.',
  challenged: (count: number) => `and challenge ${count}.`,
  toWhom: (label: string) => `to ${label}`,
  nothingToAnswer: 'I have no findings, so there is nothing to answer.',
  unchallenged: (count: number) => `nobody challenged my ${count} finding${pluralizeEn(count)}; they stand.`,
  answered: (withdrawn: number, upheld: number) =>
    `I withdraw ${withdrawn} and keep ${upheld} of the challenged findings.`,
  more: (count: number) => `Not listed: ${count} more.`,
  unread: (count: number) =>
    `${count} line${pluralizeEn(count)} could not be read (too long, or nested too deep).`,
  tooDeep: 'The document nests too deep to be read.',
  origin: 'Fixed rules, no model: they see numbers, words and markup, not meaning.',
  notText: 'This looks like a binary file, not like text.',
  empty: 'The document is empty.',
  otherLanguage: 'My rules know English and French only, and this looks like neither.',
  notADocument:
    'This is a question, not a document, so there is nothing to check. People can answer it, or a program that runs a model.',
  // Synthesis
  headline: (all: number, first: number) =>
    all === 0 ? 'Nothing to point at' : `${all} thing${pluralizeEn(all)} to look at${describeFirstEn(first)}`,
  headlineNote: 'This is no verdict: the programs see numbers, dates, words and markup, not meaning.',
  headingFirst: 'First',
  headingWorth: 'Worth checking',
  headingWithdrawn: (count: number) => `Withdrawn after a challenge: ${count}.`,
  headingContested: (count: number) => `Challenged and kept: ${count}.`,
  restInArchive: (count: number) => `${count} more in the archive.`,
  lookedAt: (parts: DocumentParts) =>
    `Looked at ${listParts(parts, ['number', 'date', 'link', 'table'], pluralizeEn) || 'the words'}.`,
  by: (names: string) => `Read by ${names}.`,
  nobody: 'Nobody contributed, so there is nothing to put together.',
  freeWords: (names: string) => `Said in free words, see the archive: ${names}.`,
};

/** Says how many of them come first; empty if none do. */
const describeFirstEn = (first: number): string => (first === 0 ? '' : `, ${first} of them first`);

const pluralizeFr = (count: number): string => (count > 1 ? 's' : '');

export const fr: typeof en = {
  line: 'Ligne',
  lines: 'Lignes',
  first: 'd’abord',
  worth: 'à vérifier',
  colon: '\u202F: ',
  about: (words) => `«\u202F${words}\u202F»\u202F: `,
  number: formatNumber('fr'),
  notInCalendar: (date) => `${date} n’existe pas au calendrier.`,
  wrongWeekday: (date, weekday) => `${date} est un ${weekday}.`,
  backwards: (date, before) => `${date} vient après ${before} et lui est antérieur.`,
  endsBeforeStart: (end, start) => `la fin (${end}) précède le début (${start}).`,
  wrongPeriod: (written, days) => `${written} → cela fait ${days} jour${pluralizeFr(days)}.`,
  wrongSum: (given, sum) => `le total indiqué est ${given}, les parties font ${sum}.`,
  wrongShare: (part, whole, share) => `${part} sur ${whole}, cela fait ${share}.`,
  wrongChange: (written, share) => `${written} → la différence est de ${share}.`,
  overHundred: (parts, sum) => `ces parts d’un même tout font ${parts} = ${sum}.`,
  wrongProduct: (written, sum) => `${written} → cela donne ${sum}.`,
  wrongRow: (given, sum) => `${given} → d’après les autres lignes, ce serait ${sum}.`,
  wrongUnit: (one, other) => `${one}, cela fait ${other}.`,
  wrongCount: (given, counted) => `« ${given} » annoncé, et il en suit ${counted}.`,
  leadsNowhere: 'aucun titre d’ici ne porte ce nom : le lien ne mène nulle part.',
  undefinedReference: 'se lit comme un lien, et rien ici ne donne son adresse.',
  undefinedFootnote: 'cette note n’existe pas.',
  noSection: 'les sections d’ici sont numérotées, et aucune ne porte ce numéro.',
  emptyLink: 'le lien n’a pas d’adresse.',
  noScheme: 'il manque « https:// » à l’adresse : on la cherche à côté de ce fichier.',
  brokenLink: 'les crochets de ce lien sont mal fermés.',
  placeholder: 'reste à remplir.',
  emptySection: 'rien ne suit ce titre.',
  lacksSection: (kind, section) => `cela se lit comme ${kind} : où est sa section « ${section} » ?`,
  twoValues: (one, other) => `${one} ici, ${other} là : est-ce la même chose ?`,
  atOnce: (time) => `aussitôt, ou en ${time} ?`,
  offAndUsed: (words) => `« ${words} » est arrêté à un endroit, et l’autre s’y fie.`,
  manyItems: (given, counted) => `« ${given} » annoncé ; il en suit ${counted}.`,
  claim: 'une affirmation sans chiffre ni source.',
  noneConsidered: 'aucune autre option n’a été envisagée : est-ce bien le cas ?',
  missing: (what) => `rien ici ne parle ${what}.`,
  noTitle: 'le document n’a pas de titre.',
  twiceDefined: 'ce nom est défini deux fois ; seul le premier compte.',
  alternatives: 'd’autres options',
  cost: 'du coût ou de l’effort',
  risk: 'des risques',
  rollback: 'du retour arrière',
  owner: 'de qui est responsable',
  decision: 'Décision',
  consequences: 'Conséquences',
  adr: 'un relevé de décision',
  found: (all, first) =>
    all === 0
      ? 'je n’ai rien trouvé.'
      : `${all} point${pluralizeFr(all)} à regarder${describeFirstFr(first)}.`,
  read: (count, others) =>
    `j’ai lu ${count} constat${pluralizeFr(count)} de ${others} autre${pluralizeFr(others)}`,
  noneCollides: 'aucun ne heurte ce que je sais.',
  challenged: (count) => `et j’en conteste ${count}.`,
  toWhom: (label) => `à ${label}`,
  nothingToAnswer: 'je n’ai pas de constat, donc rien à répondre.',
  unchallenged: (count) =>
    `personne n’a contesté ${count > 1 ? `mes ${count} constats` : 'mon constat'} ; je maintiens.`,
  answered: (withdrawn, upheld) =>
    `des constats contestés, j’en retire ${withdrawn} et j’en maintiens ${upheld}.`,
  more: (count) => `Non détaillés : ${count} de plus.`,
  unread: (count) =>
    `${count} ligne${pluralizeFr(count)} illisible${pluralizeFr(count)} (trop longue${pluralizeFr(count)} ou trop imbriquée${pluralizeFr(count)}).`,
  tooDeep: 'Le document est trop imbriqué pour être lu.',
  origin: 'Règles fixes, sans modèle : elles voient des nombres, des mots et des balises, pas le sens.',
  notText: 'Cela ressemble à un fichier binaire, pas à du texte.',
  empty: 'Le document est vide.',
  otherLanguage: 'Mes règles ne connaissent que l’anglais et le français, et ceci n’y ressemble pas.',
  notADocument:
    'C’est une question, pas un document : il n’y a rien à vérifier. Des personnes peuvent y répondre, ou un programme qui utilise un modèle.',
  headline: (all, first) =>
    all === 0 ? 'Rien à signaler' : `${all} point${pluralizeFr(all)} à regarder${describeFirstFr(first)}`,
  headlineNote:
    'Ce n’est pas un verdict : ces programmes voient des nombres, des dates, des mots et des balises, pas le sens.',
  headingFirst: 'D’abord',
  headingWorth: 'À vérifier',
  headingWithdrawn: (count) => `Retiré${pluralizeFr(count)} après contestation : ${count}.`,
  headingContested: (count) => `Contesté${pluralizeFr(count)} et maintenu${pluralizeFr(count)} : ${count}.`,
  restInArchive: (count) => `${count} de plus dans l’archive.`,
  lookedAt: (parts) =>
    `Vu : ${listParts(parts, ['nombre', 'date', 'lien', 'table'], pluralizeFr) || 'les mots'}.`,
  by: (names) => `Lu par ${names}.`,
  nobody: 'Personne n’a contribué : il n’y a rien à réunir.',
  freeWords: (names) => `Dit librement, voir l’archive : ${names}.`,
};

const describeFirstFr = (first: number): string => (first === 0 ? '' : `, dont ${first} d’abord`);

/** The panel's languages; documents in any other get English sentences. */
export type Language = 'en' | 'fr';

export type Sentences = typeof en;

const SAYS: Record<Language, Sentences> = { en, fr };

export const getSentences = (language: Language): Sentences => SAYS[language];
