// Reads long texts from a file, stdin or the editor.
import type { DocumentField, EditorDraft, Fields, TextSource, Raw } from '../app/input/fields.ts';
import { isGivenFile, readGivenFile } from '../app/given-file.ts';
import { CouncilError } from '../base/errors.ts';
import { toOneLine } from '../base/text.ts';
import { isNewest } from '../base/unknown-name.ts';
import type { Cli } from './io.ts';
import { isPiped } from './stdin.ts';

/**
 * Resolves a long text of a command line: a file, - for stdin, or if the name is optional, stdin or `$EDITOR`
 * on a terminal. `raw`: the whole input. Reading throws like `readGivenFile`.
 */
export const createGivenTextReader =
  (cli: Cli, raw: Raw) =>
  (file: string | undefined, { limit, pipe }: DocumentField): TextSource | undefined => {
    if (file === undefined && !pipe) return undefined;
    if (pipe === 'beside') return findPipedText(cli, raw);
    const bytes = async (draft?: () => Promise<EditorDraft>): Promise<Uint8Array> => {
      if (file !== undefined && file !== '-')
        return readGivenFile(cli.cwd, file, limit, 'Give the path of a text file, or - for stdin.');
      return file === undefined && process.stdin.isTTY
        ? (await import('./edit-text.ts')).editText(cli, draft)
        : cli.stdin();
    };
    return { from: file ?? '-', bytes };
  };

/**
 * Replaces a word that names a file, or - for stdin, by its text if the field allows it, and adds files that
 * a question names as `@src/queue.ts`. A single file without a question is the question.
 */
export function takeFileArguments(cli: Cli, fields: Fields, raw: Raw): Raw {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'text' || field.file === undefined || raw[field.file] !== undefined) continue;
    const [file, ...others] = [raw.files ?? []].flat();
    const isAlone = raw[name] === undefined && raw.resume === undefined && others.length === 0 && !isPiped();
    if (isAlone && typeof file === 'string' && TEXT_FILE.test(file))
      return takeFileArguments(cli, fields, { ...raw, [name]: file, files: undefined });
    const word = raw[name];
    if (typeof word !== 'string') continue;
    if (isNewest(word)) throw createNoQuestionError(word);
    if (word === '-') return { ...raw, [name]: undefined, [field.file]: word };
    // Reading a missing file reports that; its name is hardly a question.
    const isFileName = !/\s/.test(word) && TEXT_FILE.test(word);
    if (!isFileName && !isGivenFile(cli.cwd, word)) return addNamedFiles(cli, fields, raw, word);
    cli.note(`Reading the question from the file ${toOneLine(word, 200)}.`);
    return { ...raw, [name]: undefined, [field.file]: word };
  }
  return raw;
}

const createNoQuestionError = (word: string): CouncilError =>
  new CouncilError('usage', `${JSON.stringify(word)} names the newest archive, and is no question.`, {
    hint: 'To put its question to a debate: council rerun last. To ask further: council ask --after last "QUESTION"',
  });

const TEXT_FILE = /\.(?:md|markdown|txt)$/i;

/** A file name may be followed by punctuation. */
const NAMED_FILE = /(?<=^|[\s(])@([^\s,;:!?()]*[^\s,;:!?().])/g;

function addNamedFiles(cli: Cli, fields: Fields, raw: Raw, question: string): Raw {
  if (!('files' in fields)) return raw;
  const named = [...question.matchAll(NAMED_FILE)].map(([, path = '']) => path);
  const files = named.filter((path) => isGivenFile(cli.cwd, path));
  return files.length === 0 ? raw : { ...raw, files: [...[raw.files ?? []].flat(), ...files] };
}

/** Returns input piped in addition to a question, unless the pipe is the question. */
function findPipedText(cli: Cli, { topic, brief }: Raw): TextSource | undefined {
  if (brief === '-') return undefined;
  return { from: '-', bytes: () => cli.readPiped(topic !== undefined || brief !== undefined) };
}
