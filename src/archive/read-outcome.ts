import * as z from 'zod/mini';
import { RULES } from '../council/state/choices.ts';
import type { Metrics } from '../council/vote/measures.ts';
import { partsOf } from '../council/state/schema-parts.ts';
import { EMPTY_LEDGER } from '../council/state/state.ts';
import type { Spent } from '../council/state/usage.ts';

/** A time that lost its quotes in an editor comes out of YAML as a Date. */
export const time = z.union([
  z.string(),
  z.pipe(
    z.date(),
    z.transform((date: Date) => date.toISOString()),
  ),
]);
export const count = z.int().check(z.nonnegative());

/** The parts of a state, as an archive has them: people may have edited it, and older ones wrote some things otherwise. */
export const parts = partsOf({
  id: z.string(),
  hash: z.string(),
  time,
  count,
  claimId: z.string(),
  challengeId: z.string(),
});

const text = z.nullable(z.string());
const { figure, votes, quorum } = parts;
const byPhase = z.partialRecord(parts.phase, figure);

const names = z.nullable(z.array(z.string()));
const metrics = z.object({
  responseRate: byPhase,
  flips: z.object({ explained: figure, unexplained: figure, towardsMajority: figure }),
  quotes: z.object({ verified: figure, notFound: figure, total: figure }),
  challenges: z.object({ answered: figure, conceded: figure, rejected: figure, unanswered: figure }),
  minority: z.object({ kept: names, lost: names }),
  effectiveVotes: figure,
  blindVote: z.nullable(votes),
  finalVote: z.nullable(votes),
  decision: z.object({
    decided: z.nullable(z.boolean()),
    position: text,
    rule: z.nullable(z.enum(RULES)),
    denominator: figure,
    tie: z.nullable(z.boolean()),
    quorum: z.nullable(quorum),
  }),
  durations: byPhase,
  tokens: figure,
  cost: figure,
}) satisfies z.ZodMiniType<Metrics>;

const spent = z.object({
  launches: count,
  inputTokens: figure,
  outputTokens: figure,
  costUsd: figure,
  unknownTokens: count,
  unknownCost: count,
}) satisfies z.ZodMiniType<Spent>;

/** The keys of an archive's front matter on the outcome. Older archives have none of them. */
export const outcomeKeys = {
  rules: z._default(z.nullable(parts.rules), null),
  ledger: z._default(parts.ledger, EMPTY_LEDGER),
  decision: z._default(z.nullable(parts.decision), null),
  advocate: z._default(z.nullable(parts.advocate), null),
  held: z._default(text, null),
  metrics: z._default(z.nullable(metrics), null),
  usage: z._default(z.array(parts.usage), []),
  spent: z._default(z.nullable(spent), null),
  budget: z._default(z.nullable(parts.budget), null),
};
