// Use cases `ledger` and `metrics`, for active councils and archives.
import { ledgerTable } from '../archive/ledger-table.ts';
import { ledgerWords } from '../archive/ledger-words.ts';
import { measuresTable } from '../archive/measures.ts';
import { ledgerDocument } from '../council/ledger/ledger-document.ts';
import type { LedgerDocument, LedgerNames } from '../council/ledger/ledger-document.ts';
import { claimNames, labelsOf } from '../council/naming/labels.ts';
import { maskFor } from '../council/naming/mask.ts';
import type { Metrics } from '../council/vote/measures.ts';
import type { Traffic } from '../messages/traffic.ts';
import type { Council } from '../council/state/state.ts';
import { councilMetrics } from '../archive/compose.ts';
import type { ReadArchive } from '../archive/parse.ts';
import { CouncilError } from '../base/errors.ts';
import { wordsFor } from '../base/words/words.ts';
import type { App, Result } from './app.ts';
import { findDeliberation } from './find-deliberation.ts';
import type { EitherInput, MetricsInput } from './input/archive.ts';

/** A document, and as a table in Markdown for people, in the language of the deliberation; empty where there is nothing to show. */
type WithTable<Document> = Result<Document> & { table: () => string };

/** Claims, challenges and changes of position of a council or an archive. */
export async function ledger(app: App, input: EitherInput): Promise<WithTable<LedgerDocument>> {
  const found = await findDeliberation(app, input);
  const [document, lang] =
    'council' in found
      ? [ledgerOf(found.council), found.council.state.lang]
      : [archivedLedger(found.archive), found.archive.meta.lang];
  return { document, table: () => ledgerTable(document, ledgerWords(wordsFor(lang))).join('\n') };
}

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
  return { document, table: () => measuresTable(document, wordsFor(lang)) };
}

/** Of what the participants see: in an anonymous council labels stand for names until the archive. */
function ledgerOf(council: Council): LedgerDocument {
  const { state, contributions } = council;
  const names = state.anonymous ? anonymousNames(council) : undefined;
  return ledgerDocument({ ledger: state.ledger, contributions }, names);
}

const archivedLedger = ({ meta, contributions }: ReadArchive): LedgerDocument =>
  ledgerDocument({ ledger: meta.ledger, contributions });

function anonymousNames(council: Council): LedgerNames {
  const labels = labelsOf(council.state);
  const claims = claimNames(council.state);
  const mask = maskFor(council);
  return {
    participant: (id) => labels.get(id) ?? id,
    claim: (id) => claims.get(id) ?? id,
    text: (text) => mask(text).text,
  };
}
