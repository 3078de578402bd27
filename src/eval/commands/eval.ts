// Command `eval`: shows progress on a terminal, then the report.
import { formatMoney, loadWords } from '../../core/base/words/words.ts';
import { formatCount } from '../../core/base/text.ts';
import type { Cli } from '../../core/cli/io.ts';
import { pageOptions, toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';
import type { EvalInput } from '../input.ts';
import { runEval } from '../run-eval.ts';
import type { EvalProgress } from '../run-eval.ts';

export const performEval: Command<EvalInput> = async (cli, input) => {
  const view = cli.live ? await showProgress() : undefined;
  const result = await runEval(cli, input, view?.update).finally(() => view?.clear());
  cli.note(`Report and plots: ${result.document.record}`);
  return toTextOutcome(result, await layOutReport(cli, result.text));
};

const layOutReport = async (cli: Cli, text: string): Promise<string> =>
  cli.live
    ? (await import('../../core/cli/render-markdown.ts')).renderMarkdown(text, pageOptions(cli))
    : text;

async function showProgress() {
  const { createLiveRegion } = await import('../../core/cli/live-region.ts');
  let line = '';
  const region = createLiveRegion(() => [line], { onStop: () => undefined, onContinue: () => undefined });
  return {
    update({ played, asked, launches, costUsd }: EvalProgress): void {
      const cost = costUsd > 0 ? `, ${formatMoney(costUsd, loadWords('en').common)}` : '';
      line = `${played} of ${formatCount(asked, 'question')}, ${formatCount(launches, 'launch', 'launches')}${cost}`;
      region.refresh();
    },
    clear: region.clear,
  };
}
