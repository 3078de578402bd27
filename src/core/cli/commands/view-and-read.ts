// Commands `view` and `read`: what a participant is asked, and what is read in an answer.
import type { ReadInput } from '../../app/input/read.ts';
import { previewContribution } from '../../app/preview-contribution.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toldInLines, toTextOutcome } from '../print.ts';
import { readLines } from '../read-lines.ts';
import type { Command } from '../spec.ts';
import type { ViewInput } from '../../app/input/council.ts';
import { view } from '../../app/view.ts';

export const readCommand: Command<ReadInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => previewContribution(cli, input),
    () => ({}),
  );
  return toldInLines(result, readLines(result.document.read).join('\n'));
};

export const viewCommand: Command<ViewInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => view(cli, input),
    ({ lang }) => ({ lang }),
  );
  const { prompt, deadline } = result.document;
  if (!cli.live) return toTextOutcome(result, prompt);
  const { withLocalTimes } = await import('../local-times.ts');
  return toTextOutcome(result, withLocalTimes(prompt, [deadline], result.lang, Date.now()));
};
