// Command `view`.
import type { ViewInput } from '../../app/input/council.ts';
import { view } from '../../app/view.ts';
import { performed } from '../performed.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const viewCommand: Command<ViewInput> = async (cli, input) => {
  const result = await performed(
    cli,
    () => view(cli, input),
    ({ lang }) => ({ lang }),
  );
  const { prompt, deadline } = result.document;
  if (!cli.live) return told(result, prompt);
  const { withLocalTimes } = await import('../local-times.ts');
  return told(result, withLocalTimes(prompt, [deadline], result.lang, Date.now()));
};
