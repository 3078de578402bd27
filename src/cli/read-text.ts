import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CouncilError, systemCode } from '../base/errors.ts';
import type { Cli } from './io.ts';

/** The bytes of `--file`, of stdin, or of `$EDITOR` on a terminal. Throws `usage` when a file cannot be read. */
export async function readContribution(cli: Cli, file: unknown, editorText: string): Promise<Uint8Array> {
  if (typeof file === 'string' && file !== '-') return readFileBytes(cli, file);
  if (file === undefined && process.stdin.isTTY) return edit(cli, editorText);
  return cli.stdin();
}

export function readFileBytes(cli: Cli, file: string): Uint8Array {
  try {
    return readFileSync(resolve(cli.cwd, file));
  } catch (error) {
    if (!systemCode(error)) throw error;
    throw new CouncilError('usage', `${file} cannot be read: ${(error as Error).message}.`, {
      hint: 'Give the path of a text file, or - for stdin.',
      cause: error,
    });
  }
}

async function edit(cli: Cli, text: string): Promise<Uint8Array> {
  const editor = cli.env.VISUAL || cli.env.EDITOR;
  if (!editor) {
    throw new CouncilError('usage', 'There is no text: stdin is a terminal and $EDITOR is not set.', {
      hint: 'Use --file FILE, or pipe the text: echo "…" | council respond AGENT',
    });
  }
  const dir = mkdtempSync(join(tmpdir(), 'council-edit-'));
  const file = join(dir, 'contribution.md');
  writeFileSync(file, text, { mode: 0o600 });
  const { execa } = await import('execa');
  // $EDITOR may carry arguments ("code --wait"); the file is never part of what is split.
  const [program, ...args] = editor.split(/\s+/).filter(Boolean);
  const result = await execa(program!, [...args, file], { stdio: 'inherit', reject: false });
  if (result.failed)
    throw new CouncilError('usage', `The editor ${JSON.stringify(editor)} failed; your text is in ${file}.`, {
      hint: 'Send it with --file.',
    });
  const bytes = readFileSync(file);
  rmSync(dir, { recursive: true });
  return bytes;
}
