// A council in a few lines, or in one, for `status` and `watch`.
import { missingTextLine } from '../app/missing-text.ts';
import { formatCount, oneLine } from '../base/text.ts';
import { localTime, formatDueTime } from '../base/local-time.ts';
import type { Glimpse } from '../app/overview.ts';
import type { Cli } from './io.ts';
import { whyMoved } from '../app/progress.ts';
import {
  awaited,
  dueNow,
  hasEnded,
  hostElsewhere,
  isHeld,
  isBlindNow,
  formatRunnableKey,
  describeDecisionOutcome,
  describeLimit,
  seat,
  spentOn,
  tellOfAside,
  sumTokens,
  withoutHeartbeat,
} from '../app/state-document.ts';
import type { CouncilState, Lease, Participant, StateDocument } from '../app/state-document.ts';
import { namePhase } from '../base/words/reasons.ts';

const STYLE = { WAITING: 'yellow', RESPONDED: 'green', AGREED: 'green', DONE: 'gray' } as const;

type Paint = Pick<Cli, 'paint'>;

/** A council in a few lines, for `status` and `watch`. */
export function summary(state: StateDocument, cli: Paint): string {
  const now = Date.now();
  return [
    `${cli.paint('bold', oneLine(state.topic))}  [${state.name}, ${oneLine(state.mode)}]`,
    ...phaseLines(state, now),
    ...seatLines(state, cli),
    ...waitingLines(state, now),
    ...outcomeLines(state),
    fileLine(state, cli),
  ].join('\n');
}

function phaseLines(state: StateDocument, now: number): string[] {
  const due = dueNow(state);
  const isOver = state.currentPhase === 'SYNTHESIZE' && state.coordinator === null;
  const deadline = isHeld(state)
    ? `archived ${formatDueTime(state.timeoutAt, now)}, by the next tick`
    : due
      ? 'the next tick moves the deadline'
      : isOver
        ? 'no synthesis is asked for: the next tick archives it'
        : Date.parse(state.timeoutAt) > now
          ? `deadline ${formatDueTime(state.timeoutAt, now)}`
          : 'deadline passed: the next tick closes it';
  // How it ended is true once nothing is waited for any more.
  const status = state.currentPhase === 'SYNTHESIZE' && awaited(state).length > 0 ? '' : `, ${state.status}`;
  const phase = `  ${namePhase(state.currentPhase, state.rules)}, round ${state.tour}${status}; ${deadline}`;
  const moved = state.phaseClock?.moved;
  if (due) return [phase, `  ${whyMoved(due)}`];
  return moved ? [phase, `  Deadline moved ${formatDueTime(moved.at, now)}: ${whyMoved(moved)}`] : [phase];
}

function seatLines(state: StateDocument, cli: Paint): string[] {
  // In SYNTHESIZE only the coordinator is waited for.
  const isOver = state.currentPhase === 'SYNTHESIZE';
  const line = (id: string, one: Participant, role = ''): string[] => [
    participantLine(
      `${formatParticipantName(id, one)}${role}`,
      one,
      (isOver && role === '') || isGone(one) ? '' : one.status,
      cli,
    ),
    ...failure(one),
  ];
  const { order, coordinator, synthesizer } = state;
  return [
    ...order.flatMap((id) => line(id, seat(state, id))),
    ...(coordinator && synthesizer ? line(coordinator, synthesizer, ', coordinator') : []),
  ];
}

/** Whether no answer of theirs is waited for. */
const isGone = ({ status, absent }: Participant): boolean => status === 'WAITING' && absent !== null;

/** What the council waits for. */
function waitingLines(state: StateDocument, now: number): string[] {
  const waiting = awaited(state);
  const lines: string[] = [];
  if (waiting.length > 0) lines.push(`  Waiting for: ${waiting.join(', ')}`);
  else if (isHeld(state))
    lines.push(
      `  Waiting for the person who asked: council continue debate|synthesis|end --name ${state.name}`,
    );
  else if (state.closing) lines.push(`  Being archived as ${oneLine(state.closing.path)}: run council tick`);
  else if (!state.missing && !(state.currentPhase === 'SYNTHESIZE' && state.coordinator === null))
    lines.push('  Nothing more to wait for: the next tick moves on');
  for (const id of state.missing ?? [])
    lines.push(`  ${missingTextLine(id, seat(state, id).sealedAt ?? null)}`);
  for (const one of state.aside ?? []) lines.push(`  ${tellOfAside(state.name, one)}`);
  for (const [id, { until, reason }] of Object.entries(state.paused ?? {}))
    lines.push(`  Paused until ${localTime(until, now)}: ${id} (${oneLine(reason)})`);
  lines.push(...withoutHeartbeat(state).map((line) => `  ${line}`));
  if (state.waitingForTrust)
    lines.push(
      `  Waiting for trust: ${state.waitingForTrust.map(({ key }) => formatRunnableKey(String(key))).join(', ')} (council trust)`,
    );
  return lines;
}

