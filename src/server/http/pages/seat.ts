// Page of a person's seat at a council: view and answer, with the same use cases as on the command line. When the
// council is over, text that was not recorded can still be copied.
import { createSecret } from '../../../core/base/ids.ts';
import type { ReadDocument, View } from '../../../core/app/view.ts';
import type { CallOutcome } from '../../remote/perform-call.ts';
import type { RespondDocument } from '../../../core/app/respond.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import { readAnswerForm, composeContribution, isUntouched, EMPTY_ANSWER } from '../../page/seat/answer.ts';
import type { SeatAnswer } from '../../page/seat/answer.ts';
import { buildSeatDocument, renderOverMain, renderOverRegion } from '../../page/seat/document.ts';
import type { FormOutcome } from '../../page/seat/report.ts';
import { renderSeatMain } from '../../page/seat/seat.ts';
import type { Ctx, ProblemStatus } from '../context.ts';
import { toProblem } from '../context.ts';
import { respondWithProblem, redirectToPage, respondWithExplanation, respondWithPage } from './layout.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';
import { renderFormToken } from './visitor.ts';
import { loadPageWords } from '../../page/words.ts';
import { asCouncilError } from '../../../core/base/errors.ts';
import { toOneLine } from '../../../core/base/text.ts';
import type { PageWords } from '../../page/words.ts';
import { findProblemWords } from '../../page/page-formats.ts';
import { toCopy } from './unsent.ts';

interface Seat {
  agent: string;
  name: string;
}

/** The recorded text with its outcome, for its sender. */
interface RecordedAnswer {
  outcome: FormOutcome & { kind: 'sent' };
  text: string;
}

export function addSeat(site: Site): void {
  const path = '/councils/:name/seat';
  const notes = createOneTimeNotes<RecordedAnswer>();
  site.get(path, async (c, visitor) => {
    const seat = resolveVisitorSeat(c, visitor, c.req.query('as'));
    if (!seat) return respondWithNoSeat(c, visitor);
    const done = await visitor.ask('view', { ...seat });
    const sent = notes.take(visitor.formToken, c.req.query(NOTE));
    if (!done.failed)
      return respondWithSeat(c, visitor, seat, done, {
        answer: EMPTY_ANSWER,
        outcome: sent?.outcome ?? null,
        recorded: await findRecordedAnswer(site, visitor, done.document as View, sent),
      });
    const over = await findEndedArchive(site, visitor, seat.name, done);
    return over ? respondWithOverPage(c, visitor, over) : respondWithProblem(c, visitor, done);
  });
  site.get(`${path}/prompt`, async (c, visitor) => {
    const seat = resolveVisitorSeat(c, visitor, c.req.query('as'));
    if (!seat) return respondWithNoSeat(c, visitor);
    const done = await visitor.ask('view', { ...seat });
    return done.failed
      ? respondWithProblem(c, visitor, done)
      : respondWithPrompt(c, visitor, seat, done.document as View);
  });
  site.post(path, async (c, visitor, form) => {
    const seat = resolveVisitorSeat(c, visitor, form.get('as') ?? undefined);
    if (!seat) return respondWithNoSeat(c, visitor);
    const shown = await take(visitor, seat, form);
    // After the redirect, reloading the page sends nothing again.
    if ('sent' in shown)
      return redirectToPage(c, withNote(c.req.url, notes.leave(visitor.formToken, shown.sent)));
    const done = await visitor.ask('view', { ...seat });
    if (!done.failed) return respondWithSeat(c, visitor, seat, done, shown);
    return respondWithLastPage(c, visitor, {
      done,
      shown,
      over: await findEndedArchive(site, visitor, seat.name, done),
    });
  });
}

/** A session of a seat has its own; an admin must name one. */
function resolveVisitorSeat(c: Ctx, { caller }: Visitor, as: string | undefined): Seat | undefined {
  const agent = as ?? caller?.participant;
  const name = c.req.param('name');
  return agent === undefined || agent === '' || name === undefined ? undefined : { agent, name };
}

