// Picks the words for the ledger's tables in a language.
import type { LedgerWords } from './ledger-table.ts';
import type { Words } from '../base/words/words.ts';

/** The words of the ledger's tables in one language. */
export function ledgerWords({ ledger }: Words): LedgerWords {
  const { verified, elsewhere, near, not_found, none } = ledger;
  const { open, answered, conceded, conceded_in_part, rejected, unanswered } = ledger;
  return {
    ...ledger,
    quotes: { verified, elsewhere, near, not_found, none },
    statuses: { open, answered, conceded, conceded_in_part, rejected, unanswered },
  };
}
