// The schema of a decision.
import * as z from 'zod/mini';
import { BUDGET_CUTS, ORIGINS, REASONS, RULES } from './allowed-values.ts';

/** Creates the schema of a decision, and its parts that are used elsewhere, too. */
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

  /** Candidates by number, compared pairwise by those who wrote neither. */
  const ranking = z.object({
    pairs: z.array(
      z.object({
        a: ballotNumber,
        b: ballotNumber,
        /** Number of voters who rank `a` before `b` (`against`: the other way round). */
        for: count,
        against: count,
        tied: count,
        /** Number of voters who could compare the two and ranked nothing. */
        absent: count,
        winner: z.nullable(ballotNumber),
      }),
    ),
    /** Mean Borda scores, from 0 (always last) to 1 (always first); null if no one ranked the candidate. */
    scores: z.array(z.object({ id: ballotNumber, mean: figure })),
    /** `condorcet`: one candidate wins all its pairs; `borda`: the mean scores decide. */
    method: z.enum(['condorcet', 'borda']),
  });
  const decision = z.object({
    decided: z.boolean(),
    /** The accepted position; null if nothing is decided, or in an agreement without a leading position. */
    position: text,
    rule: z.enum(RULES),
    /** The participants at the start without the recused. Absence never reduces it. */
    denominator: count,
    /** Votes by position, carried ones included. Their sum never exceeds the denominator. */
    votes,
    /** Nothing is decided, because several positions share the widest support. */
    tie: z.boolean(),
    quorum,
    /** Participants whose blocking issues stop the decision under this rule, sorted. */
    blockedBy: z.array(id),
    reason: z.enum(REASONS),
    /** What was not said because the budget was spent. */
    cut: z.optional(z.enum(BUDGET_CUTS)),
    /** One English sentence, plus another if something was cut. */
    why: z.string(),
    /** The accepted position's number; undefined without a ballot. */
    number: z.optional(z.nullable(ballotNumber)),
    /** Approvals by position, where each vote counts for its own; undefined without a ballot. */
    approvals: z.optional(votes),
    /** The positions with equal votes or approvals, and who holds or approves them, sorted. */
    tied: z.optional(
      z.array(z.object({ id: z.optional(ballotNumber), position: z.string(), by: z.array(id) })),
    ),
    settledBy: z.optional(z.literal('approvals')),
    /** Under `ranked`: how the candidates compare. */
    ranking: z.optional(ranking),
    /** Number of participants who agree, if not all do. */
    agreed: z.optional(count),
    /** Participants who could block and were never heard. */
    unheard: z.optional(z.array(id)),
    /** How it came about; undefined if no position was to be decided, and in older councils. */
    how: z.optional(z.enum(ORIGINS)),
    /** The blind votes by position, and what they alone decide by the same rule; undefined if COLLECT was open. */
    blind: z.optional(z.object({ votes, position: text })),
    /** Under blind-first: participants who left their blind position without a recognized reason, sorted. */
    unexplained: z.optional(z.array(id)),
    /** Pairs of numbers that were called the same, but could not be joined without involving a third one. */
    unsettled: z.optional(z.array(z.array(ballotNumber))),
  });
  return { ballotNumber, quorum, votes, figure, decision };
}
