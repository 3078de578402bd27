// Commands `view` and `read`.
import type { ReadInput } from '../../app/input/archive.ts';
import { previewContribution, viewCouncil } from '../../app/view.ts';
import { describeReading } from '../describe-reading.ts';
import { toProseOutcome, toTextOutcome, withLocalTimes } from '../print.ts';
import { performHereOrAtServer } from '../spec.ts';
import type { Command } from '../spec.ts';
import type { ViewInput } from '../../app/input/council.ts';

export const performRead: Command<ReadInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => previewContribution(cli, input),
    () => ({}),
  );
  return toProseOutcome(result, describeReading(result.document.read).join('\n'));
};

export const performView: Command<ViewInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => viewCouncil(cli, input),
    ({ lang }) => ({ lang }),
  );
  const { prompt, deadline } = result.document;
  if (!cli.live) return toTextOutcome(result, prompt);
  return toTextOutcome(result, withLocalTimes(prompt, [deadline], result.lang, Date.now()));
};
