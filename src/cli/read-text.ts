// Reads long texts from a file, stdin or the editor.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import type { DocumentField, Draft, GivenText } from '../app/input/fields.ts';
import { READ_LIMITS } from '../base/limits.ts';
import { readGivenFile } from '../app/given-file.ts';
import type { Cli } from './io.ts';

/**
 * How a command line gives a text of many lines: as a file, - for stdin, or, where it may come without a name, from stdin or
 * `$EDITOR` on a terminal. Reading throws like `readGivenFile`.
 */
export const givenText =
  (cli: Cli) =>
  (file: string | undefined, { limit, pipe }: DocumentField): GivenText | undefined => {
    if (file === undefined && !pipe) return undefined;
    const bytes = async (draft?: () => Promise<Draft>): Promise<Uint8Array> => {
      if (file !== undefined && file !== '-') return readGivenFile(cli.cwd, file, limit);
      return file === undefined && process.stdin.isTTY ? edit(cli, draft) : cli.stdin();
    };
    return { from: file ?? '-', bytes };
  };

/** A longer turn is for `council view`: the file has to stay within the limit of a contribution. */
const LONGEST_TO_READ = 256 * 1024;
const CUT = '<!-- Everything from this line on is for you to read, and is not sent. -->';

async function edit(cli: Cli, draft?: () => Promise<Draft>): Promise<Uint8Array> {
  const editor = cli.env.VISUAL || cli.env.EDITOR;
  if (!editor) {
    throw new CouncilError('usage', 'There is no text: stdin is a terminal and $EDITOR is not set.', {
      hint: 'Use --file FILE, or pipe the text: echo "…" | council respond AGENT',
    });
  }
  const dir = mkdtempSync(join(tmpdir(), 'council-edit-'));
  const file = join(dir, 'contribution.md');
  const { begin, read } = (await draft?.()) ?? { begin: '', read: '' };
  const start =
    read === '' || Buffer.byteLength(read) > LONGEST_TO_READ ? begin : `${begin}\n${CUT}\n\n${read}`;
  writeFileSync(file, start, { mode: 0o600 });
  const { execa } = await import('execa');
  // $EDITOR may carry arguments ("code --wait"); the file is never part of what is split.
  const [program, ...args] = editor.split(/\s+/).filter(Boolean);
  // Ctrl-C belongs to the editor, which knows what to do with it. Whoever ends council wants the editor to end, too.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  const editing = execa(program!, [...args, file], { stdio: 'inherit', reject: false });
  const endings = ['SIGTERM', 'SIGHUP'] as const;
  const pass = (signal: NodeJS.Signals): void => void editing.kill(signal);
  for (const signal of endings) process.on(signal, pass);
  const result = await editing;
  process.off('SIGINT', ignore);
  for (const signal of endings) process.off(signal, pass);
  if (result.failed) throw editorFailed(editor, result.code === 'ENOENT', { dir, file, start });
  const bytes = beforeCut(readGivenFile(cli.cwd, file, READ_LIMITS.contribution));
  rmSync(dir, { recursive: true });
  if (start !== '' && bytes.toString('latin1').trim() === Buffer.from(begin).toString('latin1').trim())
    throw new CouncilError(
      'usage',
      'The lines are not filled in, and nothing else was written: nothing was sent.',
      {
        hint: 'Run the same command again.',
      },
    );
  return bytes;
}

/** The text as it was written above the line that ends it. */
function beforeCut(written: Uint8Array): Buffer {
  const bytes = Buffer.from(written);
  const cut = bytes.indexOf(CUT);
  if (cut === -1) return bytes;
  // The empty line in front of it came with it.
  const blank = /(\r?\n){0,2}$/.exec(bytes.subarray(Math.max(0, cut - 4), cut).toString('latin1'))![0];
  return bytes.subarray(0, cut - (blank.length > 1 ? blank.length / 2 : 0));
}

/** What went wrong with the editor. The text stays where it is unless nobody has changed it. */
function editorFailed(
  editor: string,
  isMissing: boolean,
  { dir, file, start }: { dir: string; file: string; start: string },
): CouncilError {
  const what = isMissing
    ? `The editor ${JSON.stringify(editor)} was not found`
    : `The editor ${JSON.stringify(editor)} failed`;
  if (isAsItWas(file, start)) {
    rmSync(dir, { recursive: true });
    return new CouncilError('usage', `${what}; nothing was written.`, {
      hint: 'Set $EDITOR to a program that is there, or use --file FILE.',
    });
  }
  return new CouncilError('usage', `${what}; your text is in ${file}.`, {
    hint: `Send it with: --file ${file}`,
  });
}

/** Whether nobody has written anything. What was only for reading is taken out of the file, so that it can be sent. */
function isAsItWas(file: string, start: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return true;
  const written = Buffer.from(readGivenFile('/', file, READ_LIMITS.contribution));
  if (written.equals(Buffer.from(start))) return true;
  writeFileSync(file, beforeCut(written));
  return false;
}
