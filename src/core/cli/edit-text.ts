// Lets a person write a text in their editor, with what there is to read below it, and loses nothing that was typed.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { READ_LIMITS } from '../base/limits.ts';
import { readGivenFile } from '../app/given-file.ts';
import type { EditorDraft } from '../app/input/fields.ts';
import type { Cli } from './io.ts';
import { withLocalTimes } from './local-times.ts';

/** A longer turn is for `council view`: the file has to stay within the limit of a contribution. */
const LONGEST_TO_READ = 256 * 1024;
const CUT = '<!-- Everything from this line on is for you to read, and is not sent. -->';

/** The file that is edited: how it begins, and what stands below the cut. */
interface Sheet {
  dir: string;
  file: string;
  begin: string;
  read: string;
  start: string;
}

/** The text that was written above the cut. Throws `usage` where nothing can be sent; what was typed is kept then, and named. */
export async function edit(cli: Cli, draft?: () => Promise<EditorDraft>): Promise<Uint8Array> {
  const editor = cli.env.VISUAL || cli.env.EDITOR;
  if (!editor) {
    throw new CouncilError('usage', 'There is no text: stdin is a terminal and $EDITOR is not set.', {
      hint: 'Use --file FILE, or pipe the text: echo "…" | council respond AGENT',
    });
  }
  const sheet = layOut(await draft?.());
  const ended = await runEditor(editor, sheet.file);
  if (ended.failed) throw editorFailed(editor, ended.isMissing, sheet);
  return takeEditedText(sheet, cli);
}

function layOut({ begin, read: all, times, lang }: EditorDraft = { begin: '', read: '' }): Sheet {
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
  // $EDITOR may carry arguments ("code --wait"); the file is never part of what is split.
  const [program, ...args] = editor.split(/\s+/).filter(Boolean);
  // Ctrl-C belongs to the editor, which knows what to do with it. A signal that ends council ends the editor, too.
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

/** Read by an editor that exited well. The file goes only when all that was typed is handed over, or nothing was typed. */
function takeEditedText(sheet: Sheet, cli: Cli): Uint8Array {
  const { dir, file, begin, read, start } = sheet;
  const written = Buffer.from(readGivenFile('/', file, READ_LIMITS.contribution));
  const { above, below } = splitAtCutLine(written);
  if (below === undefined && read !== '' && holds(written, read))
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

const createUnsentTextError = ({ file }: Sheet, why: string): CouncilError =>
  new CouncilError('usage', `${why}: nothing was sent. Your text is in ${file}.`, {
    hint: `Take out what is not yours, and send it with: --file ${file}`,
  });

/** White space and line ends apart: an editor may have changed those. */
const normalizeWhitespace = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('latin1').replace(/\s+/g, ' ').trim();

/** Whether what was for reading is still in it: a heading of it may be quoted, many lines of it are not. */
function holds(written: Buffer, read: string): boolean {
  const beginning = normalizeWhitespace(Buffer.from(read)).slice(0, 400);
  return beginning !== '' && normalizeWhitespace(written).includes(beginning);
}

/** What stands above the line that ends the text, as it was written, and what stands below it. */
function splitAtCutLine(bytes: Buffer): { above: Buffer; below: Buffer | undefined } {
  const cut = bytes.indexOf(CUT);
  if (cut === -1) return { above: bytes, below: undefined };
  // The empty line in front of it came with it.
  const blank = /(\r?\n){0,2}$/.exec(bytes.subarray(Math.max(0, cut - 4), cut).toString('latin1'))![0];
  const above = bytes.subarray(0, cut - (blank.length > 1 ? blank.length / 2 : 0));
  return { above, below: bytes.subarray(cut + CUT.length) };
}

/** What went wrong with the editor. A text that was changed stays where it is. */
function editorFailed(editor: string, isMissing: boolean, sheet: Sheet): CouncilError {
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

/** Whether nothing was written. What was only for reading is taken out of the file, so that it can be sent. */
function isAsItWas({ file, start, read }: Sheet): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return true;
  const written = Buffer.from(readGivenFile('/', file, READ_LIMITS.contribution));
  if (written.equals(Buffer.from(start))) return true;
  const { above, below } = splitAtCutLine(written);
  if (below !== undefined && normalizeWhitespace(below) === normalizeWhitespace(Buffer.from(read)))
    writeFileSync(file, above);
  return false;
}
