// Summarizes a council in a few lines, or in one, for `status` and `watch`.
import { renderMissingTextLine, explainDeadlineMove } from '../app/progress.ts';
import { toOneLine } from '../base/text.ts';
import { fill, formatMoney, formatNames, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { formatLocalTime, formatDueTime } from '../base/local-time.ts';
import type { CouncilSummary } from '../app/status.ts';
import type { Cli } from './io.ts';
import {
  awaited,
  findDueMove,
  hasEnded,
  findOtherHost,
  isHeld,
  isBlindNow,
  formatRunnableKey,
  describeDecisionOutcome,
  describeLimit,
  getSeat,
  sumUsage,
  tellOfAside,
  sumTokens,
  listMissingHeartbeats,
} from '../app/state-document.ts';
import type { CouncilState, Lease, Participant, StateDocument } from '../app/state-document.ts';
import { namePhase, translateAbsence, translateReason } from '../base/words/reasons.ts';

const STYLE = { WAITING: 'yellow', RESPONDED: 'green', AGREED: 'green', DONE: 'gray' } as const;

type WithPaint = Pick<Cli, 'paint'>;

/** Summarizes a council in a few lines, for `status`. */
export function renderSummary(state: StateDocument, cli: WithPaint): string {
  const now = Date.now();
  const w = loadWords(state.lang);
  return [
    `${cli.paint('bold', toOneLine(state.topic))}  [${state.name}, ${toOneLine(state.mode)}]`,
    ...renderPhaseLines(state, now, w),
    ...seatLines(state, cli, w),
    ...renderWaitingLines(state, now, w),
    ...renderOutcomeLines(state, w),
    renderFileLine(state, cli, w),
  ].join('\n');
}

function renderPhaseLines(state: StateDocument, now: number, w: Words): string[] {
  const { standing } = w;
  const due = findDueMove(state);
  const isOver = state.currentPhase === 'SYNTHESIZE' && state.coordinator === null;
  const deadline = isHeld(state)
    ? fill(standing.archivedBy, { when: formatDueTime(state.timeoutAt, now, w) })
    : due
      ? standing.nextMoves
      : isOver
        ? standing.noSynthesis
        : Date.parse(state.timeoutAt) > now
          ? fill(standing.deadline, { when: formatDueTime(state.timeoutAt, now, w) })
          : standing.deadlinePassed;
  // The status is shown only once nothing is awaited: until then it may change.
  const status = state.currentPhase === 'SYNTHESIZE' && awaited(state).length > 0 ? '' : `, ${state.status}`;
  const where = fill(standing.phase, {
    phase: namePhase(state.currentPhase, state.rules),
    tour: state.tour,
  });
  const phase = `  ${where}${status}; ${deadline}`;
  const moved = state.phaseClock?.moved;
  if (due) return [phase, `  ${explainDeadlineMove(due, w)}`];
  if (!moved) return [phase];
  const when = formatDueTime(moved.at, now, w);
  return [phase, `  ${fill(standing.deadlineMoved, { when, why: explainDeadlineMove(moved, w) })}`];
}

function seatLines(state: StateDocument, cli: WithPaint, w: Words): string[] {
  // In SYNTHESIZE only the coordinator is awaited.
  const isOver = state.currentPhase === 'SYNTHESIZE';
  const line = (id: string, one: Participant, isCoordinator = false): string[] => {
    const name = formatParticipantName(id, one);
    const who = isCoordinator ? fill(w.standing.coordinator, { who: name }) : name;
    const status = (isOver && !isCoordinator) || isGone(one) ? '' : one.status;
    return [renderParticipantLine(who, one, status, cli, w), ...renderFailure(one, w)];
  };
  const { order, coordinator, synthesizer } = state;
  return [
    ...order.flatMap((id) => line(id, getSeat(state, id))),
    ...(coordinator && synthesizer ? line(coordinator, synthesizer, true) : []),
  ];
}

/** Whether the council no longer waits for this participant's answer. */
const isGone = ({ status, absent }: Participant): boolean => status === 'WAITING' && absent !== null;

function renderWaitingLines(state: StateDocument, now: number, w: Words): string[] {
  const { standing } = w;
  const waiting = awaited(state);
  const lines: string[] = [];
  // The id of the coordinator is a name that council gave.
  const who = waiting.map((id) =>
    id === state.coordinator && state.synthesizer ? toOneLine(state.synthesizer.title, 40) : id,
  );
  if (who.length > 0) lines.push(`  ${fill(standing.waitingFor, { who: formatNames(who, w) })}`);
  else if (isHeld(state)) lines.push(`  ${fill(standing.heldFor, { name: state.name })}`);
  else if (state.closing) lines.push(`  ${fill(standing.closing, { path: toOneLine(state.closing.path) })}`);
  else if (!state.missing && !(state.currentPhase === 'SYNTHESIZE' && state.coordinator === null))
    lines.push(`  ${standing.nothingLeft}`);
  for (const id of state.missing ?? [])
    lines.push(`  ${renderMissingTextLine(id, getSeat(state, id).sealedAt ?? null)}`);
  for (const one of state.aside ?? []) lines.push(`  ${tellOfAside(state.name, one)}`);
  for (const [id, { until, reason }] of Object.entries(state.paused ?? {}))
    lines.push(
      `  ${fill(standing.paused, { time: formatLocalTime(until, now, w), who: id, reason: toOneLine(translateReason(reason, w)) })}`,
    );
  lines.push(...listMissingHeartbeats(state).map((line) => `  ${line}`));
  if (state.waitingForTrust) {
    const what = state.waitingForTrust.map(({ key }) => formatRunnableKey(String(key))).join(', ');
    lines.push(`  ${fill(standing.trust, { what })}`);
  }
  return lines;
}

/** Shows the outcome so far, and the usage. */
function renderOutcomeLines(state: StateDocument, w: Words): string[] {
  const { standing } = w;
  const lines: string[] = [];
  const outcome = describeDecisionOutcome(state);
  if (outcome) lines.push(`  ${toOneLine(outcome, 400)}`);
  if (state.held) lines.push(`  ${fill(standing.heldOpen, { why: toOneLine(state.held) })}`);
  if (state.advocate)
    lines.push(
      `  ${fill(standing.advocate, { tour: state.advocate.tour, who: state.advocate.participant })}`,
    );
  for (const { by, issue } of state.convergence.blockingIssues)
    lines.push(`  ${fill(standing.blocking, { by, issue: toOneLine(issue) })}`);
  lines.push(...renderAbsenceLines(state, w));
  const spent = formatSpent(state, w);
  return spent ? [...lines, spent] : lines;
}

/** Shows one line per participant and reason, for any number of rounds. */
function renderAbsenceLines(state: StateDocument, w: Words): string[] {
  const groups = Map.groupBy(
    state.absences,
    ({ participant, reason }) => `${participant} (${toOneLine(translateAbsence(reason, w), 400)})`,
  );
  return [...groups].flatMap(([who, absences]) => {
    const phases = [...new Set(absences.map(({ phase }) => phase))].join(', ');
    const { participant, reason, stderr = '' } = absences.at(-1)!;
    if (getSeat(state, participant).absent === reason)
      return [`  ${fill(w.standing.absentAsWell, { phases, who: participant })}`];
    return [`  ${fill(w.standing.absentIn, { phases, who })}`, ...quoteStderrLines(stderr)];
  });
}

function renderFileLine(
  { path, edited, adoptable }: StateDocument,
  { paint }: WithPaint,
  { standing }: Words,
): string {
  const ways = adoptable === false ? standing.editedRestore : standing.editedAdopt;
  return `  ${path}${edited ? paint('yellow', `  ${ways}`) : ''}`;
}

/** Formats "Henry (henry)"; an id without a title is shown alone. */
const formatParticipantName = (id: string, { title }: Participant): string =>
  title === id ? id : `${toOneLine(title, 40)} (${id})`;

function renderParticipantLine(
  who: string,
  p: Participant,
  status: Participant['status'] | '',
  { paint }: WithPaint,
  w: Words,
): string {
  const { standing } = w;
  const facts = [
    p.absent &&
      (p.absent.startsWith('excused')
        ? p.absent
        : fill(standing.absent, { why: translateAbsence(p.absent, w) })),
    p.lease && describeRunningLaunch(p.lease, standing),
    p.position && fill(standing.position, { position: p.position }),
    p.lastAction && fill(standing.lastSpoke, { when: formatDueTime(p.lastAction, Date.now(), w) }),
  ];
  const said = [
    ...(status === '' ? [] : [paint(STYLE[status], status)]),
    ...facts.filter(Boolean).map((fact) => toOneLine(String(fact), 300)),
  ];
  return `  ${toOneLine(p.emoji, 8)} ${who}: ${said.join(', ') || standing.notSpoken}`;
}

const describeRunningLaunch = (lease: Lease, w: Words['standing']): string => {
  const { attempt } = lease;
  if (hasEnded(lease)) return fill(w.launchOver, { attempt });
  const host = findOtherHost(lease);
  return host === undefined ? fill(w.speaking, { attempt }) : fill(w.speakingOn, { attempt, host });
};

/** Shows why the last launch of the open phase failed, with the end of the program's stderr. */
const renderFailure = ({ failure: last, absent }: Participant, w: Words): string[] => {
  if (!last) return [];
  const isTold = absent === `failed: ${last.reason}`;
  const reason = toOneLine(translateReason(last.reason, w), 400);
  return [
    ...(isTold ? [] : [`    ${fill(w.standing.failed, { reason })}`]),
    ...quoteStderrLines(last.stderr),
  ];
};

const quoteStderrLines = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `    | ${line.trimEnd()}`);

