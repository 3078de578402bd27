import { renderMarkdown } from '../../archive/show.ts';
import { claimNames, labelsOf } from '../../council/naming/labels.ts';
import { ledgerDocument } from '../../council/ledger/ledger-document.ts';
import type { LedgerDocument, LedgerNames } from '../../council/ledger/ledger-document.ts';
import { ledgerTable } from '../../archive/ledger-table.ts';
import { ledgerWords } from '../../archive/ledger-words.ts';
import { maskFor } from '../../council/naming/mask.ts';
import type { Language } from '../../base/words/words.ts';
import type { Council } from '../../council/state/state.ts';
import { wordsFor } from '../../base/words/words.ts';
import { findDeliberation } from '../../app/find-deliberation.ts';
import { pageOptions } from '../page-options.ts';
import type { LegacyCommand } from '../spec.ts';

export const ledgerCommand: LegacyCommand = async (cli, [ref], options) => {
  const found = await findDeliberation(cli, ref, options);
  const { json, lang } = 'council' in found ? active(found.council) : archived(found.archive);
  const table = ledgerTable(json, ledgerWords(wordsFor(lang))).join('\n');
  const text = table === '' ? '' : await renderMarkdown(table, pageOptions(cli));
  return { json, text: text || 'The ledger is empty: claims are read when COLLECT closes.' };
};

interface Read {
  json: LedgerDocument;
  lang: Language;
}

function archived({
  meta,
  contributions,
}: {
  meta: { ledger: Council['state']['ledger']; lang: Language };
} & Pick<Council, 'contributions'>): Read {
  return { json: ledgerDocument({ ledger: meta.ledger, contributions }), lang: meta.lang };
}

/** Of what the participants see: in an anonymous council labels stand for names until the archive. */
function active(council: Council): Read {
  const { state, contributions } = council;
  const names = state.anonymous ? anonymousNames(council) : undefined;
  return { json: ledgerDocument({ ledger: state.ledger, contributions }, names), lang: state.lang };
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
