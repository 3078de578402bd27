// The page of a seat: what is asked first, what came of what was sent, the form, then all that there is to read.
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Show } from '../show.ts';
import { answerOf, NOTHING, startingAnswer } from './answer.ts';
import type { SeatDocument } from './document.ts';
import { seatForm } from './form.ts';
import type { FormParts } from './form.ts';
import {
  ballotRegion,
  briefRegion,
  challengesRegion,
  factsRegion,
  othersRegion,
  ownRegion,
} from './material.ts';
import { howRegion, nowRegion } from './now.ts';
import { reportOf } from './report.ts';
import type { Outcome } from './report.ts';

export interface SeatParts extends Omit<FormParts, 'isWrong' | 'replaces' | 'isRecorded'> {
  outcome: Outcome | null;
  /** What is recorded of this round, word for word, for whoever said it; null where nothing is, or it is not to be shown here. */
  recorded: string | null;
  /** True for whoever may see more of this council elsewhere; they need not have started it. */
  seesMore: boolean;
  /** True for whoever may decide about it as well. */
  decides: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /** The address of the prompt: it says everything once more. */
  promptAt: string;
}

/** The content of the page. Where something was typed, the form is not refreshed: it stays as it is. */
export function seatMain(page: SeatDocument, show: Show, parts: SeatParts): Html {
  const { view } = page;
  const { w } = show;
  const { outcome, recorded, seesMore, decides, now } = parts;
  const isWrong = outcome?.kind === 'refused';
  const replaces =
    view.status === 'RESPONDED' ||
    view.status === 'AGREED' ||
    (outcome?.kind === 'refused' && outcome.code === 'different_text');
  const isNew = parts.answer === NOTHING;
  const isRecorded = replaces && recorded !== null && isNew;
  const answer = isRecorded ? answerOf(recorded, view) : isNew ? startingAnswer(view) : parts.answer;
  // What is recorded is said first: nothing that comes later pushes it away. The rest is about the form, and stands by it.
  const isSent = outcome?.kind === 'sent';
  return html`<header>
      <h1 dir="auto">${oneLine(view.topic, 1000)}</h1>
      <p class="beside">${fill(w.seat.youAre, { participant: view.participant, name: view.name })}</p>
      ${seesMore && html`<p class="notice">${decides && w.seat.mayMove} ${w.seat.seesMore}</p>`}
    </header>
    ${isSent && reportOf(outcome, view, show)}
    <div id="seen" data-live>
      ${nowRegion(page, show, now)} ${howRegion(page, show)} ${challengesRegion(page, show)}
      ${ballotRegion(page, show)} ${factsRegion(page, show)} ${briefRegion(page, show)}
      ${othersRegion(page, show)} ${ownRegion(page, show)}
    </div>
    ${!isSent && reportOf(outcome, view, show)}
    <div id="turn" data-key="${view.key} ${String(view.asked)} ${String(replaces)}">
      ${(view.asked || answer.text !== '') && seatForm(page, show, { ...parts, answer, isWrong, replaces, isRecorded })}
      <p><a href="${parts.promptAt}">${w.seat.everything}</a></p>
    </div>`;
}
