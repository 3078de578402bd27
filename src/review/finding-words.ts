// The words by which reviewers call severities, categories, judgements and nothing, as data; every lookup ignores case.
import { CATEGORIES, SEVERITIES } from './report.ts';
import type { Category, Severity } from './report.ts';

/** Each severity with what models and people write in its place. */
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

const findByWord = <Name extends string>(
  table: Record<Name, readonly string[]>,
  names: readonly Name[],
  word: string,
): Name | undefined => names.find((name) => table[name].includes(word.trim().toLowerCase()));

export const findSeverity = (word: string): Severity | undefined =>
  findByWord(SEVERITY_WORDS, SEVERITIES, word);

export const findCategory = (word: string): Category | undefined =>
  findByWord(CATEGORY_WORDS, CATEGORIES, word);

/** A line that begins with a whole sentence such as "Nothing found." */
export const NOTHING =
  /^[\s#*_-]*(?:nothing found|no (?:further )?findings?|no issues?(?: found)?|nothing to report|rien trouvé|aucun constat)[*_]*(?:[.!]|\s*$)/imu;

/** What begins the remedy of a finding. */
export const FIX = /^[\s*_-]*(?:fix|remedy|suggestion|correction|remède)[\s*_]*[:：][\s*_]*/iu;

/** A severity in a line of its own. */
export const SEVERITY_LINE = /^[\s*_-]*(?:severity|gravité)[\s*_]*[:：][\s*_]*(\p{L}+)/iu;

export const CONFIRMS = /^(?:confirm|agree|valid|confirme)/iu;
export const REJECTS = /^(?:reject|refute|disagree|invalid|rejett?e|réfute)/iu;
