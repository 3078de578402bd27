// Describes what a council waits for and its problems, each with the command that helps.
import { explainMissingHeartbeats } from '../../../core/app/missing-heartbeats.ts';
import {
  awaited,
  hasEnded,
  isBlindNow,
  formatRunnableKey,
  describeAbsenceReason,
  getSeat,
} from '../../../core/app/state-document.ts';
import type { Participant, StateDocument } from '../../../core/app/state-document.ts';
import { namePhase } from '../../../core/base/words/reasons.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill, formatNames } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { formatUnbrokenTime } from '../../page/elapsed-time.ts';
import { renderTime, formatTime, translatePhase } from '../../page/page-formats.ts';
import type { Visitor } from './visitor.ts';
import { respondWithProblem, redirectToPage } from './layout.ts';
import type { Site } from './site.ts';
import { renderFormToken } from './visitor.ts';

/** Returns "🦉 Henry". */
export const formatSeatTitle = (state: StateDocument, id: string): string =>
  formatEmojiTitle(getSeat(state, id), id);
const formatEmojiTitle = ({ emoji, title }: Participant, id: string): string =>
  toOneLine(`${emoji} ${title || id}`, 80).trim();

/** Lists the phases in order, with the purpose of the open one. */
export function renderPhaseSteps({ phases, currentPhase, rules }: StateDocument, w: PageWords): Html {
  const open = phases.indexOf(currentPhase);
  const describeOpen = (phase: StateDocument['currentPhase'], at: number): Html | null =>
    at === open && namePhase(phase, rules) === phase
      ? html` <span class="beside">${w.phases[phase]}</span>`
      : null;
  return html`<ol id="steps" class="steps" aria-label="${w.site.steps}">
    ${phases.map(
      (phase, at) =>
        html`<li ${at === open && html`aria-current="step"`}>
          ${translatePhase(namePhase(phase, rules), w)}${describeOpen(phase, at)}${at < open && html` <span aria-label="${w.site.stepDone}">✓</span>`}
        </li> `,
    )}
  </ol>`;
}

/** Returns the open phase and its remaining time. */
export const renderClock = (state: StateDocument, w: PageWords): Html => {
  const { currentPhase: phase, tour, timeoutAt } = state;
  const isOver = Date.parse(timeoutAt) <= Date.now();
  return html`<strong>${fill(w.site.openPhase, { phase: translatePhase(phase, w), tour })}</strong>,
    ${!isOver && fill(w.site.timeLeft, { time: '' })}${renderTimeLeft(state, w)}`;
};

/** Returns the time until the deadline, which the script counts down. */
export function renderTimeLeft({ timeoutAt }: StateDocument, w: PageWords): Html {
  const { site, common } = w;
  const left = Date.parse(timeoutAt) - Date.now();
  return left > 0
    ? html`<span data-until="${timeoutAt}">${formatUnbrokenTime(left, common)}</span>
        (${fill(site.until, { time: '' })}${renderTime(timeoutAt, w)})`
    : html`<span class="bad">${site.timeOver}</span>`;
}

/** Describes a participant's status, or absence. */
export function describeSeatProgress({ status, absent, lease }: Participant, w: PageWords): string {
  const { site, participantStatus, page } = w;
  // The reason for a failure is shown only once, with the command that helps.
  if (absent?.startsWith('failed: ')) return fill(site.absent, { reason: page.failed });
  if (absent !== null)
    return fill(site.absent, {
      reason: toOneLine(
        describeAbsenceReason(absent, w, (it) => it),
        200,
      ),
    });
  return lease ? site.speaking : participantStatus[status];
}

/** Names the participants that the council waits for. */
export function describeAwaited(state: StateDocument, w: PageWords): string {
  const names = awaited(state).map((id) => formatSeatTitle(state, id));
  return names.length === 0 ? w.site.nobodyLeft : fill(w.site.waitingFor, { names: formatNames(names, w) });
}

/** Lists the people at the table, including the coordinator once their turn may come. */
export const listPeople = (state: StateDocument): string[] =>
  listSeats(state).filter((id) => getSeat(state, id).runner === 'human');

const listSeats = ({ order, coordinator, synthesizer }: StateDocument): string[] => [
  ...order,
  ...(coordinator && synthesizer ? [coordinator] : []),
];

/** Links to the reader's own seat, and smaller ones for an admin to the seats of others whose turn it is. */
export function renderSeatWays(
  state: StateDocument,
  { caller, w }: Pick<Visitor, 'caller' | 'w'>,
): Html | null {
  const { site } = w;
  const awaits = new Set(awaited(state));
  const own = listSeats(state).find((id) => id === caller?.participant);
  const others = caller?.role === 'admin' ? listPeople(state).filter((id) => id !== own) : [];
  const at = `/councils/${state.name}/seat`;
  const place = (address: string, words: string): Html => html`<a href="${address}">${words}</a> `;
  const waiting = others.filter((id) => awaits.has(id));
  if (own === undefined && waiting.length === 0) return null;
  return html`<div class="ways" id="ways-${state.name}">
    ${
      own !== undefined &&
      html`<p>
        <a class="to-form ${awaits.has(own) && 'main'}" href="${at}"
          >${awaits.has(own) ? site.yourTurn : site.seat}</a
        >
      </p>`
    }
    ${
      waiting.length > 0 &&
      html`<p class="beside">
        ${waiting.map((id) => place(`${at}?as=${encodeURIComponent(id)}`, fill(site.seatOf, { name: formatSeatTitle(state, id) })))}
      </p>`
    }
  </div>`;
}

