// Use case `metrics`: measures of a council, an archive, or the messages between agents.
import { councilMetrics } from '../core/archive/compose-archive.ts';
import { measuresTable } from '../core/archive/measures.ts';
import { CouncilError } from '../core/base/errors.ts';
import { loadWords } from '../core/base/words/words.ts';
import type { Metrics } from '../core/council/vote/measures.ts';
import type { Traffic } from './messages/message-metrics.ts';
import type { App } from '../core/app/app.ts';
import { findDeliberation } from '../core/app/find-deliberation.ts';
import type { MetricsInput } from '../core/app/input/archive.ts';
import type { WithTable } from '../core/app/ledger.ts';

/** Measures of a council or an archive, or of the messages between agents. What is not known is null. */
export async function metrics(app: App, input: MetricsInput): Promise<WithTable<Metrics | Traffic>> {
  const { messages, since, council, name } = input;
  if (messages ? (council ?? name) !== undefined : since !== undefined)
    throw new CouncilError('usage', '--messages counts all messages; a council is counted as a whole.', {
      hint: 'For example: council metrics NAME, or council metrics --messages --since 2h',
    });
  if (messages) {
    const { readTraffic, trafficTable } = await import('./messages/use/traffic.ts');
    const document = await readTraffic(app, since);
    return { document, table: () => trafficTable(document) };
  }
  const found = await findDeliberation(app, input);
  const document = 'council' in found ? councilMetrics(found.council) : found.archive.meta.metrics;
  const { lang } = 'council' in found ? found.council.state : found.archive.meta;
  return { document, table: () => measuresTable(document, loadWords(lang)) };
}
