// What a council waits for and what is wrong with it, in words, each with the command that mends it.
import { missingHeartbeats } from '../../app/no-heartbeat.ts';
import { awaited, hasEnded, isBlindNow, nameOf, reasonInWords, seat } from '../../app/state-document.ts';
import type { Participant, StateDocument } from '../../app/state-document.ts';
import { oneLine } from '../../base/text.ts';
import { fill } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { lasted } from '../../page/lasted.ts';
import { time, timeText } from '../../page/show.ts';

/** "🦉 Henry". */
export const calledIn = (state: StateDocument, id: string): string => called(seat(state, id), id);
const called = ({ emoji, title }: Participant, id: string): string =>
  oneLine(`${emoji} ${title || id}`, 80).trim();

/** The phase with the time that is left of it. */
export function clock(
  { currentPhase: phase, tour, timeoutAt }: StateDocument,
  { site, common }: Words,
): Html {
  const left = Date.parse(timeoutAt) - Date.now();
  return html`<strong>${fill(site.openPhase, { phase, tour })}</strong>,
    ${
      left > 0
        ? html`${fill(site.timeLeft, { time: '' })}<span data-until="${timeoutAt}"
              >${lasted(left, common)}</span
            >
            (${fill(site.until, { time: '' })}${time(timeoutAt)})`
        : html`<span class="bad">${site.timeOver}</span>`
    }`;
}

/** Where one of them stands. */
export function stand({ status, absent, lease }: Participant, w: Words): string {
  const { site, participantStatus } = w;
  if (absent !== null)
    return fill(site.absent, {
      reason: oneLine(
        reasonInWords(absent, w, (it) => it),
        200,
      ),
    });
  return lease ? site.speaking : participantStatus[status];
}

/** Whom it waits for. */
export function waiting(state: StateDocument, { site }: Words): string {
  const ids = awaited(state);
  if (ids.length === 0) return site.nobodyLeft;
  return fill(site.waitingFor, { names: ids.map((id) => calledIn(state, id)).join(', ') });
}

/** What keeps it from going on. While a phase is blind nobody gets what a program printed. */
export function troubles(state: StateDocument, w: Words): Html[] {
  const { site } = w;
  const { name } = state;
  const seats = [...state.order, ...(state.synthesizer && state.coordinator ? [state.coordinator] : [])];
  return seats
    .flatMap((id): [string, string?][] => {
      const one = seat(state, id);
      const known = { name: calledIn(state, id) };
      // The reason of an absence holds no word of a program while a phase is blind.
      const why =
        (isBlindNow(state) ? undefined : one.failure?.reason) ??
        /^failed: (.*)$/s.exec(one.absent ?? '')?.[1];
      return [
        ...(why !== undefined
          ? [
              [fill(site.failed, { ...known, reason: oneLine(why, 300) }), `council logs ${id} ${name}`] as [
                string,
                string,
              ],
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
    .concat(pauses(state, site), ofAll(state, site), withoutLabels(state, w))
    .map(
      ([what, command]) =>
        html`<p class="notice">
          ${what}${command !== undefined && html` ${site.helps} <code>${command}</code>`}
        </p> `,
    );
}

const pauses = (state: StateDocument, site: Words['site']): [string, string?][] =>
  Object.entries(state.paused ?? {}).map(([id, { until, reason }]) => [
    fill(site.paused, { name: calledIn(state, id), time: timeText(until), reason: oneLine(reason, 300) }),
  ]);

/** Whom no heartbeat may launch: a label of theirs is missing. */
const withoutLabels = (state: StateDocument, w: Words): [string, string?][] =>
  missingHeartbeats(
    (state.waiting ?? []).map(({ participant, labels }) => ({
      labels,
      participant: calledIn(state, participant),
    })),
    w,
  ).map(({ sentence, command }) => [sentence, command]);

function ofAll(state: StateDocument, site: Words['site']): [string, string?][] {
  const { name, waitingForTrust = [], edited } = state;
  const untrusted = waitingForTrust.map(({ key }) => nameOf(String(key))).join(', ');
  return [
    ...(untrusted === ''
      ? []
      : [[fill(site.waitsForTrust, { names: untrusted }), 'council trust'] as [string, string]]),
    ...(edited
      ? [[site.edited, `council adopt --name ${name} / council restore --name ${name}`] as [string, string]]
      : []),
  ];
}
