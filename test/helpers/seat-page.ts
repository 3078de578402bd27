// The page of a seat for tests, as it stands inside of the frame: made of a council in memory, without a server.
import { loadPageWords } from '../../src/server/page/words.ts';
import type { Council } from '../../src/core/council/state/state.ts';
import { viewFor } from '../../src/core/council/view/view.ts';
import type { View } from '../../src/core/council/view/view.ts';
import { html, trustSanitizedHtml } from '../../src/server/page/html.ts';
import { convertMarkdownToHtml } from '../../src/server/page/markdown/to-html.ts';
import { EMPTY_ANSWER } from '../../src/server/page/seat/answer.ts';
import { buildSeatDocument } from '../../src/server/page/seat/document.ts';
import { renderSeatMain } from '../../src/server/page/seat/seat.ts';
import type { SeatParts } from '../../src/server/page/seat/seat.ts';
import { shippedMode } from './view-sample.ts';

export const viewOf = (council: Council, participant: string): View =>
  viewFor({ council, participant, persona: '', houseRules: '', mode: shippedMode(council.state.mode) });

/** The content of the page, as HTML. */
export function seatOf(view: View, parts: Partial<SeatParts> = {}): string {
  const { lang } = view;
  const text = (one: Parameters<typeof convertMarkdownToHtml>[0]) =>
    trustSanitizedHtml(convertMarkdownToHtml(one));
  return renderSeatMain(
    buildSeatDocument(view),
    { w: loadPageWords(lang), lang, text },
    {
      answer: EMPTY_ANSWER,
      outcome: null,
      recorded: null,
      seesMore: false,
      decides: false,
      now: Date.parse(view.deadline) - 42 * 60_000,
      hidden: html``,
      action: '/councils/tabs/seat',
      promptAt: '#prompt',
      ...parts,
    },
  ).toString();
}
