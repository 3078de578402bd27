import { councilMetrics } from '../../archive/compose.ts';
import { measuresTable } from '../../archive/measures.ts';
import { metricsIn } from '../../archive/outcome.ts';
import { renderMarkdown } from '../../archive/show.ts';
import { wordsFor } from '../../base/words/words.ts';
import { findDeliberation } from '../../app/find-deliberation.ts';
import { pageOptions } from '../page-options.ts';
import type { LegacyCommand } from '../spec.ts';

export const metricsCommand: LegacyCommand = async (cli, [ref], options) => {
  const found = await findDeliberation(cli, ref, options);
  const json = 'council' in found ? councilMetrics(found.council) : metricsIn(found.archive);
  const { lang } = 'council' in found ? found.council.state : found.archive.meta;
  return { json, text: await renderMarkdown(measuresTable(json, wordsFor(lang)), pageOptions(cli)) };
};
