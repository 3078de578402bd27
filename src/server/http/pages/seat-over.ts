// Page of a seat whose council is over or unavailable: unrecorded text can still be copied.
import type { CallOutcome } from '../../remote/perform-call.ts';
import { asCouncilError } from '../../../core/base/errors.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import { findProblemWords } from '../../page/page-formats.ts';
import { composeContribution } from '../../page/seat/answer.ts';
import type { SeatAnswer } from '../../page/seat/answer.ts';
import { renderOverMain, renderOverRegion } from '../../page/seat/document.ts';
import type { FormOutcome } from '../../page/seat/report.ts';
import type { Ctx, ProblemStatus } from '../context.ts';
import { respondWithProblem, respondWithPage } from './layout.ts';
import type { Site } from './site.ts';
import { toCopy } from './unsent.ts';
import type { Visitor } from './visitor.ts';
import { loadPageWords } from '../../page/words.ts';

/** What is shown at a seat besides its view. */
export interface ShownSeat {
  answer: SeatAnswer;
  outcome: FormOutcome | null;
  /** The recorded answer of the round, for those who may see it. */
  recorded?: string | null;
  status?: ProblemStatus | 200;
}

/** A finished council, and the path of its archive for those who may read it. */
export interface EndedSeat {
  meta: Parameters<typeof renderOverMain>[0];
  path: string | null;
  w: PageWords;
}

/** Finds the archive of a finished council; undefined if the seat is unavailable for another reason. */
export async function findEndedArchive(
  { looks }: Site,
  visitor: Visitor,
  name: string,
  { code }: CallOutcome,
): Promise<EndedSeat | undefined> {
  if (code !== 'unknown_council') return undefined;
  const ref = visitor.caller?.conversationId ?? name;
  const found = await looks.find(ref, visitor.caller).catch((error: unknown) => {
    if (asCouncilError(error).code === 'unknown_archive') return undefined;
    throw error;
  });
  if (!found || !('archive' in found)) return undefined;
  const { meta } = found.archive;
  const path = visitor.may('show') ? null : `/archives/${encodeURIComponent(meta.id)}`;
  return { meta, path, w: loadPageWords(meta.lang) };
}

/** Answers with the council's outcome instead of a question. */
export const respondWithOverPage = (c: Ctx, visitor: Visitor, { meta, path, w }: EndedSeat): Response =>
  respondWithPage(c, visitor, {
    title: fill(w.seat.title, { topic: meta.topic }),
    lang: meta.lang,
    main: renderOverMain(meta, { w }, path),
  });

/** Answers with the unrecorded text, to be copied, if the seat is gone. */
export function respondWithLastPage(
  c: Ctx,
  visitor: Visitor,
  { done, shown, over }: { done: CallOutcome; shown: ShownSeat; over: EndedSeat | undefined },
): Response {
  const { answer, outcome, status } = shown;
  if (outcome?.kind !== 'refused') return respondWithProblem(c, visitor, done);
  const w = over?.w ?? visitor.w;
  c.set('reason', outcome.code);
  return respondWithPage(c, visitor, {
    title: w.seat.refused,
    lang: over?.meta.lang,
    status,
    main: html`<h1>${w.seat.refused}</h1>
      ${
        over
          ? html`<p dir="auto">${toOneLine(over.meta.topic, 1000)}</p>
              ${renderOverRegion(over.meta, over, over.path)}`
          : html`<p class="bad" role="alert">${findProblemWords(outcome.code, w)}</p>`
      }
      ${toCopy(composeContribution(answer), w)}`,
  });
}
