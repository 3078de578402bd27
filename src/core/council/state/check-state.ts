// Validates a state block that may have been edited by hand.
import { CouncilError } from '../../base/errors.ts';
import { SCHEMAS } from './schema.ts';
import type { CouncilState } from './state.ts';

/** Checks a state block, key by key. Throws `corrupt` naming the first wrong key. */
export function checkState(candidate: CouncilState, where: string): void {
  const checked = SCHEMAS.state.safeParse(candidate);
  const problem = checked.success ? findMismatch(candidate) : describeIssue(checked.error.issues[0]);
  if (problem)
    throw new CouncilError('corrupt', `${where}: ${problem}.`, {
      hint: 'Correct that key, or drop the edit with: council restore',
    });
}

const describeIssue = (issue: { path: PropertyKey[]; message: string } | undefined): string =>
  `the state key "${issue?.path.join('.')}" is wrong: ${issue?.message}`;

/** Checks across keys: seats, coordinator and phases must match. */
function findMismatch(s: CouncilState): string | undefined {
  const seats = Object.keys(s.participants).sort().join(' ');
  if ([...new Set(s.order)].sort().join(' ') !== seats)
    return '"order" and "participants" do not name the same ids';
  if ((s.coordinator === null) !== (s.synthesizer === null))
    return '"coordinator" and "synthesizer" must both be set or both be null';
  if (s.coordinator && s.order.includes(s.coordinator)) return 'the coordinator is among the participants';
  if (!s.phases.includes(s.currentPhase) || s.phases[0] !== 'COLLECT' || s.phases.at(-1) !== 'SYNTHESIZE')
    return '"phases" must start with COLLECT, end with SYNTHESIZE and contain "currentPhase"';
  if (s.rules.options && s.rules.options.length < 2)
    return '"rules.options" must be null or name at least two';
  const stranger = listReferencedSeats(s).find((name) => !s.order.includes(name));
  return stranger === undefined
    ? undefined
    : `"rules", "ledger", "advocate" or "decision" name ${stranger}, who is not a participant`;
}

/** Returns all participants named in rules, ledger and decision. */
function listReferencedSeats({
  rules: { vetoes, recused, families },
  ledger: { claims, challenges, moves },
  advocate,
  decision: result,
}: CouncilState): string[] {
  const speakers = [...claims, ...challenges, ...moves].map(({ by }) => by);
  const addressed = challenges.flatMap(({ against }) => against ?? []);
  return [
    ...vetoes,
    ...recused.map(({ participant: one }) => one),
    ...Object.keys(families),
    ...speakers,
    ...addressed,
    ...(advocate ? [advocate.participant] : []),
    ...(result?.blockedBy ?? []),
  ];
}