/** Reasons that need no program output to understand; `agents check` shows whether the problem is solved. */
const CANNOT_START =
  /cannot be launched|no API key|not logged in|is not accepted|model is unknown|trust this folder|configuration/;

/** Adds a full stop unless the sentence has an end. */
const endSentence = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);

/** Returns why a participant failed in this phase, without program output while it is blind. */
const findFailure = (state: StateDocument, id: string): string | undefined => {
  const { failure, absent } = getSeat(state, id);
  // The reason of an absence contains no program output while a phase is blind.
  return (isBlindNow(state) ? undefined : failure?.reason) ?? /^failed: (.*)$/s.exec(absent ?? '')?.[1];
};

/** Lists the participants who failed, who can be launched again once the problem is solved. */
export const listFailed = (state: StateDocument): string[] =>
  listSeats(state).filter((id) => findFailure(state, id) !== undefined);

/** Lists what blocks a council. While a phase is blind, no visitor sees program output. */
export function renderTroubles(state: StateDocument, w: PageWords): Html[] {
  const { site } = w;
  const { name } = state;
  return listSeats(state)
    .flatMap((id): [string, string?][] => {
      const one = getSeat(state, id);
      const known = { name: formatSeatTitle(state, id) };
      const why = findFailure(state, id);
      return [
        ...(why !== undefined
          ? [
              [
                endSentence(fill(site.failed, { ...known, reason: toOneLine(why, 300) })),
                CANNOT_START.test(why) ? 'council agents check' : `council logs ${id} ${name}`,
              ] as [string, string],
            ]
          : []),
        ...(one.lease && hasEnded(one.lease)
          ? [[fill(site.attemptOver, known), 'council tick'] as [string, string]]
          : []),
        ...((state.missing ?? []).includes(id)
          ? [
              [fill(site.missing, known), `council reveal ${id} --name ${name} --file FILE`] as [
                string,
                string,
              ],
            ]
          : []),
      ];
    })
    .concat(listPauses(state, w), listCouncilTroubles(state, site), withoutLabels(state, w))
    .map(
      ([what, command]) =>
        html`<p class="notice">
          ${what}${command !== undefined && html` ${site.helps} <code>${command}</code>`}
        </p> `,
    );
}

const listPauses = (state: StateDocument, w: PageWords): [string, string?][] =>
  Object.entries(state.paused ?? {}).map(([id, { until, reason }]) => [
    endSentence(
      fill(w.site.paused, {
        name: formatSeatTitle(state, id),
        time: formatTime(until, w),
        reason: toOneLine(reason, 300),
      }),
    ),
  ]);

/** Lists participants that no heartbeat may launch because of missing labels. */
const withoutLabels = (state: StateDocument, w: PageWords): [string, string?][] =>
  explainMissingHeartbeats(
    (state.waiting ?? []).map(({ participant, labels }) => ({
      labels,
      participant: formatSeatTitle(state, participant),
    })),
    w,
  ).map(({ sentence, command }) => [sentence, command]);

function listCouncilTroubles(state: StateDocument, site: PageWords['site']): [string, string?][] {
  const { name, waitingForTrust = [], edited } = state;
  const untrusted = waitingForTrust.map(({ key }) => formatRunnableKey(String(key))).join(', ');
  return [
    ...(untrusted === ''
      ? []
      : [[fill(site.waitsForTrust, { names: untrusted }), 'council trust'] as [string, string]]),
    ...(edited
      ? [[site.edited, `council adopt --name ${name} / council restore --name ${name}`] as [string, string]]
      : []),
  ];
}

/** Returns null if nobody failed, and for visitors who may not decide about councils. */
export function renderRetryForm(state: StateDocument, visitor: Visitor, { site }: PageWords): Html | null {
  const failed = listFailed(state);
  if (failed.length === 0 || visitor.caller?.role !== 'admin') return null;
  return html`<form method="post" action="/councils/${state.name}/retry" class="row" id="retry-${state.name}">
    ${renderFormToken(visitor)}
    ${failed.map((id) => html`<button name="agent" value="${id}">${fill(site.retry, { name: formatSeatTitle(state, id) })}</button> `)}
  </form>`;
}

export function addRetry(site: Site): void {
  site.post('/councils/:name/retry', async (c, visitor, form) => {
    const name = c.req.param('name') ?? '';
    // Those who may decide about councils.
    const denied = visitor.may('excuse');
    if (denied) return respondWithProblem(c, visitor, denied);
    await site.data.retry({ name, agent: form.get('agent') ?? '' }, visitor.caller);
    return redirectToPage(c, `/councils/${name}?done=retry`);
  });
}
