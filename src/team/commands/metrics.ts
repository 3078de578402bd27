// Command `metrics`.
import type { MetricsInput } from '../../core/app/input/archive.ts';
import { metrics } from '../metrics.ts';
import { pageOptions } from '../../core/cli/page-options.ts';
import { performHereOrAtServer } from '../../core/cli/performed.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import { renderMarkdown } from '../../core/cli/render-markdown.ts';
import type { Command } from '../../core/cli/spec.ts';

export const metricsCommand: Command<MetricsInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => metrics(cli, input),
    (_, { page }) => ({ table: () => String(page) }),
  );
  const text = await renderMarkdown(result.table(), pageOptions(cli));
  return toTextOutcome(result, text || 'No message is logged yet.');
};
