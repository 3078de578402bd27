// Use case `ledger`, for active councils and archives.
import { ledgerTable, ledgerWords } from '../archive/ledger-section.ts';
import { ledgerDocument } from '../council/ledger/ledger-document.ts';
import type { LedgerDocument, LedgerNames } from '../council/ledger/ledger-document.ts';
import { claimNames, getLabels } from '../council/naming/labels.ts';
import { getMask } from '../council/naming/mask.ts';
import type { Council } from '../council/state/state.ts';
import type { ReadArchive } from '../archive/parse.ts';
import { loadWords } from '../base/words/words.ts';
import type { App, Result } from './app.ts';
import { findDeliberation } from './find-deliberation.ts';
import type { EitherInput } from './input/archive.ts';

/** A document, and as a table in Markdown for people, in the language of the deliberation; empty where there is nothing to show. */
export type WithTable<Document> = Result<Document> & { table: () => string };

/** Claims, challenges and changes of position of a council or an archive. */
export async function ledger(app: App, input: EitherInput): Promise<WithTable<LedgerDocument>> {
  const found = await findDeliberation(app, input);
  const [document, lang] =
    'council' in found
      ? [buildVisibleLedger(found.council), found.council.state.lang]
      : [archivedLedger(found.archive), found.archive.meta.lang];
  return { document, table: () => ledgerTable(document, ledgerWords(loadWords(lang))).join('\n') };
}

/** Of what the participants see: in an anonymous council labels stand for names until the archive. */
function buildVisibleLedger(council: Council): LedgerDocument {
  const { state, contributions } = council;
  const names = state.anonymous ? anonymousNames(council) : undefined;
  return ledgerDocument({ ledger: state.ledger, contributions }, names);
}

const archivedLedger = ({ meta, contributions }: ReadArchive): LedgerDocument =>
  ledgerDocument({ ledger: meta.ledger, contributions });

function anonymousNames(council: Council): LedgerNames {
  const labels = getLabels(council.state);
  const claims = claimNames(council.state);
  const mask = getMask(council);
  return {
    participant: (id) => labels.get(id) ?? id,
    claim: (id) => claims.get(id) ?? id,
    text: (text) => mask(text).text,
  };
}
