// Schema parts shared by council states and archives, such as the decision.
import * as z from 'zod/mini';
import {
  ABSENCES,
  CHALLENGE_STATUSES,
  CONTROLS,
  CLOSE_REASONS,
  EXPLAINED_ABSENCES,
  PHASES,
  QUOTE_STATUSES,
  RULES,
  RANKS,
  TIES,
  BUDGET_CUTS,
  ORIGINS,
  REASONS,
} from './allowed-values.ts';
import type { AbsenceReason } from './allowed-values.ts';

/** Creates the schema of a decision, and its parts that are used elsewhere, too. */
function createDecisionParts({
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

/** Schemas of ids, hashes, times and numbers. */
interface Leaves {
  id: z.ZodMiniType<string, string>;
  hash: z.ZodMiniType<string, string>;
  time: z.ZodMiniType<string>;
  /** Of items, milliseconds, offsets: not negative. */
  count: z.ZodMiniType<number>;
  claimId: z.ZodMiniType<string>;
  challengeId: z.ZodMiniType<string>;
}

const nullableText = z.nullable(z.string());
const phase = z.enum(PHASES);

const isAbsenceReason = (reason: unknown): reason is AbsenceReason =>
  typeof reason === 'string' &&
  ((ABSENCES as readonly string[]).includes(reason) ||
    EXPLAINED_ABSENCES.some((kind) => reason.startsWith(`${kind}: `)));

export const absenceReason = z.custom<AbsenceReason>(
  isAbsenceReason,
  'expected a reason such as timeout or "excused: …"',
);

/**
 * Creates the parts that a council's state and its archive share. States are checked strictly; archives must
 * stay readable forever and may have been edited by hand, so their leaf schemas are lenient.
 */
export function createSchemaParts({ id, hash, time, count, claimId, challengeId }: Leaves) {
  const { ballotNumber, quorum, votes, figure, decision } = createDecisionParts({ id, count });
  /** An upper limit; null for none of that kind. Tokens are the sum of input and output. */
  const limit = z.object({ usd: figure, tokens: figure });
  /** The budget reserved for one launch. */
  const most = { inputTokens: z.number(), outputTokens: z.number(), costUsd: z.number() };
  const reservation = z.object({ lease: z.string(), participant: id, ...most });
  /** A range in one contribution's text, in UTF-16 units. */
  const stretch = { tour: count, start: count, end: count };

  /** One claim made in COLLECT: a paragraph or a list item, with the code and quotes after it. */
  const claim = z.object({
    /** The participant's id, a dot, and the claim's position in the contribution, counted from 1: `henry.1`. */
    id: claimId,
    by: id,
    ...stretch,
    /** The first 16 hexadecimal digits of the SHA-256 of its text. */
    sha256: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  });

  /** An objection to another participant's words. Its range includes its quotes. */
  const challenge = z.object({
    /** `c1`, `c2` …, counted across all rounds. */
    id: challengeId,
    by: id,
    ...stretch,
    /** The claim it is aimed at; null if unknown. */
    target: z.nullable(claimId),
    /** The addressee, who may answer it; null for none. */
    against: z.nullable(id),
    quote: z.enum(QUOTE_STATUSES),
    status: z.enum(CHALLENGE_STATUSES),
    /** The addressee's answer; null if there is none. */
    answer: z.nullable(z.object(stretch)),
    /** Set if it was rejected without a reason. */
    unexplained: z.optional(z.literal(true)),
  });

  /** A participant's change from one stated position to another. */
  const move = z.object({
    by: id,
    from: nullableText,
    to: nullableText,
    tour: count,
    phase,
    /** The reason for the move: a claim's id, a challenge's id, or "quote" for another participant's words. */
    because: z.nullable(z.union([claimId, challengeId, z.literal('quote')])),
    explained: z.boolean(),
  });

  return {
    phase,
    ballotNumber,
    quorum,
    votes,
    figure,
    limit,
    reservation,
    claim,
    challenge,
    move,
    /** All claims, challenges, answers and moves: ids, hashes and offsets, no texts. */
    ledger: z.object({ claims: z.array(claim), challenges: z.array(challenge), moves: z.array(move) }),
    /** The decision rules, fixed at the start. */
    rules: z.object({
      rule: z.enum(RULES),
      /** The only positions allowed; null if positions are free labels. */
      options: z.nullable(z.array(z.string())),
      /** Participants whose blocking issue cannot be outvoted. */
      vetoes: z.array(id),
      recused: z.array(z.object({ participant: id, why: z.string() })),
      /** Votes are weighted by their stated confidence. */
      weighted: z.boolean(),
      /** What may break a tie; undefined for nothing. */
      tie: z.optional(z.enum(TIES)),
      /** What is ranked: each answer as a whole, or positions if undefined. */
      ranks: z.optional(z.enum(RANKS)),
      /** How often CHALLENGE and RESOLVE are played at most. */
      repeat: z.int().check(z.positive()),
      /** Play CHALLENGE and RESOLVE even after blind unanimity. */
      forceChallenge: z.boolean(),
      /** Ask one participant for the opposing case if blind agreement is unanimous. */
      advocate: z.boolean(),
      /** Model family by participant, if known. */
      families: z.record(id, nullableText),
    }),
    /** The participant asked for the strongest opposing case, and the seed of the draw. */
    advocate: z.object({
      participant: id,
      /** The round of CHALLENGE in which it argues for the other side. */
      tour: count,
      seed: z.string(),
    }),
    ballotLine: z.object({
      /** `P1`, `P2` …: never recomputed, never reused for another position. */
      id: ballotNumber,
      /** One line of at most 200 characters, in a participant's words or those of the declared option. */
      position: z.string(),
      declared: z.boolean(),
      /** The author of the answer, if answers are ranked. */
      author: z.optional(id),
    }),
    decision,
    /** Programs that reconsider their own answer alone during CHALLENGE, for comparison; it has no effect. */
    control: z.object({
      kind: z.enum(CONTROLS),
      /** The launched ones, once each. */
      launched: z.array(z.object({ participant: id, launch: z.string() })),
      /** Their answers; undefined before the closing revision. */
      answers: z.optional(
        z.array(
          z.object({
            participant: id,
            at: z.string(),
            model: nullableText,
            /** Null if the program failed. */
            text: nullableText,
            /** Null if none was found. */
            position: nullableText,
            /** Whether it differs from the blind position; null if either is missing. */
            moved: z.nullable(z.boolean()),
            /** Why there is no text. */
            failed: z.optional(z.string()),
          }),
        ),
      ),
    }),
    /** Notes by the person who asked, added after the blind answers: part of every later prompt, but not votes. */
    notes: z.array(z.object({ by: z.string(), at: time, text: z.string() })),
    /** Agents whose files could not be read, and why. */
    outside: z.array(z.object({ id: z.string(), why: z.string() })),
    absence: z.object({
      participant: id,
      phase,
      tour: count,
      reason: absenceReason,
      at: time,
      /** Set for `sealed_text_missing`: the text that `council reveal` still accepts. */
      commitment: z.optional(hash),
      /** The end of stderr of the last failed launch. */
      stderr: z.optional(z.string()),
    }),
    transition: z.object({
      from: phase,
      to: z.enum([...PHASES, 'ARCHIVED']),
      reason: z.enum(CLOSE_REASONS),
      tour: count,
      at: time,
    }),
    /** Usage of one launch of a program, as reported; null for unreported values. */
    usage: z.object({
      participant: id,
      phase,
      tour: count,
      /** When the program ended, ISO 8601 UTC. Identifies a launch together with participant and tour. */
      at: time,
      model: nullableText,
      /** The program: claude, codex, … or the name of a program in the project. Missing in older records. */
      program: z.optional(z.string()),
      /** The owner of the runner, if it was borrowed. */
      lender: z.optional(id),
      /** The lease that it ran under, if a budget has reserved for it. */
      lease: z.optional(z.string()),
      /** Set for a control, which is not part of the debate. */
      control: z.optional(z.literal(true)),
      inputTokens: figure,
      /** Input tokens that the provider had cached. */
      cachedTokens: z.optional(count),
      outputTokens: figure,
      costUsd: figure,
      /** Bytes of its prompt, and of the prefix shared with an earlier prompt to the same program and model. */
      prompt: z.optional(z.object({ bytes: count, cacheable: count })),
      /** Counted by a budget in place of unreported values. */
      estimate: z.optional(z.object({ inputTokens: figure, outputTokens: figure, costUsd: figure })),
      /** Milliseconds from start to end. */
      ms: count,
      /** False for a failed launch, which still has a cost. */
      ok: z.boolean(),
      /** Ended by a person or by council: not a failure of the program. */
      cancelled: z.optional(z.literal(true)),
    }),
    /** Limits for a council, and for single agents in it. */
    budget: z.object({
      ...limit.shape,
      agents: z.record(id, limit),
      /** The last round in which a participant was not launched because the council's budget had no room. */
      spent: z.optional(z.object({ tour: count, at: time })),
      /** The worst case of each launch, reserved before it started. */
      reserved: z.optional(z.array(reservation)),
    }),
  };
}
