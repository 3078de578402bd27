// Command `view`.
import type { ViewInput } from '../../app/input/council.ts';
import { viewCouncil } from '../../app/view.ts';
import { toTextOutcome } from '../print.ts';
import { performHereOrAtServer } from '../spec.ts';
import type { Command } from '../spec.ts';

export const performView: Command<ViewInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => viewCouncil(cli, input),
    ({ lang }) => ({ lang }),
  );
  const { prompt, deadline } = result.document;
  if (!cli.live) return toTextOutcome(result, prompt);
  const { withLocalTimes } = await import('../local-times.ts');
  return toTextOutcome(result, withLocalTimes(prompt, [deadline], result.lang, Date.now()));
};
