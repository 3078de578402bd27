// What a council waits for and what is wrong with it, in words, each with the command that mends it.
import { missingHeartbeats } from '../../../core/app/missing-heartbeats.ts';
import {
  awaited,
  hasEnded,
  isBlindNow,
  formatRunnableKey,
  reasonInWords,
  seat,
} from '../../../core/app/state-document.ts';
import type { Participant, StateDocument } from '../../../core/app/state-document.ts';
import { namePhase } from '../../../core/base/words/reasons.ts';
import { oneLine } from '../../../core/base/text.ts';
import { fill, formatNames } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { formatUnbrokenTime } from '../../page/lasted.ts';
import { time, timeText } from '../../page/show.ts';
import type { Visitor } from './visitor.ts';

/** "🦉 Henry". */
export const formatSeatTitle = (state: StateDocument, id: string): string =>
  formatEmojiTitle(seat(state, id), id);
const formatEmojiTitle = ({ emoji, title }: Participant, id: string): string =>
  oneLine(`${emoji} ${title || id}`, 80).trim();

/** The phases in their order, which of them is open, and what it is for. */
export function phaseSteps(
  { phases, currentPhase, rules }: StateDocument,
  { site, phases: meanings }: Words,
): Html {
  const open = phases.indexOf(currentPhase);
  const describeOpen = (phase: StateDocument['currentPhase'], at: number): Html | null =>
    at === open && namePhase(phase, rules) === phase
      ? html` <span class="beside">${meanings[phase]}</span>`
      : null;
  return html`<ol id="steps" class="steps" aria-label="${site.steps}">
    ${phases.map(
      (phase, at) =>
        html`<li ${at === open && html`aria-current="step"`}>
          ${namePhase(phase, rules)}${describeOpen(phase, at)}${at < open && html` <span aria-label="${site.stepDone}">✓</span>`}
        </li> `,
    )}
  </ol>`;
}

/** The phase with the time that is left of it. */
export const clock = (state: StateDocument, w: Words): Html => {
  const { currentPhase: phase, tour } = state;
  return html`<strong>${fill(w.site.openPhase, { phase, tour })}</strong>, ${timeLeft(state, w)}`;
};

/** The time left until the deadline, which a script keeps counting down. */
export function timeLeft({ timeoutAt }: StateDocument, w: Words): Html {
  const { site, common } = w;
  const left = Date.parse(timeoutAt) - Date.now();
  return left > 0
    ? html`${fill(site.timeLeft, { time: '' })}<span data-until="${timeoutAt}"
          >${formatUnbrokenTime(left, common)}</span
        >
        (${fill(site.until, { time: '' })}${time(timeoutAt, w)})`
    : html`<span class="bad">${site.timeOver}</span>`;
}

/** How far a participant is. */
export function stand({ status, absent, lease }: Participant, w: Words): string {
  const { site, participantStatus, page } = w;
  // Why a participant failed is told once, with what helps.
  if (absent?.startsWith('failed: ')) return fill(site.absent, { reason: page.failed });
  if (absent !== null)
    return fill(site.absent, {
      reason: oneLine(
        reasonInWords(absent, w, (it) => it),
        200,
      ),
    });
  return lease ? site.speaking : participantStatus[status];
}

/** The participants that the council waits for. */
export function describeAwaited(state: StateDocument, w: Words): string {
  const names = awaited(state).map((id) => formatSeatTitle(state, id));
  return names.length === 0 ? w.site.nobodyLeft : fill(w.site.waitingFor, { names: formatNames(names, w) });
}

/** The people at the table, the coordinator too once their turn may come. */
export const listPeople = (state: StateDocument): string[] =>
  listSeats(state).filter((id) => seat(state, id).runner === 'human');

const listSeats = ({ order, coordinator, synthesizer }: StateDocument): string[] => [
  ...order,
  ...(coordinator && synthesizer ? [coordinator] : []),
];

/** Links to the seats where the reader may answer: their own, and small, for an admin, those of others who are awaited. */
export function seatWays(state: StateDocument, { caller, w }: Pick<Visitor, 'caller' | 'w'>): Html | null {
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

/** Reasons that say themselves what mends them: nothing that a program printed tells more, and the check tells whether it is mended. */
const CANNOT_START =
  /cannot be launched|no API key|not logged in|is not accepted|model is unknown|trust this folder|configuration/;

/** A sentence with its end, whatever reason it closes with. */
const endSentence = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);

/** Why a participant could not speak in this phase; nothing that a program printed while the phase is blind. */
const findFailure = (state: StateDocument, id: string): string | undefined => {
  const { failure, absent } = seat(state, id);
  // The reason of an absence holds no word of a program while a phase is blind.
  return (isBlindNow(state) ? undefined : failure?.reason) ?? /^failed: (.*)$/s.exec(absent ?? '')?.[1];
};

/** Those who failed, and can be launched again once what kept them from speaking is mended. */
export const listFailed = (state: StateDocument): string[] =>
  listSeats(state).filter((id) => findFailure(state, id) !== undefined);

/** What keeps a council from going on. While a phase is blind, no visitor sees what a program printed. */
export function troubles(state: StateDocument, w: Words): Html[] {
  const { site } = w;
  const { name } = state;
  return listSeats(state)
    .flatMap((id): [string, string?][] => {
      const one = seat(state, id);
      const known = { name: formatSeatTitle(state, id) };
      const why = findFailure(state, id);
      return [
        ...(why !== undefined
          ? [
              [
                endSentence(fill(site.failed, { ...known, reason: oneLine(why, 300) })),
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
    .concat(pauses(state, w), ofAll(state, site), withoutLabels(state, w))
    .map(
      ([what, command]) =>
        html`<p class="notice">
          ${what}${command !== undefined && html` ${site.helps} <code>${command}</code>`}
        </p> `,
    );
}

const pauses = (state: StateDocument, w: Words): [string, string?][] =>
  Object.entries(state.paused ?? {}).map(([id, { until, reason }]) => [
    endSentence(
      fill(w.site.paused, {
        name: formatSeatTitle(state, id),
        time: timeText(until, w),
        reason: oneLine(reason, 300),
      }),
    ),
  ]);

/** Whom no heartbeat may launch: a label of theirs is missing. */
const withoutLabels = (state: StateDocument, w: Words): [string, string?][] =>
  missingHeartbeats(
    (state.waiting ?? []).map(({ participant, labels }) => ({
      labels,
      participant: formatSeatTitle(state, participant),
    })),
    w,
  ).map(({ sentence, command }) => [sentence, command]);

function ofAll(state: StateDocument, site: Words['site']): [string, string?][] {
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
