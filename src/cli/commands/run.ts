// Command `run`: live progress, then synthesis and archive path.
import type { RunInput } from '../../app/input/council.ts';
import { run } from '../../app/run.ts';
import { reporter } from '../live.ts';
import { pageOptions } from '../page-options.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

const CONTRADICTS =
  'Note: this synthesis names another decision than the one that was counted. What counts stands in the archive.';

export const runCommand: Command<RunInput> = async (cli, input) => {
  const { onProgress, settle } = await reporter(cli);
  const result = await run({ ...cli, progress: onProgress }, input, settle);
  const { words, document } = result;
  const { status, archive: path, contradicts } = document;
  const shown = cli.live
    ? await (await import('../render-markdown.ts')).renderMarkdown(words, pageOptions(cli))
    : words;
  const lines = [`\n${shown}\n`, contradicts ? `${CONTRADICTS}\n` : '', result.labels, `Status: ${status}`, `Archive: ${path}`];
  return told(result, lines.filter((line) => line !== '').join('\n'));
};
