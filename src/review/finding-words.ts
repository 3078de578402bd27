// Words for severities, categories, judgements and "nothing" (ignoring case), and the parsing of headings with them.
import { CATEGORIES, SEVERITIES } from './report.ts';
import type { Category, Severity } from './report.ts';

/** Each severity with the synonyms that models and people use. */
const SEVERITY_WORDS: Record<Severity, readonly string[]> = {
  blocker: ['blocker', 'blocking', 'critical', 'bloquant', 'critique'],
  major: ['major', 'high', 'majeur', 'majeure'],
  minor: ['minor', 'medium', 'low', 'mineur', 'mineure'],
  note: ['note', 'nit', 'info', 'remarque'],
};

const CATEGORY_WORDS: Record<Category, readonly string[]> = {
  correctness: ['correctness', 'correct', 'logic', 'bug', 'exactitude'],
  security: ['security', 'sécurité'],
  'data-loss': ['data-loss', 'data loss', 'perte de données'],
  concurrency: ['concurrency', 'race', 'concurrence'],
  errors: ['errors', 'error-handling', 'error handling', 'erreurs'],
  performance: ['performance'],
  compatibility: ['compatibility', 'compatibilité'],
  tests: ['tests', 'test', 'testing'],
  documentation: ['documentation', 'docs'],
  maintainability: ['maintainability', 'maintenabilité', 'style'],
};

/** The fields of a finding, with their column names, keys and labels; ignoring case, blanks and punctuation. */
const PART_WORDS = {
  severity: ['severity', 'level', 'gravité'],
  category: ['category', 'type', 'kind', 'catégorie'],
  title: ['title', 'finding', 'issue', 'problem', 'summary', 'message', 'titre', 'constat', 'problème'],
  file: ['file', 'path', 'filename', 'filepath', 'location', 'place', 'fichier', 'lieu'],
  lines: ['line', 'lines', 'linenumber', 'startline', 'linestart', 'ligne', 'lignes'],
  end: ['endline', 'lineend'],
  quote: ['quote', 'code', 'snippet', 'evidence', 'codesnippet', 'citation', 'extrait'],
  text: [
    'failswhen',
    'description',
    'details',
    'explanation',
    'impact',
    'why',
    'reason',
    'échouequand',
    'détails',
  ],
  fix: ['fix', 'suggestion', 'recommendation', 'remedy', 'suggestedfix', 'correction', 'remède'],
} as const satisfies Record<string, readonly string[]>;
export type FindingPart = keyof typeof PART_WORDS;
const PARTS = Object.keys(PART_WORDS) as FindingPart[];

/** Keys of lists of findings in data. */
export const LISTS: readonly string[] = ['findings', 'issues', 'problems', 'constats'];

const findByWord = <Name extends string>(
  table: Record<Name, readonly string[]>,
  names: readonly Name[],
  word: string,
): Name | undefined => names.find((name) => table[name].includes(word.trim().toLowerCase()));

export const findSeverity = (word: string): Severity | undefined =>
  findByWord(SEVERITY_WORDS, SEVERITIES, word);

export const findCategory = (word: string): Category | undefined =>
  findByWord(CATEGORY_WORDS, CATEGORIES, word);

/** Returns the field of a finding that a column or key names. */
export const findFindingPart = (name: string): FindingPart | undefined =>
  findByWord(PART_WORDS, PARTS, name.replace(/[^\p{L}]/gu, ''));

/** Matches a line that starts with a whole sentence such as "Nothing found." */
export const NOTHING_FOUND =
  /^[\s#*_-]*(?:nothing found|no (?:further )?findings?|no issues?(?: found)?|nothing to report|rien trouvé|aucun constat)[*_]*(?:[.!]|\s*$)/imu;

/** Matches the start of a finding's suggested fix. */
export const FIX = /^[\s*_-]*(?:fix|remedy|suggestion|correction|remède)[\s*_]*[:：][\s*_]*/iu;

export const SEVERITY_LINE = /^[\s*_-]*(?:severity|gravité)[\s*_]*[:：][\s*_]*(\p{L}+)/iu;

export const CONFIRMS = /^(?:confirm|agree|valid|confirme)/iu;
export const REJECTS = /^(?:reject|refute|disagree|invalid|rejet|réfut)/iu;

/** A top-level list item. */
export const LIST_ITEM = /^(?:[-*+]|\d+[.)])[ \t]+(.+)$/;

export const toPlainText = (text: string): string =>
  text
    .replace(/[*_`]{2,}/g, '')
    .replace(/[ \t]+#+$/, '')
    .trim();

/** Parses `major, concurrency: the title`: labels before the first colon or dash, in any order, or in brackets. */
export function readHead(
  head: string,
  shapes: readonly RegExp[] = HEAD_SHAPES,
): { severity?: Severity; category?: Category; title: string } {
  const numbered = head.replace(/^(?:F?\d+\s*[.:)–—-]\s*)/u, '');
  for (const shape of shapes) {
    const { before = '', after = '', title = after } = shape.exec(numbered)?.groups ?? {};
    const read = readLabels(before);
    if (read.severity !== undefined || read.category !== undefined) return { ...read, title };
  }
  return { title: numbered };
}

/** Shapes of a heading with labels, the most common first. */
export const HEAD_SHAPES = [
  /^(?<before>[^:：]{1,60})[:：]\s*(?<after>.*)$/u,
  /^(?<before>[^–—-]{1,30}?)\s[–—-]\s+(?<after>.*)$/u,
  /^\[(?<before>[^\]]{1,60})\]\s*(?<after>.*)$/u,
  /^(?<title>.*\S)\s*[([](?<before>[^()[\]]{1,60})[)\]]$/u,
];

function readLabels(before: string): { severity?: Severity; category?: Category } {
  const words = before.split(/[\s,/()[\]|–—]+|\s-\s/u).filter(Boolean);
  const severity = words.map(findSeverity).find((one) => one !== undefined);
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ''}`);
  const category = [...pairs, ...words].map(findCategory).find((one) => one !== undefined);
  return { ...(severity && { severity }), ...(category && { category }) };
}

/**
 * Returns the severity that a heading such as `Minor issues` gives to everything below it. Longer headings
 * are ignored: they may say the opposite.
 */
export function readLabel(head: string): Severity | undefined {
  const [first = '', ...others] = head.split(/[^\p{L}]+/u).filter(Boolean);
  return others.length > 1 ? undefined : (findSeverity(first) ?? findSeverity(first.replace(/s$/i, '')));
}
