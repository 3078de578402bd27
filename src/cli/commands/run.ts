// Command `run`: live progress, then synthesis and archive path.
import type { RunInput } from '../../app/input/council.ts';
import { run } from '../../app/run.ts';
import type { RunResult } from '../../app/run.ts';
import type { Cli } from '../io.ts';
import { reporter } from '../live.ts';
import type { Reporter } from '../live.ts';
import { pageOptions } from '../page-options.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

const CONTRADICTS =
  'Note: this synthesis names another decision than the one that was counted. What counts stands in the archive.';

/** For `--quiet`. What fails is told all the same, as an error. */
const SILENT: Reporter = { onProgress: () => undefined, settle: async () => undefined };

export const runCommand: Command<RunInput> = async (cli, input) => {
  if (input.dryRun) return (await import('../plan-lines.ts')).planned(cli, input);
  const { onProgress, settle } = input.quiet ? SILENT : await reporter(cli);
  const note = input.quiet ? () => undefined : cli.note;
  const result = await run({ ...cli, note, progress: onProgress }, input, settle);
  return told(result, await ended(cli, result));
};

/** The synthesis, and where the archive is. */
export async function ended(cli: Cli, result: RunResult): Promise<string> {
  const { words, document } = result;
  const { status, archive: path, contradicts } = document;
  const shown = cli.live
    ? await (await import('../render-markdown.ts')).renderMarkdown(words, pageOptions(cli))
    : words;
  const lines = [
    `\n${shown}\n`,
    contradicts ? `${CONTRADICTS}\n` : '',
    result.labels,
    `Status: ${status}`,
    `Archive: ${path}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}
