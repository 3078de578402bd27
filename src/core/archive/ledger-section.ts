// Archive sections on moves and on unanswered challenges.
import { safe } from '../council/document/page.ts';
import { anonymousLabels, letters } from '../council/naming/labels.ts';
import { ledgerDocument, cutText } from '../council/ledger/ledger-document.ts';
import { quoteAndWords } from '../council/ledger/text/quote-and-words.ts';
import { movesTable } from './ledger-table.ts';
import { ledgerWords } from './ledger-words.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import type { Proceedings } from './archive.ts';
import { renderParticipantName } from './archive.ts';
import type { Challenge } from '../council/state/state.ts';

/** Who moved, from where to where, and because of what; empty text where the ledger holds no move. */
export const movesSection = (facts: Proceedings, w: Words): string =>
  movesTable(buildArchiveLedger(facts), ledgerWords(w));

/** The unanswered challenges; empty text when there are none. */
export function unansweredList({ meta, contributions }: Proceedings, w: Words): string {
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

/** The quote between marks, then what is said to it: neither passes for the other. */
function renderChallengeText(challenge: string, w: Words): string {
  const { quote, words } = quoteAndWords(challenge);
  const quoted = quote === '' ? [] : [fill(w.common.quoted, { text: safe(quote) })];
  return [...quoted, ...(words === '' ? [] : [safe(words)])].join(' ');
}

/** In an anonymous council texts name claims by letters: one example tells how they map back. Empty text elsewhere. */
export function claimLabels({ meta }: Proceedings, w: Words): string {
  const [claim] = meta.ledger.claims;
  if (!meta.anonymous || !claim) return '';
  const order = meta.participants.map(({ id }) => id);
  const place = [...anonymousLabels({ ...meta, order }).keys()].indexOf(claim.by);
  const there = letters(place).toLowerCase() + claim.id.slice(claim.by.length);
  return ` ${fill(w.archive.claimLabels, { there, here: claim.id })}`;
}

const buildArchiveLedger = ({ meta, contributions }: Proceedings): ReturnType<typeof ledgerDocument> =>
  ledgerDocument({ ledger: meta.ledger, contributions });