const NOTE = 'sent';

/** Returns the path of the form's page with the id of a note to be shown once. */
function withNote(from: string, id: string): string {
  const { pathname, searchParams } = new URL(from);
  searchParams.set(NOTE, id);
  return `${pathname}?${searchParams.toString()}`;
}

const respondWithNoSeat = (c: Ctx, visitor: Visitor): Response =>
  respondWithExplanation(c, visitor, { status: 404, code: 'unknown_agent', says: visitor.w.seat.noSeat });

/** Performs the form's action. Text that is not recorded stays in the form. */
async function take(
  visitor: Visitor,
  seat: Seat,
  form: URLSearchParams,
): Promise<ShownSeat | { sent: RecordedAnswer }> {
  const answer = readAnswerForm(form);
  const text = isUntouched(answer, form.get('held') ?? '') ? '' : composeContribution(answer);
  const wanted = form.get('do');
  if (wanted === 'preview') return previewAnswer(visitor, seat, answer, text);
  const tour = Number(form.get('tour'));
  const done = await visitor.ask('respond', {
    ...seat,
    text,
    replace: wanted === 'replace',
    ...(Number.isInteger(tour) && tour > 0 && { tour }),
  });
  if (done.failed) return { answer, ...toRefusedOutcome(done) };
  const { accepted, phase, tour: round, revision, read = null } = done.document as RespondDocument;
  const outcome = { kind: 'sent', phase, tour: round, revision, again: !accepted, read } as const;
  return { sent: { outcome: { ...outcome, key: form.get('key') ?? '' }, text } };
}

/** Finds the recorded answer in the open round, for its sender or for the seat itself. */
const findRecordedAnswer = async (
  { data }: Site,
  { caller }: Visitor,
  { name, participant, tour }: View,
  sent: RecordedAnswer | null,
): Promise<string | null> =>
  sent?.outcome.tour === tour
    ? sent.text
    : caller?.participant === participant
      ? data.findRecorded(name, participant)
      : null;

async function previewAnswer(
  visitor: Visitor,
  seat: Seat,
  answer: SeatAnswer,
  text: string,
): Promise<ShownSeat> {
  const body = { text: answer.text, prefix: 'preview-', level: 2, marks: [] };
  const done = await visitor.ask('read', { ...seat, text });
  if (done.failed) return { answer, ...toRefusedOutcome(done) };
  const { read } = done.document as ReadDocument;
  return { answer, outcome: { kind: 'preview', text: body, read, notes: [] } };
}

function toRefusedOutcome(done: CallOutcome): Pick<ShownSeat, 'outcome' | 'status'> {
  const { code, status } = toProblem(done);
  return { outcome: { kind: 'refused', code }, status };
}

/** Returns the paths of a seat; a visitor without a seat adds the participant. */
function buildSeatAddresses(
  { caller }: Visitor,
  { agent, name }: Seat,
): { action: string; promptAt: string } {
  const seat = `/councils/${encodeURIComponent(name)}/seat`;
  const as = caller?.role === 'participant' ? '' : `?as=${encodeURIComponent(agent)}`;
  return { action: `${seat}${as}`, promptAt: `${seat}/prompt${as}` };
}

/** Answers with the full prompt that an agent would get at this seat. */
function respondWithPrompt(c: Ctx, visitor: Visitor, seat: Seat, { lang, prompt, topic }: View): Response {
  const w = loadPageWords(lang);
  return respondWithPage(c, visitor, {
    title: fill(w.seat.title, { topic }),
    lang,
    main: html`<h1>${w.seat.everything}</h1>
      <pre dir="auto">${prompt}</pre>
      <p><a href="${buildSeatAddresses(visitor, seat).action}">${w.seat.back}</a></p>`,
  });
}

