// Reads long texts from a file, stdin or the editor.
import type { DocumentField, EditorDraft, GivenText } from '../app/input/fields.ts';
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
    const bytes = async (draft?: () => Promise<EditorDraft>): Promise<Uint8Array> => {
      if (file !== undefined && file !== '-')
        return readGivenFile(cli.cwd, file, limit, 'Give the path of a text file, or - for stdin.');
      return file === undefined && process.stdin.isTTY
        ? (await import('./edit-text.ts')).edit(cli, draft)
        : cli.stdin();
    };
    return { from: file ?? '-', bytes };
  };
