import { formatDuration } from '../base/duration.ts';
import { forTerminal, oneLine } from '../base/text.ts';
import { awaited, isBlindNow, seat } from '../council/state.ts';
import type { CouncilState, Participant } from '../council/state.ts';
import { spentOn, tokensOf } from '../council/usage.ts';
import type { Cli } from './io.ts';
import type { StateDocument } from './result.ts';

const STYLE = { WAITING: 'yellow', RESPONDED: 'green', AGREED: 'green', DONE: 'gray' } as const;

/** A council in a few lines, for `status` and `watch`. */
export function summary(state: StateDocument, cli: Pick<Cli, 'paint'>): string {
  const left = Date.parse(state.timeoutAt) - Date.now();
  const deadline = left > 0 ? `${formatDuration(left)} left` : 'deadline passed: the next tick closes it';
  const lines = [
    `${cli.paint('bold', oneLine(state.topic))}  [${state.name}, ${state.mode}]`,
    `  ${state.currentPhase}, tour ${state.tour}, ${state.status}; until ${state.timeoutAt} (${deadline})`,
    ...state.order.flatMap((id) => [participantLine(id, seat(state, id), cli), ...failure(seat(state, id))]),
    ...(state.coordinator && state.synthesizer
      ? [
          participantLine(`${state.coordinator} (coordinator)`, state.synthesizer, cli),
          ...failure(state.synthesizer),
        ]
      : []),
  ];
  const waiting = awaited(state);
  if (waiting.length > 0) lines.push(`  Awaited: ${waiting.join(', ')}`);
  else
    lines.push(
      state.closing
        ? `  Being archived as ${state.closing.path}: run council tick`
        : '  Nobody is awaited: the next tick goes on',
    );
  for (const [id, { until, reason }] of Object.entries(state.paused ?? {}))
    lines.push(`  Paused until ${until}: ${id} (${oneLine(reason)})`);
  if (state.decision) lines.push(`  Decision by ${state.decision.rule}: ${oneLine(state.decision.why)}`);
  if (state.held) lines.push(`  Goes on although everybody agreed: ${oneLine(state.held)}`);
  if (state.advocate)
    lines.push(`  Asked for the case against in tour ${state.advocate.tour}: ${state.advocate.participant}`);
  for (const { by, issue } of state.convergence.blockingIssues)
    lines.push(`  Blocking (${by}): ${oneLine(issue)}`);
  for (const { participant, phase, reason, stderr = '' } of state.absences)
    lines.push(`  Absent in ${phase}: ${participant} (${oneLine(reason)})`, ...printed(stderr));
  const spent = spentInWords(state);
  if (spent) lines.push(spent);
  lines.push(
    `  ${state.path}${state.edited ? cli.paint('yellow', '  edited by hand: council adopt takes it, council restore drops it') : ''}`,
  );
  return lines.join('\n');
}

function participantLine(id: string, p: Participant, { paint }: Pick<Cli, 'paint'>): string {
  const facts = [
    p.absent && `absent: ${p.absent}`,
    p.lease && `speaking (attempt ${p.lease.attempt})`,
    p.position && `position: ${p.position}`,
    p.lastAction && `last spoke ${p.lastAction}`,
  ];
  return `  ${oneLine(p.emoji, 8)} ${oneLine(p.title, 40)} (${id}): ${paint(STYLE[p.status], p.status)}${facts
    .filter(Boolean)
    .map((fact) => `, ${oneLine(String(fact), 120)}`)
    .join('')}`;
}

/** Why the last launch of the open phase failed, with the end of what the program printed to stderr. */
const failure = ({ failure: last }: Participant): string[] =>
  last ? [`    Failed: ${oneLine(last.reason)}`, ...printed(last.stderr)] : [];

const printed = (stderr: string): string[] =>
  forTerminal(stderr)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `    | ${line.trimEnd()}`);

/** What was used up in the phases that are not blind any more; undefined while nothing is known. */
function spentInWords(state: CouncilState): string | undefined {
  const { usage = [], budget } = state;
  if (usage.length === 0 && !budget) return undefined;
  const { costUsd, ...spent } = spentOn(usage);
  const limits = [budget?.usd && `${budget.usd} US$`, budget?.tokens && `${budget.tokens} tokens`];
  const limit = limits.filter(Boolean).join(', ');
  if (usage.length === 0 && isBlindNow(state))
    return `  The limit is ${limit}; the launches of this phase are counted when it closes`;
  return `  Used so far: ${usage.length} launches, ${tokensOf(spent) ?? 'unknown'} tokens, ${costUsd ?? 'unknown'} US$${limit === '' ? '' : `; the limit is ${limit}`}`;
}

/** One council in one line, for `watch` where stdout is no terminal. */
export function oneLineSummary(state: CouncilState): string {
  const said = state.order.map((id) => `${id}=${seat(state, id).status}`).join(' ');
  return forTerminal(
    `${state.updatedAt} ${state.name} r${state.revision} ${state.currentPhase} tour ${state.tour} ${state.status} ${said}`,
  );
}