/** What has come out so far, and what it took. */
function outcomeLines(state: StateDocument): string[] {
  const lines: string[] = [];
  const outcome = describeDecisionOutcome(state);
  if (outcome) lines.push(`  ${oneLine(outcome, 400)}`);
  if (state.held) lines.push(`  Continues although everybody agreed: ${oneLine(state.held)}`);
  if (state.advocate)
    lines.push(`  Asked for the case against in round ${state.advocate.tour}: ${state.advocate.participant}`);
  for (const { by, issue } of state.convergence.blockingIssues)
    lines.push(`  Blocking (${by}): ${oneLine(issue)}`);
  lines.push(...absenceLines(state));
  const spent = spentInWords(state);
  return spent ? [...lines, spent] : lines;
}

/** Who was absent for one reason again and again is told once. */
function absenceLines(state: StateDocument): string[] {
  const groups = Map.groupBy(
    state.absences,
    ({ participant, reason }) => `${participant} (${oneLine(reason.replace(/^failed: /, ''), 400)})`,
  );
  return [...groups].flatMap(([who, absences]) => {
    const phases = [...new Set(absences.map(({ phase }) => phase))].join(', ');
    const { participant, reason, stderr = '' } = absences.at(-1)!;
    if (seat(state, participant).absent === reason) return [`  Absent in ${phases} as well: ${participant}`];
    return [`  Absent in ${phases}: ${who}`, ...quoteStderrLines(stderr)];
  });
}

function fileLine({ path, edited, adoptable }: StateDocument, { paint }: Paint): string {
  const ways =
    adoptable === false ? 'council restore puts it back' : 'council adopt takes it, council restore drops it';
  return `  ${path}${edited ? paint('yellow', `  edited by hand: ${ways}`) : ''}`;
}

/** "Henry (henry)"; an id without a title stands alone. */
const formatParticipantName = (id: string, { title }: Participant): string =>
  title === id ? id : `${oneLine(title, 40)} (${id})`;

function participantLine(
  who: string,
  p: Participant,
  status: Participant['status'] | '',
  { paint }: Paint,
): string {
  const facts = [
    p.absent && (p.absent.startsWith('excused') ? p.absent : `absent: ${p.absent.replace(/^failed: /, '')}`),
    p.lease && describeRunningLaunch(p.lease),
    p.position && `position: ${p.position}`,
    p.lastAction && `last spoke ${formatDueTime(p.lastAction, Date.now())}`,
  ];
  const said = [
    ...(status === '' ? [] : [paint(STYLE[status], status)]),
    ...facts.filter(Boolean).map((fact) => oneLine(String(fact), 300)),
  ];
  return `  ${oneLine(p.emoji, 8)} ${who}: ${said.join(', ') || 'has not spoken'}`;
}

const describeRunningLaunch = (lease: Lease): string => {
  if (hasEnded(lease))
    return `no longer running: the command that launched it has ended (attempt ${lease.attempt})`;
  const host = hostElsewhere(lease);
  return `speaking${host === undefined ? '' : ` on ${host}`} (attempt ${lease.attempt})`;
};

/** Why the last launch of the open phase failed, with the end of what the program printed to stderr. */
const failure = ({ failure: last, absent }: Participant): string[] => {
  if (!last) return [];
  const isTold = absent === `failed: ${last.reason}`;
  return [...(isTold ? [] : [`    Failed: ${oneLine(last.reason, 400)}`]), ...quoteStderrLines(last.stderr)];
};

const quoteStderrLines = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `    | ${line.trimEnd()}`);

/** What was used up in the phases that are not blind any more; undefined while nothing is known. */
function spentInWords(state: CouncilState): string | undefined {
  const { usage = [], budget } = state;
  if (usage.length === 0 && !budget) return undefined;
  const { costUsd, ...spent } = spentOn(usage);
  const limit = budget ? describeLimit(budget) : '';
  if (usage.length === 0 && isBlindNow(state))
    return `  The limit is ${limit}; the launches of this phase are counted when it closes`;
  const byEstimate = usage.filter(({ estimate }) => estimate).length;
  const counts =
    byEstimate === 0 ? '' : `, which counts ${formatCount(byEstimate, 'launch', 'launches')} by an estimate`;
  return `  Used so far: ${formatCount(usage.length, 'launch', 'launches')}, ${sumTokens(spent) ?? 'unknown'} tokens, ${costUsd ?? 'unknown'} US$${limit === '' ? '' : `; the limit is ${limit}${counts}`}`;
}

/** One council of very many in one line, for `status`. */
export function glimpse(
  { name, topic, phase, tour, awaited: who, dueAt, edited }: Glimpse,
  { paint }: Paint,
): string {
  const now = Date.now();
  const facts = [
    `${phase}, round ${tour}`,
    dueAt > now ? `deadline ${formatDueTime(new Date(dueAt).toISOString(), now)}` : 'deadline passed',
    who.length > 0 && `waiting for ${who.join(', ')}`,
    edited && paint('yellow', 'edited by hand'),
  ];
  return `${paint('bold', name)}: ${facts.filter(Boolean).join('; ')}; ${oneLine(topic, 100)}`;
}

/** One council in one line, for `watch` where stdout is no terminal. */
export function oneLineSummary(state: CouncilState): string {
  const said = state.order.map((id) => `${id}=${seat(state, id).status}`).join(' ');
  return `${state.updatedAt} ${state.name} r${state.revision} ${state.currentPhase} round ${state.tour} ${state.status} ${said}`;
}
