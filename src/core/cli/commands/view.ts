// Command `view`.
import type { ViewInput } from '../../app/input/council.ts';
import { view } from '../../app/view.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

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
