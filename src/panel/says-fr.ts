// Offline panel: its sentences in French.
import type { en } from './says-en.ts';

const s = (count: number): string => (count > 1 ? 's' : '');

const listCountsFr = (counts: [number, string][]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${s(count)}`)
    .join(', ') || 'les mots';

export const fr: typeof en = {
  line: 'Ligne',
  lines: 'Lignes',
  first: 'd’abord',
  worth: 'à vérifier',
  colon: '\u202F: ',
  about: (words) => `«\u202F${words}\u202F»\u202F: `,
  notInCalendar: (date) => `${date} n’existe pas au calendrier.`,
  wrongWeekday: (date, weekday) => `${date} est un ${weekday}.`,
  backwards: (date, before) => `${date} vient après ${before} et lui est antérieur.`,
  endsBeforeStart: (end, start) => `la fin (${end}) précède le début (${start}).`,
  wrongPeriod: (written, days) => `${written} → cela fait ${days} jour${s(days)}.`,
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
    all === 0 ? 'je n’ai rien trouvé.' : `${all} point${s(all)} à regarder${ofThem(first)}.`,
  read: (count, others) => `j’ai lu ${count} constat${s(count)} de ${others} autre${s(others)}`,
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
    `${count} ligne${s(count)} illisible${s(count)} (trop longue${s(count)} ou trop imbriquée${s(count)}).`,
  tooDeep: 'Le document est trop imbriqué pour être lu.',
  origin: 'Règles fixes, sans modèle : elles voient des nombres, des mots et des balises, pas le sens.',
  notText: 'Cela ressemble à un fichier binaire, pas à du texte.',
  empty: 'Le document est vide.',
  otherLanguage: 'Mes règles ne connaissent que l’anglais et le français, et ceci n’y ressemble pas.',
  notADocument:
    'C’est une question, pas un document : il n’y a rien à vérifier. Des personnes peuvent y répondre, ou un programme qui utilise un modèle.',
  headline: (all, first) =>
    all === 0 ? 'Rien à signaler' : `${all} point${s(all)} à regarder${ofThem(first)}`,
  headlineNote:
    'Ce n’est pas un verdict : ces programmes voient des nombres, des dates, des mots et des balises, pas le sens.',
  headingFirst: 'D’abord',
  headingWorth: 'À vérifier',
  headingWithdrawn: (count) => `Retiré${s(count)} après contestation : ${count}.`,
  headingContested: (count) => `Contesté${s(count)} et maintenu${s(count)} : ${count}.`,
  restInArchive: (count) => `${count} de plus dans l’archive.`,
  lookedAt: (of) =>
    `Vu : ${listCountsFr([
      [of.numbers, 'nombre'],
      [of.dates, 'date'],
      [of.links, 'lien'],
      [of.tables, 'table'],
    ])}.`,
  by: (names) => `Lu par ${names}.`,
  nobody: 'Personne n’a contribué : il n’y a rien à réunir.',
  freeWords: (names) => `Dit librement, voir l’archive : ${names}.`,
};

/** What comes first among them; nothing where nothing does. */
const ofThem = (first: number): string => (first === 0 ? '' : `, dont ${first} d’abord`);
