// Archive sections on moves and unanswered challenges, and the ledger as Markdown tables.
import { toSafeLine } from '../council/document/state-page.ts';
import { createAnonymousLabels, toLetters } from '../council/naming/labels.ts';
import { buildLedgerDocument, cutText } from '../council/ledger/ledger-document.ts';
import { quoteAndWords } from '../council/ledger/text/marks.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import type { Proceedings } from './archive.ts';
import { renderParticipantName } from './archive.ts';
import type { Challenge } from '../council/state/state.ts';
import type { LedgerDocument } from '../council/ledger/ledger-document.ts';
import { toSafeBeginning, renderTable } from '../council/document/markers.ts';
import type { ChallengeStatus, QuoteStatus } from '../council/state/allowed-values.ts';

/** Renders the moves with their reasons; empty if there are none. */
export const renderMovesSection = (facts: Proceedings, w: Words): string =>
  renderMovesTable(buildArchiveLedger(facts), selectLedgerWords(w));

/** Lists the unanswered challenges; empty if there are none. */
export function renderUnansweredList({ meta, contributions }: Proceedings, w: Words): string {
  const to = ({ against }: Challenge): string =>
    against === null ? w.common.nobody : renderParticipantName(meta, against);
  return meta.ledger.challenges
    .filter(({ status }) => status === 'open' || status === 'unanswered')
    .map((challenge) => {
      const text = renderChallengeText(cutText(contributions, challenge), w);
      return `- ${fill(w.archive.unansweredChallenge, { id: challenge.id, by: renderParticipantName(meta, challenge.by), to: to(challenge), text })}`;
    })
    .join('\n');
}

/** Renders the quote in quotation marks, then the response to it, so that they cannot be confused. */
function renderChallengeText(challenge: string, w: Words): string {
  const { quote, words } = quoteAndWords(challenge);
  const quoted = quote === '' ? [] : [fill(w.common.quoted, { text: toSafeLine(quote) })];
  return [...quoted, ...(words === '' ? [] : [toSafeLine(words)])].join(' ');
}

/** Shows by an example how claim ids in an anonymous council map to labels; empty for other councils. */
export function claimLabels({ meta }: Proceedings, w: Words): string {
  const [claim] = meta.ledger.claims;
  if (!meta.anonymous || !claim) return '';
  const order = meta.participants.map(({ id }) => id);
  const place = [...createAnonymousLabels({ ...meta, order }).keys()].indexOf(claim.by);
  const there = toLetters(place).toLowerCase() + claim.id.slice(claim.by.length);
  return ` ${fill(w.archive.claimLabels, { there, here: claim.id })}`;
}

/** The ledger of an archive, where everyone has a name. */
export const buildArchiveLedger = ({
  meta,
  contributions,
}: Proceedings): ReturnType<typeof buildLedgerDocument> =>
  buildLedgerDocument({ ledger: meta.ledger, contributions });

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
  /** Shown for a missing target or reason. */
  nobody: string;
  unexplained: string;
  quotes: Record<QuoteStatus, string>;
  statuses: Record<ChallengeStatus, string>;
}

/** Longer texts are cut in a table: the transcript has the full text. */
const FIRST_WORDS = 80;

/** Renders all three tables as Markdown lines, separated by blank lines; empty tables are left out. */
export function renderLedgerTable(ledger: LedgerDocument, words: LedgerWords): string[] {
  const tables = [
    renderClaimsTable(ledger, words),
    renderChallengesTable(ledger, words),
    renderMovesTable(ledger, words),
  ];
  return tables
    .filter((text) => text !== '')
    .flatMap((text, index) => [...(index === 0 ? [] : ['']), ...text.split('\n')]);
}

function renderClaimsTable({ claims }: LedgerDocument, words: LedgerWords): string {
  return renderShortTable(
    [words.claim, words.by, words.words],
    claims.map(({ id, by, text }) => [id, by, text]),
  );
}

function renderChallengesTable({ challenges }: LedgerDocument, words: LedgerWords): string {
  return renderShortTable(
    [words.challenge, words.by, words.target, words.quote, words.status, words.words],
    challenges.map(({ id, by, target, quote, status, text, unexplained }) => [
      ...[id, by, target ?? words.nobody, words.quotes[quote]],
      unexplained ? `${words.statuses[status]}, ${words.unexplained}` : words.statuses[status],
      text,
    ]),
  );
}

function renderMovesTable({ moves }: LedgerDocument, words: LedgerWords): string {
  return renderShortTable(
    [words.by, words.from, words.to, words.phase, words.because],
    moves.map(({ by, from, to, phase, because }) => [
      ...[by, from ?? words.nobody, to ?? words.nobody, phase],
      because ?? words.unexplained,
    ]),
  );
}

function renderShortTable(header: string[], rows: string[][]): string {
  const short = (cells: string[]): string[] => cells.map((text) => toSafeBeginning(text, FIRST_WORDS));
  return rows.length === 0 ? '' : renderTable(short(header), rows.map(short));
}

/** Returns the words of the ledger's tables in one language. */
export function selectLedgerWords({ ledger }: Words): LedgerWords {
  const { verified, elsewhere, near, not_found, none } = ledger;
  const { open, answered, conceded, conceded_in_part, rejected, unanswered } = ledger;
  return {
    ...ledger,
    quotes: { verified, elsewhere, near, not_found, none },
    statuses: { open, answered, conceded, conceded_in_part, rejected, unanswered },
  };
}
