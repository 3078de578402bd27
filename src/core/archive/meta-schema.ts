// The schema of an archive's facts, from which their types are inferred.
import * as z from 'zod/mini';
import { LANGUAGES } from '../base/words/words.ts';
import { READS, RULES, STATUSES } from '../council/state/allowed-values.ts';
import type { Metrics } from '../council/vote/metrics.ts';
import { createSchemaParts } from '../council/state/schema-parts.ts';
import type { SynthesisMark } from '../council/vote/synthesis-mark.ts';
import type { Spent } from '../council/state/budget.ts';

const count = z.int().check(z.nonnegative());

/** The parts of a state in an archive: lenient, because people may have edited it. */
const parts = createSchemaParts({
  id: z.string(),
  hash: z.string(),
  time: z.string(),
  count,
  claimId: z.string(),
  challengeId: z.string(),
});

const nullableText = z.nullable(z.string());
const { figure, votes, quorum } = parts;
const byPhase = z.partialRecord(parts.phase, figure);

/** The author and model of the synthesis, and whether it contradicts the counted decision. */
const synthesis = z.nullable(
  z.object({
    by: z.string(),
    lender: nullableText,
    model: nullableText,
    contradicts: z.boolean(),
    silent: z.optional(z.literal(true)),
  }),
) satisfies z.ZodMiniType<SynthesisMark | null>;

const names = z.nullable(z.array(z.string()));
const metrics = z.object({
  responseRate: byPhase,
  flips: z.object({ explained: figure, unexplained: figure, towardsMajority: figure }),
  quotes: z.object({
    verified: figure,
    elsewhere: z.optional(figure),
    near: z.optional(figure),
    notFound: figure,
    total: figure,
  }),
  challenges: z.object({ answered: figure, conceded: figure, rejected: figure, unanswered: figure }),
  minority: z.object({ kept: names, lost: names }),
  effectiveVotes: figure,
  ballot: z.nullable(
    z.array(
      z.extend(parts.ballotLine, {
        by: z.array(z.string()),
        approvedBy: z.array(z.string()),
        sameAs: z.array(z.string()),
      }),
    ),
  ),
  blindVote: z.nullable(votes),
  finalVote: z.nullable(votes),
  decision: z.object({
    decided: z.nullable(z.boolean()),
    position: nullableText,
    rule: z.nullable(z.enum(RULES)),
    denominator: figure,
    tie: z.nullable(z.boolean()),
    quorum: z.nullable(quorum),
  }),
  /** Undefined for a council without a control. */
  control: z.optional(z.object({ heard: count, moved: count, persuaded: count, unstable: count })),
  durations: byPhase,
  tokens: figure,
  cost: figure,
  synthesis,
}) satisfies z.ZodMiniType<Metrics>;

const spent = z.object({
  launches: count,
  inputTokens: figure,
  // Missing in archives of older builds.
  cachedTokens: z._default(figure, null),
  outputTokens: figure,
  costUsd: figure,
  prompt: z._default(z.object({ bytes: count, cacheable: count }), { bytes: 0, cacheable: 0 }),
  unknownTokens: count,
  unknownCost: count,
}) satisfies z.ZodMiniType<Spent>;

/** The facts of an archive; `ArchiveMeta` is inferred from it. */
export const frontMatter = z.object({
  /** 2 for a council with a ballot. */
  schema: z.union([z.literal(1), z.literal(2)]),
  conversationId: z.string(),
  name: z.string(),
  topic: z.string(),
  mode: z.string(),
  status: z.enum(STATUSES),
  lang: z.enum(LANGUAGES),
  /** What the programs could read by themselves; undefined for nothing. */
  read: z.optional(z.enum(READS)),
  /** The respondents in seating order, without the coordinator. */
  participants: z.array(z.object({ id: z.string(), title: z.string(), emoji: z.string() })),
  coordinator: nullableText,
  /** Emoji and title of the coordinator. */
  coordinatorShown: nullableText,
  /** Agents left out because their file could not be read; undefined if there were none. */
  outside: z.optional(parts.outside),
  /** Notes by the person who asked, added after the blind answers. */
  notes: z.optional(parts.notes),
  tours: count,
  /** Share of the participants that must have spoken, 0 to 1. */
  quorum: z.number(),
  blind: z.boolean(),
  anonymous: z.boolean(),
  /** The seed of the labels; undefined if the council was not anonymous. */
  labelSeed: z.optional(z.string()),
  /** ISO 8601 UTC. */
  startedAt: z.string(),
  endedAt: z.string(),
  /** Why the council was cancelled. */
  why: nullableText,
  transitions: z.array(parts.transition),
  absences: z.array(parts.absence),
  late: z.array(z.object({ name: z.string(), bytes: count, sha256: z.string(), path: z.string() })),
  /** How positions became a decision. */
  rules: parts.rules,
  /** The numbered positions; undefined for a council of schema 1. */
  ballot: z.optional(z.array(parts.ballotLine)),
  /** Claims, challenges and moves; their offsets refer to the contributions. */
  ledger: parts.ledger,
  /** The result in a mode with its own reading rules, in a sentence; undefined for others. */
  result: z.optional(z.string()),
  /** Null for a council that ended before its participants had been heard. */
  decision: z.nullable(parts.decision),
  advocate: z.nullable(parts.advocate),
  control: z.optional(parts.control),
  /** Why the council continued although all agreed. */
  held: nullableText,
  /** Null if the digest replaces it. */
  synthesis,
  metrics,
  /** Every launch in chronological order, and the sums over them; null if nothing was launched. */
  usage: z.array(parts.usage),
  spent: z.nullable(spent),
  /** Null for a council without any limit. */
  budget: z.nullable(parts.budget),
});

/** The facts of an archive. */
export type FrontMatter = z.infer<typeof frontMatter>;
