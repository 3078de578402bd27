// Command `run`: live progress, then synthesis and archive path.
import type { RunInput } from '../../app/input/council.ts';
import type { RunSummary } from '../../app/run-summary.ts';
import { run } from '../../app/run.ts';
import type { RunResult } from '../../app/run.ts';
import { asLine, isLongWait } from '../../app/progress.ts';
import { shellWord } from '../../base/text.ts';
import { oneLine } from '../../base/text.ts';
import { fitNotes } from '../fold.ts';
import type { Cli } from '../io.ts';
import type { Reporter } from '../live.ts';
import { showFirstScreen } from '../first-screen.ts';
import { pageOptions } from '../page-options.ts';
import { toldInLines } from '../print.ts';
import type { Command } from '../spec.ts';

const CONTRADICTS =
  'Note: this synthesis names another decision than the one that was counted. What counts stands in the archive.';

const NO_SYNTHESIS =
  'Note: the text of the coordinator names neither what was decided nor any position. The facts stand above it.';

/** For `--quiet`. Failures are told all the same, as errors, and so is each long wait, once. */
export function createQuietReporter({ note }: Pick<Cli, 'note'>): Reporter {
  const told = new Set<string>();
  return {
    onProgress(progress) {
      const line = isLongWait(progress, Date.now()) ? asLine(progress) : undefined;
      if (line !== undefined && !told.has(line)) note(`${progress.council}: ${line}`);
      if (line !== undefined) told.add(line);
    },
    settle: async () => undefined,
  };
}

export const runCommand: Command<RunInput> = async (cli, input) => {
  if (input.dryRun) return (await import('../plan-lines.ts')).runPlanCommand(cli, input);
  const note = input.quiet ? () => undefined : await fitNotes(cli);
  const view = input.quiet
    ? createQuietReporter(cli)
    : (await import('../live.ts')).reporter({ ...cli, note });
  const result = await run({ ...cli, note, progress: view.onProgress }, input, view);
  return toldInLines(result, await renderRunEnding(cli, result));
};

/** The synthesis; then what was decided, who stands apart, what it took, where the archive is and what one can do next. */
export async function renderRunEnding(cli: Cli, result: RunResult, root?: string): Promise<string> {
  const { document, ending } = result;
  const facts = factLines(cli, result);
  const end = [
    `\nStatus: ${document.status} (${ending.spent})`,
    `Archive: ${document.archive}`,
    nextLine(document.archive, ending, root),
  ];
  const below = [...facts, ...end].join('\n').split('\n').length;
  const text = await textLines(cli, result, below);
  // What programs found in a document is all that one wants to know of it.
  const lines = document.findings
    ? [...facts, ...text.map((part) => part.trimEnd()), ...end]
    : [text.filter(Boolean).join('\n').trimEnd(), ...facts, ...end];
  return lines.filter((line) => line !== '').join('\n');
}

const findArchiveId = (path: string): string => path.replace(/^.*\/|\.md$/g, '');

/** `root` is the project's folder where the commands would not find it. */
function nextLine(path: string, { decided, hasActions }: RunSummary, root?: string): string {
  const id = findArchiveId(path);
  const where = root === undefined ? '' : ` --root ${shellWord(root)}`;
  const commands = [
    `show ${id}`,
    `ledger ${id}`,
    ...(decided ? [`export ${id} --format adr`] : []),
    ...(hasActions ? [`task plan ${id}`] : []),
  ];
  const whole = commands.map((command) => `council ${command}${where}`);
  const line = `Next: ${whole.join(', ')}`;
  // A command that is broken by the terminal is hard to copy.
  return line.length <= 80 ? line : ['Next:', ...whole.map((command) => `  ${command}`)].join('\n');
}

/** Whose words they are stands above them: a coordinator may call its text a decision. */
async function textLines(
  cli: Cli,
  { words, document, ending, author }: RunResult,
  below: number,
): Promise<string[]> {
  const { by, contradicts, silent, findings } = document;
  const shown = cli.live
    ? showFirstScreen(await (await import('../render-markdown.ts')).renderMarkdown(words, pageOptions(cli)), {
        rows: (process.stdout.rows || 24) - below,
        rest: `council show ${findArchiveId(document.archive)}`,
      })
    : words;
  const heading = `Synthesis by ${author}${ending.decided ? '' : ' (the council did not decide)'}:`;
  return [
    by === null || findings || silent ? '' : `\n${cli.paint('bold', heading)}`,
    `\n${shown}\n`,
    contradicts ? `${CONTRADICTS}\n` : '',
    silent ? `${NO_SYNTHESIS}\n` : '',
  ];
}

function factLines(cli: Cli, { ending, failed }: RunResult): string[] {
  const facts = [
    failed === 'failed' && !ending.able?.length
      ? cli.paint(['bold', 'red'], 'Nobody at this table has answered.')
      : '',
    ending.outcome === null
      ? ''
      : cli.paint(ending.decided ? ['bold', 'green'] : 'bold', oneLine(ending.outcome, 1000)),
    ...formatNamedFacts('Votes', ending.votes),
    ...formatNamedFacts('Dissent', ending.dissent),
    ...formatNamedFacts('Unanswered', ending.unanswered),
    ...formatNamedFacts('Absent', ending.absent),
    ...ending.outside,
    ...(ending.able === null ? [] : [sayHowToMend(ending.able)]),
  ].filter((line) => line !== '');
  return facts.length === 0 ? [] : [`\n${facts.join('\n')}`];
}

/** What helps where too few could speak: why each of them could not stands above. */
export function sayHowToMend(able: readonly string[]): string {
  const alone = able.length === 0 ? '' : `, or with those who can speak: --agents ${able.join(',')}`;
  return `Nothing was played after that. Once it is mended, run the same command again${alone}`;
}

/** One fact in its line, several below their name. */
function formatNamedFacts(name: string, facts: string[]): string[] {
  if (facts.length === 0) return [];
  if (facts.length === 1) return [`${name}: ${facts[0]}`];
  return [`${name}:`, ...facts.map((fact) => `  ${fact}`)];
}
