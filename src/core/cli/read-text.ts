// Reads long texts from a file, from stdin, or from an editor; a text typed in the editor is never lost.
import type { DocumentField, EditorDraft, Fields, TextSource, Raw } from '../app/input/fields.ts';
import { isGivenFile, readGivenFile } from '../app/given-file.ts';
import { CouncilError } from '../base/errors.ts';
import { toOneLine } from '../base/text.ts';
import { isNewest } from '../base/unknown-name.ts';
import type { Cli } from './io.ts';
import { isPiped } from './stdin.ts';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READ_LIMITS } from '../base/limits.ts';
import { withLocalTimes } from './print.ts';

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
      return file === undefined && process.stdin.isTTY ? editText(cli, draft) : cli.stdin();
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

/** A longer turn is left to `council view`: the file has to stay within the limit of a contribution. */
const LONGEST_TO_READ = 256 * 1024;
const CUT = '<!-- Everything from this line on is for you to read, and is not sent. -->';

/** The edited file: its initial text, and the material below the cut line. */
interface EditedFile {
  dir: string;
  file: string;
  begin: string;
  read: string;
  start: string;
}

/**
 * Returns the text above the cut line. Throws `usage` if nothing can be sent; the file is then kept and
 * named.
 */
async function editText(cli: Cli, draft?: () => Promise<EditorDraft>): Promise<Uint8Array> {
  const editor = cli.env.VISUAL || cli.env.EDITOR;
  if (!editor) {
    throw new CouncilError('usage', 'There is no text: stdin is a terminal and $EDITOR is not set.', {
      hint: 'Use --file FILE, or pipe the text: echo "…" | council respond AGENT',
    });
  }
  const sheet = writeDraftFile(await draft?.());
  const ended = await runEditor(editor, sheet.file);
  if (ended.failed) throw createEditorError(editor, ended.isMissing, sheet);
  return takeEditedText(sheet, cli);
}

function writeDraftFile(
  { begin, read: all, times, lang }: EditorDraft = { begin: '', read: '' },
): EditedFile {
  const dir = mkdtempSync(join(tmpdir(), 'council-edit-'));
  const file = join(dir, 'contribution.md');
  const local = times && lang ? withLocalTimes(all, times, lang, Date.now()) : all;
  const read = Buffer.byteLength(local) > LONGEST_TO_READ ? '' : local;
  const start = read === '' ? begin : `${begin}\n${CUT}\n\n${read}`;
  writeFileSync(file, start, { mode: 0o600 });
  return { dir, file, begin, read, start };
}

async function runEditor(editor: string, file: string): Promise<{ failed: boolean; isMissing: boolean }> {
  const { execa } = await import('execa');
  // $EDITOR may contain arguments ("code --wait"); the file name is never split.
  const [program, ...args] = editor.split(/\s+/).filter(Boolean);
  // Ctrl-C is for the editor. A signal that ends council ends the editor, too.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  const editing = execa(program!, [...args, file], { stdio: 'inherit', reject: false });
  const endings = ['SIGTERM', 'SIGHUP'] as const;
  const pass = (signal: NodeJS.Signals): void => void editing.kill(signal);
  for (const signal of endings) process.on(signal, pass);
  const { failed, code } = await editing;
  process.off('SIGINT', ignore);
  for (const signal of endings) process.off(signal, pass);
  return { failed, isMissing: code === 'ENOENT' };
}

/**
 * Reads the file after a successful edit. Deletes it only after its text was returned, or if nothing was
 * typed.
 */
function takeEditedText(sheet: EditedFile, cli: Cli): Uint8Array {
  const { dir, file, begin, read, start } = sheet;
  const written = Buffer.from(readGivenFile('/', file, READ_LIMITS.contribution));
  const { above, below } = splitAtCutLine(written);
  if (below === undefined && read !== '' && holdsReadingPart(written, read))
    throw createUnsentTextError(
      sheet,
      'The line that ends your text is gone, and what was for you to read would be sent with it',
    );
  const isUntouched = start !== '' && normalizeWhitespace(above) === normalizeWhitespace(Buffer.from(begin));
  const isBelowChanged =
    below !== undefined && normalizeWhitespace(below) !== normalizeWhitespace(Buffer.from(read));
  if (isUntouched && isBelowChanged)
    throw createUnsentTextError(
      sheet,
      'What you wrote stands below the line that ends your text, where nothing is sent',
    );
  if (isBelowChanged)
    cli.note(`Not sent: what was changed below the line that ends your text. All of it is in ${file}.`);
  else rmSync(dir, { recursive: true });
  if (isUntouched)
    throw new CouncilError('usage', 'You have written nothing: nothing was sent.', {
      hint: 'Run the same command again.',
    });
  return above;
}

const createUnsentTextError = ({ file }: EditedFile, why: string): CouncilError =>
  new CouncilError('usage', `${why}: nothing was sent. Your text is in ${file}.`, {
    hint: `Take out what is not yours, and send it with: --file ${file}`,
  });

/** Ignores differences in white space and line ends, which an editor may have changed. */
const normalizeWhitespace = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('latin1').replace(/\s+/g, ' ').trim();

/** Whether the material to read is still included: a heading may be quoted, but not many lines. */
function holdsReadingPart(written: Buffer, read: string): boolean {
  const beginning = normalizeWhitespace(Buffer.from(read)).slice(0, 400);
  return beginning !== '' && normalizeWhitespace(written).includes(beginning);
}

/** Splits the text at the cut line, unchanged. */
function splitAtCutLine(bytes: Buffer): { above: Buffer; below: Buffer | undefined } {
  const cut = bytes.indexOf(CUT);
  if (cut === -1) return { above: bytes, below: undefined };
  // The empty line before the cut line belongs to it.
  const blank = /(\r?\n){0,2}$/.exec(bytes.subarray(Math.max(0, cut - 4), cut).toString('latin1'))![0];
  const above = bytes.subarray(0, cut - (blank.length > 1 ? blank.length / 2 : 0));
  return { above, below: bytes.subarray(cut + CUT.length) };
}

/** Creates the error for a failed editor. A changed text stays in its file. */
function createEditorError(editor: string, isMissing: boolean, sheet: EditedFile): CouncilError {
  const { dir, file } = sheet;
  const what = isMissing
    ? `The editor ${JSON.stringify(editor)} was not found`
    : `The editor ${JSON.stringify(editor)} failed`;
  if (isAsItWas(sheet)) {
    rmSync(dir, { recursive: true });
    return new CouncilError('usage', `${what}; nothing was written.`, {
      hint: 'Set $EDITOR to a program that is there, or use --file FILE.',
    });
  }
  return new CouncilError('usage', `${what}; your text is in ${file}.`, {
    hint: `Send it with: --file ${file}`,
  });
}

/** Whether nothing was written. Removes the material to read from the file, so that the text can be sent. */
function isAsItWas({ file, start, read }: EditedFile): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return true;
  const written = Buffer.from(readGivenFile('/', file, READ_LIMITS.contribution));
  if (written.equals(Buffer.from(start))) return true;
  const { above, below } = splitAtCutLine(written);
  if (below !== undefined && normalizeWhitespace(below) === normalizeWhitespace(Buffer.from(read)))
    writeFileSync(file, above);
  return false;
}
