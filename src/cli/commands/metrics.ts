// Command `metrics`.
import type { MetricsInput } from '../../app/input/archive.ts';
import { metrics } from '../../app/metrics.ts';
import { pageOptions } from '../page-options.ts';
import { performed } from '../performed.ts';
import { told } from '../print.ts';
import { renderMarkdown } from '../render-markdown.ts';
import type { Command } from '../spec.ts';

export const metricsCommand: Command<MetricsInput> = async (cli, input) => {
  const result = await performed(
    cli,
    () => metrics(cli, input),
    (_, { page }) => ({ table: () => String(page) }),
  );
  const text = await renderMarkdown(result.table(), pageOptions(cli));
  return told(result, text || 'No message is logged yet.');
};
