// Computes the quorum and whether it can still be reached.
import type { CouncilState, Participant } from '../state/state.ts';

type QuorumFacts = Pick<CouncilState, 'order' | 'quorum'> & {
  rules: Pick<CouncilState['rules'], 'rule' | 'recused'>;
  participants: Record<string, Pick<Participant, 'absent' | 'lastAction' | 'unable'>>;
};

/** Returns how many voters must have been heard: more than the share, or all if it is 1. */
export const countNeeded = (quorum: number, voters: number): number =>
  // Avoids a rounding error: 0.29 of 100 would be 28.999…
  Math.min(voters, Math.floor(quorum * voters + 1e-9) + 1);

/** Returns the heard and unheard voters, and how many are needed. */
export function countVoices({ order, quorum, rules, participants }: QuorumFacts): {
  needed: number;
  heard: string[];
  unheard: string[];
} {
  const voters = order.filter((id) => !rules.recused.some(({ participant }) => participant === id));
  const wasHeard = (id: string): boolean => participants[id]!.lastAction !== null;
  return {
    needed: countNeeded(quorum, voters.length),
    heard: voters.filter(wasHeard),
    unheard: voters.filter((id) => !wasHeard(id)),
  };
}

/**
 * Whether so many voters have permanently failed that the rest is below the quorum. People, limits and timeouts
 * do not count: they may speak in the next phase. Without a rule, no quorum is needed.
 */
export function isQuorumOutOfReach(facts: QuorumFacts): boolean {
  const { needed, heard, unheard } = countVoices(facts);
  const able = unheard.filter((id) => !facts.participants[id]!.unable);
  return facts.rules.rule !== 'none' && heard.length + able.length < needed;
}

/** Whether all missing voters have failed, at least one of them until someone fixes it. */
export function isQuorumMissing(facts: QuorumFacts): boolean {
  const { needed, heard, unheard } = countVoices(facts);
  const missing = unheard.map((id) => facts.participants[id]!);
  return (
    facts.rules.rule !== 'none' &&
    heard.length < needed &&
    missing.some(({ unable }) => unable) &&
    missing.every(({ absent }) => absent?.startsWith('failed'))
  );
}
