// Command `review`: live progress, then the findings and the verdict.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CouncilError } from '../../core/base/errors.ts';
import { formatCount } from '../../core/base/text.ts';
import { loadReviewWords } from '../words.ts';
import { openReporter } from '../../core/cli/commands/run.ts';
import type { Cli } from '../../core/cli/io.ts';
import { pageOptions, toTextOutcome } from '../../core/cli/print.ts';
import { renderPlanLines } from '../../core/cli/plan-lines.ts';
import type { Outcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';
import { chooseFileFormat, FORMATS, renderBeginning } from '../formats.ts';
import { explainLeftOut, formatPath } from '../render-review.ts';
import type { FormatName, ReviewInput } from '../input.ts';
import { planReview, reviewChange } from '../review-change.ts';
import type { ReviewPlan, ReviewResult } from '../review-change.ts';

export const performReview: Command<ReviewInput> = async (cli, input) => {
  if (input.dryRun) return performReviewPlan(cli, input);
  if (input.output !== undefined) requireFolder(dirname(resolve(cli.cwd, input.output)));
  const token = randomUUID();
  cli.show(renderBeginning(input.format, token));
  const { note, view } = await openReporter(cli, input.quiet);
  const result = await reviewChange({ ...cli, note, progress: view.onProgress }, input, view);
  const render = (format: FormatName): string =>
    FORMATS[format](result.document, loadReviewWords(result.lang), token);
  const text = render(input.format);
  if (input.output !== undefined)
    writeReport(resolve(cli.cwd, input.output), render(chooseFileFormat(input.output, input.format)));
  for (const line of result.posted) cli.note(line);
  return toTextOutcome(result, input.format === 'text' ? await layOutReview(cli, result, text) : text);
};

async function layOutReview(cli: Cli, { document, spent }: ReviewResult, text: string): Promise<string> {
  const shown = cli.live
    ? await (await import('../../core/cli/render-markdown.ts')).renderMarkdown(text, pageOptions(cli))
    : text;
  const archives = document.archives.map((path, at) => `Archive: ${path} (${spent[at]})`);
  return [shown.trimEnd(), ...(archives.length > 0 ? [archives.join('\n')] : [])].join('\n\n');
}

/** Throws `usage` before anything is paid for. */
function requireFolder(path: string): void {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CouncilError('usage', `There is no folder ${path} for the report.`, {
      hint: 'Make it, or name another file with --output.',
    });
}

function writeReport(path: string, text: string): void {
  try {
    fs.writeFileSync(path, `${text}\n`);
  } catch (error) {
    throw new CouncilError('io', `The review could not be written to ${path}: ${String(error)}`, {
      hint: 'It is in the archive all the same: council show last',
      cause: error,
    });
  }
}

async function performReviewPlan(cli: Cli, input: ReviewInput): Promise<Outcome> {
  const result = await planReview(cli, input);
  return toTextOutcome(result, renderPlan(result.document));
}

function renderPlan({ title, leftOut, parts }: ReviewPlan): string {
  const files = parts.flatMap((part) => part.files);
  return [
    `Review of ${title}: ${formatCount(new Set(files).size, 'file')} in ${formatCount(parts.length, 'part')}.`,
    ...leftOut.map(
      (one) => `Not reviewed: ${formatPath(one.path)} (${explainLeftOut(one, loadReviewWords('en'))})`,
    ),
    ...parts.flatMap(({ council }) => ['', ...renderPlanLines(council)]),
  ].join('\n');
}
