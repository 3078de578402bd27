// The quorum: how many voices it takes, and whether so many can still come.
import type { CouncilState, Participant } from '../state/state.ts';

/** What decides whether a quorum can be reached. */
type QuorumFacts = Pick<CouncilState, 'order' | 'quorum'> & {
  rules: Pick<CouncilState['rules'], 'rule' | 'recused'>;
  participants: Record<string, Pick<Participant, 'absent' | 'lastAction' | 'unable'>>;
};

/** Of so many voters, how many must have been heard: more than the share, or everybody when it is 1. */
export const countNeeded = (quorum: number, voters: number): number =>
  // Without the small term 0.29 of 100 would be 28.999…
  Math.min(voters, Math.floor(quorum * voters + 1e-9) + 1);

/** The voters of a council, by whether they have been heard, with how many it takes. */
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
 * Whether so many cannot speak, by failures that last, that the rest is below the quorum. People, limits and timeouts do not
 * count: they may speak in the next phase. Where no rule decides, nothing needs a quorum.
 */
export function isQuorumOutOfReach(facts: QuorumFacts): boolean {
  const { needed, heard, unheard } = countVoices(facts);
  const able = unheard.filter((id) => !facts.participants[id]!.unable);
  return facts.rules.rule !== 'none' && heard.length + able.length < needed;
}

/** Whether all voters that are missing for the quorum have failed, at least one of them until a person mends it. */
export function lacksVoices(facts: QuorumFacts): boolean {
  const { needed, heard, unheard } = countVoices(facts);
  const missing = unheard.map((id) => facts.participants[id]!);
  return (
    facts.rules.rule !== 'none' &&
    heard.length < needed &&
    missing.some(({ unable }) => unable) &&
    missing.every(({ absent }) => absent?.startsWith('failed'))
  );
}
