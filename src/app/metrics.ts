// Use case `metrics`: measures of a council, an archive, or the messages between agents.
import { councilMetrics } from '../archive/compose.ts';
import { measuresTable } from '../archive/measures.ts';
import { CouncilError } from '../base/errors.ts';
import { loadWords } from '../base/words/words.ts';
import type { Metrics } from '../council/vote/measures.ts';
import type { Traffic } from '../messages/traffic.ts';
import type { App } from './app.ts';
import { findDeliberation } from './find-deliberation.ts';
import type { MetricsInput } from './input/archive.ts';
import type { WithTable } from './ledger.ts';

/** Measures of a council or an archive, or of the messages between agents. What is not known is null. */
export async function metrics(app: App, input: MetricsInput): Promise<WithTable<Metrics | Traffic>> {
  const { messages, since, council, name } = input;
  if (messages ? (council ?? name) !== undefined : since !== undefined)
    throw new CouncilError('usage', '--messages counts all messages; a council is counted as a whole.', {
      hint: 'For example: council metrics NAME, or council metrics --messages --since 2h',
    });
  if (messages) {
    const { readTraffic, trafficTable } = await import('./messages/traffic.ts');
    const document = await readTraffic(app, since);
    return { document, table: () => trafficTable(document) };
  }
  const found = await findDeliberation(app, input);
  const document = 'council' in found ? councilMetrics(found.council) : found.archive.meta.metrics;
  const { lang } = 'council' in found ? found.council.state : found.archive.meta;
  return { document, table: () => measuresTable(document, loadWords(lang)) };
}
