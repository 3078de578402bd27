// The schema of a ranking.
import * as z from 'zod/mini';

/** Candidates by number, compared pair by pair by those who wrote neither. */
export const createRankingSchema = <
  Id extends z.ZodMiniType,
  Count extends z.ZodMiniType,
  Figure extends z.ZodMiniType,
>({
  ballotNumber,
  count,
  figure,
}: {
  ballotNumber: Id;
  count: Count;
  figure: Figure;
}) =>
  z.object({
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
