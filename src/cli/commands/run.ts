// Command `run`: live progress, then synthesis and archive path.
import type { RunInput } from '../../app/input/council.ts';
import { run } from '../../app/run.ts';
import type { RunResult } from '../../app/run.ts';
import { oneLine } from '../../base/text.ts';
import type { Cli } from '../io.ts';
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
  const view = input.quiet ? SILENT : (await import('../live.ts')).reporter(cli);
  const note = input.quiet ? () => undefined : cli.note;
  const result = await run({ ...cli, note, progress: view.onProgress }, input, view);
  return told(result, await ended(cli, result));
};

/** What was decided, who stands apart, what it took, where the archive is and what one can do next; then the synthesis. */
export async function ended(cli: Cli, result: RunResult): Promise<string> {
  const { words, document, ending, labels } = result;
  const { status, archive: path, contradicts } = document;
  const shown = cli.live
    ? await (await import('../render-markdown.ts')).renderMarkdown(words, pageOptions(cli))
    : words;
  const id = path.replace(/^.*\/|\.md$/g, '');
  const facts = [
    ending.outcome === null
      ? ''
      : cli.paint(ending.decided ? ['bold', 'green'] : 'bold', oneLine(ending.outcome, 1000)),
    ...named('Votes', ending.votes),
    ...named('Dissent', ending.dissent),
    ...named('Unanswered', ending.unanswered),
    ...named('Absent', ending.absent),
  ].filter((line) => line !== '');
  const lines = [
    facts.length === 0 ? '' : `\n${facts.join('\n')}`,
    `\nStatus: ${status} (${ending.spent})`,
    `Archive: ${path}`,
    `Next: council show ${id}, council ledger ${id}, council export ${id} --format adr`,
    `\n${shown}\n`,
    contradicts ? `${CONTRADICTS}\n` : '',
    labels,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** One fact in its line, several below their name. */
function named(name: string, facts: string[]): string[] {
  if (facts.length === 0) return [];
  if (facts.length === 1) return [`${name}: ${facts[0]}`];
  return [`${name}:`, ...facts.map((fact) => `  ${fact}`)];
}
