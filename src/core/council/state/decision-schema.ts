// The schema of a decision.
import * as z from 'zod/mini';
import { CUTS, ORIGINS, REASONS, RULES } from './choices.ts';

/** A decision, and the parts of it that stand elsewhere, too. */
export function createDecisionParts({
  id,
  count,
}: {
  id: z.ZodMiniType<string, string>;
  count: z.ZodMiniType<number>;
}) {
  const text = z.nullable(z.string());
  const figure = z.nullable(z.number().check(z.nonnegative()));
  const quorum = z.object({ needed: count, present: count, met: z.boolean() });
  const votes = z.record(z.string(), z.number().check(z.nonnegative()));
  const ballotNumber = z.string().check(z.regex(/^P[1-9]\d*$/));

  /** Candidates by number, compared pair by pair by those who wrote neither. */
  const ranking = z.object({
    pairs: z.array(
      z.object({
        a: ballotNumber,
        b: ballotNumber,
        /** How many rank `a` before `b`, and the other way round. */
        for: count,
        against: count,
        tied: count,
        /** How many could compare the two and ranked nothing. */
        absent: count,
        winner: z.nullable(ballotNumber),
      }),
    ),
    /** Mean Borda scores, from 0 (always last) to 1 (always first); null where nobody ranked the candidate. */
    scores: z.array(z.object({ id: ballotNumber, mean: figure })),
    /** `condorcet`: one candidate wins all its pairs; `borda`: the mean scores are compared. */
    method: z.enum(['condorcet', 'borda']),
  });
  const decision = z.object({
    decided: z.boolean(),
    /** The accepted position; null when nothing is decided, and for an agreement in which no position leads. */
    position: text,
    rule: z.enum(RULES),
    /** The participants at the start without the recused. Absence never shrinks it. */
    denominator: count,
    /** Votes by position, carried ones included. Their sum never exceeds the denominator. */
    votes,
    /** Nothing is decided, and several positions share the widest support. */
    tie: z.boolean(),
    quorum,
    /** Whose blocking issues stop the decision under this rule, sorted. */
    blockedBy: z.array(id),
    reason: z.enum(REASONS),
    /** What was not said because the budget ended. */
    cut: z.optional(z.enum(CUTS)),
    /** One English sentence, and another one where something was cut. */
    why: z.string(),
    /** The accepted position's number; not set without a ballot. */
    number: z.optional(z.nullable(ballotNumber)),
    /** Approvals by position, each vote counted for its own; not set without a ballot. */
    approvals: z.optional(votes),
    /** The positions between which votes or approvals were tied, and who holds or approves them, sorted. */
    tied: z.optional(
      z.array(z.object({ id: z.optional(ballotNumber), position: z.string(), by: z.array(id) })),
    ),
    settledBy: z.optional(z.literal('approvals')),
    /** Under the rule `ranked`: how its candidates compare. */
    ranking: z.optional(ranking),
    /** How many agree, where not everybody does. */
    agreed: z.optional(count),
    /** Who could block and was never heard. */
    unheard: z.optional(z.array(id)),
    /** How it came about; not set where no position was to be decided, and in older councils. */
    how: z.optional(z.enum(ORIGINS)),
    /** The blind votes by position, and what they alone decide by the same rule; not set where COLLECT was open. */
    blind: z.optional(z.object({ votes, position: text })),
    /** Under the rule blind-first: who left the blind position without a reason that was found, sorted. */
    unexplained: z.optional(z.array(id)),
    /** Pairs of numbers that were called the same and could not be joined without pulling in a third one. */
    unsettled: z.optional(z.array(z.array(ballotNumber))),
  });
  return { ballotNumber, quorum, votes, figure, decision };
}
