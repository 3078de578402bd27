// Phase machine: decides which phase comes next, and whether a suspicious agreement needs a devil's advocate.
import type { Vote } from '../vote/votes.ts';
import type { Advocate, CouncilState, Participant } from '../state/state.ts';
import { getSeat } from '../state/state.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import { sha256 } from '../../base/ids.ts';
import { findSameOption, normalisePosition } from '../state/ballot.ts';

/** The next step after a phase of the participants. */
export interface NextStep {
  to: PhaseName;
  /** True if agreement skips the remaining phases. */
  early: boolean;
  /** Why it continues although all agreed. */
  held: string | null;
  advocate: Advocate | null;
}

/**
 * Decides the next phase. `heard` is the state with the closing phase's verdicts revealed and its round in the
 * ledger; `consensus`: all AGREED to one thing and nothing blocks; `isUnanimous`: all hold the same blind
 * position, nothing blocks, and the rule decides for it; `seed` is random.
 * Agreement ends the council early only in modes that allow it: a general AGREED if every move is explained, or
 * the same blind position of all with nothing blocking, unless CHALLENGE is forced. Repeating modes return to
 * CHALLENGE while a position changed in the round or a challenge is unanswered. If COLLECT brought no
 * contribution, there is nothing to challenge.
 */
export function decideCourse(
  heard: CouncilState,
  { consensus, isUnanimous }: { consensus: boolean; isUnanimous: boolean },
  seed: string,
): NextStep {
  const { currentPhase: phase, rules, ledger } = heard;
  const mayStop = heard.earlyConvergence && !(phase === 'COLLECT' && rules.forceChallenge);
  const unexplained = [...new Set(ledger.moves.filter((move) => !move.explained).map((move) => move.by))];
  const agreed = consensus && mayStop;
  if ((agreed && unexplained.length === 0) || (mayStop && isUnanimous))
    return { to: 'SYNTHESIZE', early: true, held: null, advocate: null };
  const to = chooseNextPhase(heard);
  const held =
    agreed && to !== 'SYNTHESIZE'
      ? `${unexplained.join(', ')} changed position without naming what moved them`
      : null;
  const isFirst = phase === 'COLLECT' && to === 'CHALLENGE';
  const draw = {
    heard: heard.order.filter((id) => hasSpoken(getSeat(heard, id))),
    tour: heard.tour + 1,
    seed,
  };
  return { to, early: false, held, advocate: isFirst ? drawAdvocate(heard, draw) : null };
}

const hasSpoken = ({ status, absent }: Participant): boolean => status !== 'WAITING' && absent === null;

function chooseNextPhase(state: CouncilState): PhaseName {
  const { phases, currentPhase, rules, tour, transitions, ledger, participants } = state;
  if (currentPhase === 'COLLECT' && hasNobodySpoken(participants)) return 'SYNTHESIZE';
  const next = phases[phases.indexOf(currentPhase) + 1]!;
  const rounds = 1 + transitions.filter((t) => t.from === 'RESOLVE').length;
  if (currentPhase !== 'RESOLVE' || !phases.includes('CHALLENGE') || rounds >= rules.repeat) return next;
  const moved = ledger.moves.some((move) => move.tour >= tour - 1);
  const contested = ledger.challenges.some(
    ({ against, status }) => against !== null && (status === 'open' || status === 'unanswered'),
  );
  return moved || contested ? 'CHALLENGE' : next;
}

const hasNobodySpoken = (participants: CouncilState['participants']): boolean =>
  Object.values(participants).every(({ status }) => status === 'WAITING');

/**
 * Draws the advocate for a CHALLENGE that follows COLLECT; null if agreement is not suspicious. `heard` are
 * those who spoke in COLLECT, `tour` is the round of CHALLENGE; `seed` is random.
 */
export function drawAdvocate(
  state: CouncilState,
  { heard, tour, seed }: { heard: readonly string[]; tour: number; seed: string },
): Advocate | null {
  if (!state.rules.advocate) return null;
  const votes = state.order.map((by): Vote => {
    const { position, agreed, blocking } = getSeat(state, by);
    const kind = heard.includes(by) ? 'spoken' : 'absent';
    return { by, position, kind, agreed, blocking: blocking.length > 0 };
  });
  if (findSuspiciousAgreement(votes, state.rules.options) === null) return null;
  // Participants who are DONE will not speak again.
  const spoken = votes
    .filter(({ by, kind }) => kind === 'spoken' && getSeat(state, by).status !== 'DONE')
    .map((vote) => vote.by);
  const participant = selectAdvocate({ conversationId: state.conversationId, order: spoken, seed });
  return participant === null ? null : { participant, tour, seed };
}

/** Among fewer participants, an advocate would be half of the council. */
const FEWEST = 3;

/**
 * Returns the position that was agreed on suspiciously fast in a blind phase: at least three participants spoke
 * in COLLECT, all stated the same position, and none of them blocks. Otherwise null.
 */
export function findSuspiciousAgreement(
  blind: readonly Vote[],
  options: readonly string[] | null,
): string | null {
  const heard = blind.filter(({ kind }) => kind === 'spoken');
  const first = heard[0]?.position ?? null;
  if (heard.length < FEWEST || first === null || normalisePosition(first) === '') return null;
  const holdsFirstPosition = (vote: Vote) =>
    vote.position !== null && normalisePosition(vote.position) === normalisePosition(first);
  return heard.every((vote) => holdsFirstPosition(vote) && !vote.blocking)
    ? (findSameOption(first, options ?? []) ?? first)
    : null;
}

/**
 * Draws the participant who is asked for the strongest opposing case. The draw is by hash: reproducible from
 * the recorded seed, unpredictable before. The order of `order` does not matter. Returns null if it is empty.
 */
export function selectAdvocate(draw: {
  conversationId: string;
  order: readonly string[];
  seed: string;
}): string | null {
  const rank = (id: string) => sha256(JSON.stringify(['advocate', draw.conversationId, draw.seed, id]));
  const ranked = draw.order.map((id) => ({ id, rank: rank(id) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))[0]?.id ?? null;
}