/** Shows the usage in phases that are no longer blind; undefined if nothing is known. */
function formatSpent(state: CouncilState, w: Words): string | undefined {
  const { standing, ending, common } = w;
  const { usage = [], budget } = state;
  if (usage.length === 0 && !budget) return undefined;
  const { costUsd, ...spent } = sumUsage(usage);
  const limit = budget ? describeLimit(budget, w) : '';
  if (usage.length === 0 && isBlindNow(state)) return `  ${fill(standing.limitBlind, { limit })}`;
  const countLaunches = (count: number): string =>
    fill(count === 1 ? ending.oneLaunch : ending.launches, { count });
  const byEstimate = usage.filter(({ estimate }) => estimate).length;
  const counts = byEstimate === 0 ? '' : fill(standing.byEstimate, { launches: countLaunches(byEstimate) });
  const used = fill(standing.used, {
    launches: countLaunches(usage.length),
    tokens: sumTokens(spent) ?? standing.unknown,
    cost: costUsd === null ? standing.unknownCost : formatMoney(costUsd, common),
  });
  return `  ${used}${limit === '' ? '' : `${fill(standing.limit, { limit })}${counts}`}`;
}

/** Summarizes one of very many councils in one line, for `status`. */
export function renderGlimpse(
  { name, topic, phase, tour, awaited: who, dueAt, edited }: CouncilSummary,
  { paint }: WithPaint,
  w: Words,
): string {
  const now = Date.now();
  const { standing } = w;
  const facts = [
    fill(standing.phase, { phase, tour }),
    dueAt > now
      ? fill(standing.deadline, { when: formatDueTime(new Date(dueAt).toISOString(), now, w) })
      : standing.passed,
    who.length > 0 && fill(standing.waitingShort, { who: formatNames(who, w) }),
    edited && paint('yellow', standing.edited),
  ];
  return `${paint('bold', name)}: ${facts.filter(Boolean).join('; ')}; ${toOneLine(topic, 100)}`;
}

/** Summarizes a council in one line, for `watch` without a terminal. */
export function renderOneLineSummary(state: CouncilState): string {
  const said = state.order.map((id) => `${id}=${getSeat(state, id).status}`).join(' ');
  return `${state.updatedAt} ${state.name} r${state.revision} ${state.currentPhase} round ${state.tour} ${state.status} ${said}`;
}