async function respondWithSeat(
  c: Ctx,
  visitor: Visitor,
  seat: Seat,
  done: CallOutcome,
  { answer, outcome, recorded = null, status = 200 }: ShownSeat,
): Promise<Response> {
  const page = buildSeatDocument(done.document as View);
  const { lang, topic } = page.view;
  const w = loadPageWords(lang);
  const text = await visitor.format(outcome?.kind === 'preview' ? [...page.texts, outcome.text] : page.texts);
  const isOwn = visitor.caller?.role === 'participant';
  if (outcome?.kind === 'refused') c.set('reason', outcome.code);
  return respondWithPage(c, visitor, {
    title: fill(w.seat.title, { topic }),
    lang,
    live: seat.name,
    status,
    main: renderSeatMain(
      page,
      { w, lang, text },
      {
        answer,
        outcome,
        recorded,
        seesMore: !isOwn,
        decides: visitor.caller?.role === 'admin',
        now: Date.now(),
        ...buildSeatAddresses(visitor, seat),
        hidden: html`${renderFormToken(visitor)}${!isOwn && html`<input type="hidden" name="as" value="${seat.agent}" />`}`,
      },
    ),
  });
}

// Notes shown once after a form, on the page that the browser is redirected to, only to its sender.

/** Beyond this, the oldest unread notes are dropped. */
const MOST_NOTES = 1000;

interface OneTimeNotes<T> {
  /** Stores a note for a session, identified by its form token; returns the note's id. */
  leave(formToken: string, note: T): string;
  /** Returns the note once; null if it is missing or belongs to another session. */
  take(formToken: string, id: string | undefined): T | null;
}

export function createOneTimeNotes<T>(): OneTimeNotes<T> {
  const kept = new Map<string, { formToken: string; note: T }>();
  return {
    leave(formToken, note) {
      const [oldest] = kept.keys();
      if (kept.size >= MOST_NOTES && oldest !== undefined) kept.delete(oldest);
      const id = createSecret();
      kept.set(id, { formToken, note });
      return id;
    },
    take(formToken, id = '') {
      const one = kept.get(id);
      if (one?.formToken !== formToken) return null;
      kept.delete(id);
      return one.note;
    },
  };
}

/** What is shown at a seat besides its view. */
interface ShownSeat {
  answer: SeatAnswer;
  outcome: FormOutcome | null;
  /** The recorded answer of the round, for those who may see it. */
  recorded?: string | null;
  status?: ProblemStatus | 200;
}

/** A finished council, and the path of its archive for those who may read it. */
interface EndedSeat {
  meta: Parameters<typeof renderOverMain>[0];
  path: string | null;
  w: PageWords;
}

/** Finds the archive of a finished council; undefined if the seat is unavailable for another reason. */
async function findEndedArchive(
  { data }: Site,
  visitor: Visitor,
  name: string,
  { code }: CallOutcome,
): Promise<EndedSeat | undefined> {
  if (code !== 'unknown_council') return undefined;
  const ref = visitor.caller?.conversationId ?? name;
  const found = await data.find(ref, visitor.caller).catch((error: unknown) => {
    if (asCouncilError(error).code === 'unknown_archive') return undefined;
    throw error;
  });
  if (!found || !('archive' in found)) return undefined;
  const { meta } = found.archive;
  const path = visitor.may('show') ? null : `/archives/${encodeURIComponent(meta.id)}`;
  return { meta, path, w: loadPageWords(meta.lang) };
}

/** Answers with the council's outcome instead of a question. */
const respondWithOverPage = (c: Ctx, visitor: Visitor, { meta, path, w }: EndedSeat): Response =>
  respondWithPage(c, visitor, {
    title: fill(w.seat.title, { topic: meta.topic }),
    lang: meta.lang,
    main: renderOverMain(meta, { w }, path),
  });

/** Answers with the unrecorded text, to be copied, if the seat is gone. */
function respondWithLastPage(
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
