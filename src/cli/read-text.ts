// Reads long texts from a file, stdin or the editor.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import type { DocumentField, GivenText } from '../app/input/fields.ts';
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
    const bytes = async (): Promise<Uint8Array> => {
      if (file !== undefined && file !== '-') return readGivenFile(cli.cwd, file, limit);
      return file === undefined && process.stdin.isTTY ? edit(cli) : cli.stdin();
    };
    return { from: file ?? '-', bytes };
  };

async function edit(cli: Cli): Promise<Uint8Array> {
  const editor = cli.env.VISUAL || cli.env.EDITOR;
  if (!editor) {
    throw new CouncilError('usage', 'There is no text: stdin is a terminal and $EDITOR is not set.', {
      hint: 'Use --file FILE, or pipe the text: echo "…" | council respond AGENT',
    });
  }
  const dir = mkdtempSync(join(tmpdir(), 'council-edit-'));
  const file = join(dir, 'contribution.md');
  writeFileSync(file, '', { mode: 0o600 });
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
  if (result.failed) throw editorFailed(editor, result.code === 'ENOENT', dir, file);
  const bytes = readGivenFile(cli.cwd, file, READ_LIMITS.contribution);
  rmSync(dir, { recursive: true });
  return bytes;
}

/** What went wrong with the editor. The text stays where it is unless nobody has changed it. */
function editorFailed(editor: string, isMissing: boolean, dir: string, file: string): CouncilError {
  const what = isMissing
    ? `The editor ${JSON.stringify(editor)} was not found`
    : `The editor ${JSON.stringify(editor)} failed`;
  if (isEmpty(file)) {
    rmSync(dir, { recursive: true });
    return new CouncilError('usage', `${what}; nothing was written.`, {
      hint: 'Set $EDITOR to a program that is there, or use --file FILE.',
    });
  }
  return new CouncilError('usage', `${what}; your text is in ${file}.`, {
    hint: `Send it with: --file ${file}`,
  });
}

const isEmpty = (file: string): boolean => !statSync(file, { throwIfNoEntry: false })?.size;
