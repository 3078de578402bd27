// Use cases `ledger` and `metrics`, for active councils and archives.
import { ledgerDocument } from '../council/ledger/ledger-document.ts';
import type { LedgerDocument, LedgerNames } from '../council/ledger/ledger-document.ts';
import { claimNames, labelsOf } from '../council/naming/labels.ts';
import { maskFor } from '../council/naming/mask.ts';
import type { Council } from '../council/state/state.ts';
import { councilMetrics } from '../archive/compose.ts';
import { metricsIn } from '../archive/outcome.ts';
import type { Language } from '../base/words/words.ts';
import type { App, Result } from './app.ts';
import { findDeliberation } from './find-deliberation.ts';
import type { EitherInput } from './input/archive.ts';

/** A document, and the language of the deliberation that it is about. */
type InLanguage<Document> = Result<Document> & { lang: Language };

/** Claims, challenges and changes of position of a council or an archive. */
export async function ledger(app: App, input: EitherInput): Promise<InLanguage<LedgerDocument>> {
  const found = await findDeliberation(app, input);
  return 'council' in found ? active(found.council) : archived(found.archive);
}

/** Measures of a council or an archive. What is not known is null. */
export async function metrics(app: App, input: EitherInput) {
  const found = await findDeliberation(app, input);
  const document = 'council' in found ? councilMetrics(found.council) : metricsIn(found.archive);
  const { lang } = 'council' in found ? found.council.state : found.archive.meta;
  return { document, lang } satisfies InLanguage<unknown>;
}

function archived({
  meta,
  contributions,
}: {
  meta: { ledger: Council['state']['ledger']; lang: Language };
} & Pick<Council, 'contributions'>): InLanguage<LedgerDocument> {
  return { document: ledgerDocument({ ledger: meta.ledger, contributions }), lang: meta.lang };
}

/** Of what the participants see: in an anonymous council labels stand for names until the archive. */
function active(council: Council): InLanguage<LedgerDocument> {
  const { state, contributions } = council;
  const names = state.anonymous ? anonymousNames(council) : undefined;
  return { document: ledgerDocument({ ledger: state.ledger, contributions }, names), lang: state.lang };
}

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
