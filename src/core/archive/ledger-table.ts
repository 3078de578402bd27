// The ledger as Markdown tables of claims, challenges and moves.
import type { LedgerDocument } from '../council/ledger/ledger-document.ts';
import { safeBeginning, table } from '../council/document/escape-markdown.ts';
import type { ChallengeStatus, QuoteStatus } from '../council/state/choices.ts';

/** The words of the tables, in the council's language. */
export interface LedgerWords {
  claim: string;
  challenge: string;
  by: string;
  target: string;
  quote: string;
  status: string;
  words: string;
  from: string;
  to: string;
  phase: string;
  because: string;
  /** Stands for a target or a reason that is missing. */
  nobody: string;
  unexplained: string;
  quotes: Record<QuoteStatus, string>;
  statuses: Record<ChallengeStatus, string>;
}

/** Longer texts are cut in a table: the whole stands in the transcript. */
const FIRST_WORDS = 80;

/** All three tables as Markdown lines, with a blank line between them; those without rows are left out. */
export function ledgerTable(ledger: LedgerDocument, words: LedgerWords): string[] {
  const tables = [claimsTable(ledger, words), challengesTable(ledger, words), movesTable(ledger, words)];
  return tables
    .filter((text) => text !== '')
    .flatMap((text, index) => [...(index === 0 ? [] : ['']), ...text.split('\n')]);
}

export function claimsTable({ claims }: LedgerDocument, words: LedgerWords): string {
  return renderShortTable(
    [words.claim, words.by, words.words],
    claims.map(({ id, by, text }) => [id, by, text]),
  );
}

export function challengesTable({ challenges }: LedgerDocument, words: LedgerWords): string {
  return renderShortTable(
    [words.challenge, words.by, words.target, words.quote, words.status, words.words],
    challenges.map(({ id, by, target, quote, status, text, unexplained }) => [
      ...[id, by, target ?? words.nobody, words.quotes[quote]],
      unexplained ? `${words.statuses[status]}, ${words.unexplained}` : words.statuses[status],
      text,
    ]),
  );
}

export function movesTable({ moves }: LedgerDocument, words: LedgerWords): string {
  return renderShortTable(
    [words.by, words.from, words.to, words.phase, words.because],
    moves.map(({ by, from, to, phase, because }) => [
      ...[by, from ?? words.nobody, to ?? words.nobody, phase],
      because ?? words.unexplained,
    ]),
  );
}

function renderShortTable(header: string[], rows: string[][]): string {
  const short = (cells: string[]): string[] => cells.map((text) => safeBeginning(text, FIRST_WORDS));
  return rows.length === 0 ? '' : table(short(header), rows.map(short));
}
