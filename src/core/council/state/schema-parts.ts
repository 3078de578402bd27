// Schema parts that council states and archives share.
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
} from './choices.ts';
import type { AbsenceReason } from './choices.ts';
import { createDecisionParts } from './decision-schema.ts';

/** What an id, a hash, a time and a number must look like. */
interface Leaves {
  id: z.ZodMiniType<string, string>;
  hash: z.ZodMiniType<string, string>;
  time: z.ZodMiniType<string>;
  /** Of items, milliseconds, offsets: nothing below 0. */
  count: z.ZodMiniType<number>;
  claimId: z.ZodMiniType<string>;
  challengeId: z.ZodMiniType<string>;
}

const text = z.nullable(z.string());
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
 * The parts that a council's state and its archive share, described once. States are checked strictly; archives are read
 * for ever, and people may have edited them, so their leaves are lenient.
 */
export function createSchemaParts({ id, hash, time, count, claimId, challengeId }: Leaves) {
  const { ballotNumber, quorum, votes, figure, decision } = createDecisionParts({ id, count });
  /** An upper limit; null for none of that kind. Tokens are input and output together. */
  const limit = z.object({ usd: figure, tokens: figure });
  /** What a budget sets aside for one launch. */
  const most = { inputTokens: z.number(), outputTokens: z.number(), costUsd: z.number() };
  const reservation = z.object({ lease: z.string(), participant: id, ...most });
  /** A stretch of one contribution's text, in UTF-16 units. */
  const stretch = { tour: count, start: count, end: count };

  /** One claim made in COLLECT: a paragraph or a list item, with the code and quotes after it. */
  const claim = z.object({
    /** The participant's id, a dot, and its place in the contribution, counted from 1: `henry.1`. */
    id: claimId,
    by: id,
    ...stretch,
    /** The first 16 hexadecimal digits of the SHA-256 of its text. */
    sha256: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  });

  /** An objection to another participant's words. Its range is the objection with its quotes. */
  const challenge = z.object({
    /** `c1`, `c2` …, counted through all tours. */
    id: challengeId,
    by: id,
    ...stretch,
    /** The claim it is aimed at; null where none can be told. */
    target: z.nullable(claimId),
    /** The addressee, who may answer it; null for none. */
    against: z.nullable(id),
    quote: z.enum(QUOTE_STATUSES),
    status: z.enum(CHALLENGE_STATUSES),
    /** Where the one it is put to answers; null without an answer. */
    answer: z.nullable(z.object(stretch)),
    /** It was rejected without a reason. */
    unexplained: z.optional(z.literal(true)),
  });

  /** A participant's change from one stated position to another. */
  const move = z.object({
    by: id,
    from: text,
    to: text,
    tour: count,
    phase,
    /** The reason for the move: a claim's id, a challenge's id, or "quote" for another's words. */
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
    /** Who claimed what, who objected, who answered, who moved: ids, hashes and offsets, no texts. */
    ledger: z.object({ claims: z.array(claim), challenges: z.array(challenge), moves: z.array(move) }),
    /** What was agreed at the start on how positions become a decision. */
    rules: z.object({
      rule: z.enum(RULES),
      /** The only positions that may be stated; null when positions are free labels. */
      options: z.nullable(z.array(z.string())),
      /** Participants whose blocking issue cannot be outvoted. */
      vetoes: z.array(id),
      recused: z.array(z.object({ participant: id, why: z.string() })),
      /** Votes count as their stated confidence. */
      weighted: z.boolean(),
      /** What may settle a tie; nothing where it is not set. */
      tie: z.optional(z.enum(TIES)),
      /** What is ranked: each answer as a whole; positions where it is not set. */
      ranks: z.optional(z.enum(RANKS)),
      /** How often CHALLENGE and RESOLVE are played at the most. */
      repeat: z.int().check(z.positive()),
      /** Play CHALLENGE and RESOLVE also after blind unanimity. */
      forceChallenge: z.boolean(),
      /** Ask one participant for the case against when blind agreement is unanimous. */
      advocate: z.boolean(),
      /** Model family by participant, as far as it is known. */
      families: z.record(id, text),
    }),
    /** The participant that was asked for the strongest case against, and the seed that drew it. */
    advocate: z.object({
      participant: id,
      /** The tour of CHALLENGE in which it speaks for the other side. */
      tour: count,
      seed: z.string(),
    }),
    ballotLine: z.object({
      /** `P1`, `P2` …: never computed again, never given to another position. */
      id: ballotNumber,
      /** One line of at most 200 characters, in a participant's words or in those of the declared option. */
      position: z.string(),
      declared: z.boolean(),
      /** Whose answer it is, where answers are ranked. */
      author: z.optional(id),
    }),
    decision,
    /** Programs that reconsider their own answer alone beside CHALLENGE, for comparison; it counts for nothing. */
    control: z.object({
      kind: z.enum(CONTROLS),
      /** Those that were launched, once each. */
      launched: z.array(z.object({ participant: id, launch: z.string() })),
      /** What they said: not set before the closing revision. */
      answers: z.optional(
        z.array(
          z.object({
            participant: id,
            at: z.string(),
            model: text,
            /** Null where the program failed. */
            text,
            /** Null where none is read. */
            position: text,
            /** Whether it is another one than its blind position; null where either is missing. */
            moved: z.nullable(z.boolean()),
            /** Why there is no text. */
            failed: z.optional(z.string()),
          }),
        ),
      ),
    }),
    /** What the person who asked added after the blind answers: part of every later prompt, and no vote. */
    notes: z.array(z.object({ by: z.string(), at: time, text: z.string() })),
    /** Whose agent files could not be read, and why. */
    outside: z.array(z.object({ id: z.string(), why: z.string() })),
    absence: z.object({
      participant: id,
      phase,
      tour: count,
      reason: absenceReason,
      at: time,
      /** Set for `sealed_text_missing`: the text that `council reveal` still accepts. */
      commitment: z.optional(hash),
      /** The end of stderr of the last launch that failed. */
      stderr: z.optional(z.string()),
    }),
    transition: z.object({
      from: phase,
      to: z.enum([...PHASES, 'ARCHIVED']),
      reason: z.enum(CLOSE_REASONS),
      tour: count,
      at: time,
    }),
    /** What one launch of a program used up, as far as it told; null where it did not. */
    usage: z.object({
      participant: id,
      phase,
      tour: count,
      /** When the program ended, ISO 8601 UTC: with participant and tour it tells one launch from another. */
      at: time,
      model: text,
      /** What was launched: claude, codex, … or the name of a program of the project's own. Older records lack it. */
      program: z.optional(z.string()),
      /** Whose runner it was, where it was borrowed. */
      lender: z.optional(id),
      /** The lease that it ran under, where a budget has reserved for it. */
      lease: z.optional(z.string()),
      /** It was a control, beside the launches of the debate. */
      control: z.optional(z.literal(true)),
      inputTokens: figure,
      /** Those of the input that the provider had in its cache. */
      cachedTokens: z.optional(count),
      outputTokens: figure,
      costUsd: figure,
      /** Bytes of its prompt, and of the beginning that an earlier prompt to the same program and model had. */
      prompt: z.optional(z.object({ bytes: count, cacheable: count })),
      /** What a budget counts where it did not tell all that a limit needs. */
      estimate: z.optional(z.object({ inputTokens: figure, outputTokens: figure, costUsd: figure })),
      /** Milliseconds from start to end. */
      ms: count,
      /** False for a launch that failed: it costs all the same. */
      ok: z.boolean(),
      /** Ended by a person or by council: not a failure of the program. */
      cancelled: z.optional(z.literal(true)),
    }),
    /** What a council, and single agents in it, may use up. */
    budget: z.object({
      ...limit.shape,
      agents: z.record(id, limit),
      /** The last tour in which a participant was not launched for lack of room in the council's budget. */
      spent: z.optional(z.object({ tour: count, at: time })),
      /** The worst case of each launch, from before it began. */
      reserved: z.optional(z.array(reservation)),
    }),
  };
}
