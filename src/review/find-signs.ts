// Finds text in a change that addresses its reviewers, such as hidden instructions, and reports it as a finding.
import type { ReviewWords } from './words.ts';
import type { Change, DiffLine } from './change.ts';
import type { SaidFinding } from './read-findings.ts';

/** Reported as the finder of these findings, next to the reviewers. */
export const COUNCIL = 'council';

type SignWords = ReviewWords['reviewSign'];

const SIGNS: { pattern: RegExp; sign: Exclude<keyof SignWords, 'text' | 'comment'> }[] = [
  { pattern: /[\u202A-\u202E\u2066-\u2069]/u, sign: 'reorder' },
  // Invisible characters. The flags of England, Scotland and Wales are written with them and are exempt.
  {
    pattern:
      /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,7})[\u{E0020}-\u{E007F}]|[\u{E0100}-\u{E01EF}]{4}|(?:\u200B|\u200C|\u2060|\u2063){8}/u,
    sign: 'hidden',
  },
  {
    pattern:
      /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|other|your)\b.{0,40}\b(?:instructions?|prompts?|rules?)\b|\b(?:ignor|oubli)(?:er|ez|e)\b.{0,40}\b(?:consignes?|instructions?|règles?)\b/iu,
    sign: 'ignore',
  },
  {
    pattern:
      /\b(?:reviewers?|ai|llm|assistants?|models?)\b.{0,60}\b(?:must|should|please)\b.{0,40}\b(?:approve|confirm|report no|find nothing|say nothing)\b|\b(?:relecteurs?|ia|assistants?|modèles?)\b.{0,60}\b(?:doi(?:t|vent)|devez|devraient)\b.{0,40}\b(?:approuver|confirmer|ne rien)\b/iu,
    sign: 'told',
  },
];

/** HTML comments, which the pages of GitHub do not show. Templates contain such comments for people. */
const HIDDEN_COMMENT =
  /<!--(?:(?!-->).){0,2000}?\b(?:ai|llms?|assistants?|models?|agents?|bots?|approve)\b/isu;

/** Returns findings for suspicious text in added lines, file names and the description. */
export function findSigns(
  { files, about = '' }: Pick<Change, 'files' | 'about'>,
  say: SignWords,
): SaidFinding[] {
  const told = HIDDEN_COMMENT.test(about) ? say.comment : undefined;
  return [
    ...about
      .split('\n')
      .flatMap((line) => listSigns(line, say).map((title) => toFinding(title, say, { about: line }))),
    // Only minor, since bots that describe changes leave such comments, too.
    ...(told === undefined ? [] : [{ ...toFinding(told, say, {}), severity: 'minor' as const }]),
    ...files.flatMap(({ path, hunks }) => [
      ...listSigns(path, say).map((title) => toFinding(title, say, { file: path })),
      ...hunks.flatMap(({ lines }) =>
        lines
          .filter(({ mark }) => mark === '+')
          .flatMap((line) =>
            listSigns(line.text, say).map((title) => toFinding(title, say, { file: path, line })),
          ),
      ),
    ]),
  ];
}

/** Lists the first sign in a text, if any. */
const listSigns = (text: string, say: SignWords): string[] =>
  SIGNS.filter(({ pattern }) => pattern.test(text))
    .map(({ sign }) => say[sign])
    .slice(0, 1);

const toFinding = (
  title: string,
  say: SignWords,
  { file = null, line, about }: { file?: string | null; line?: DiffLine; about?: string },
): SaidFinding => ({
  ...{ severity: 'major', category: 'security', title, file, side: 'new' },
  lines: line ? { start: line.number, end: line.number } : null,
  quotes: line ? [line.text] : [],
  text: about === undefined ? say.text : `${say.text}\n${about}`,
  fix: undefined,
});
