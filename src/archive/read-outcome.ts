import * as z from 'zod/mini';
import type { Budget } from '../council/budget.ts';
import { RULES } from '../council/decision.ts';
import type { Decision, Reason } from '../council/decision.ts';
import { EMPTY_LEDGER } from '../council/ledger-types.ts';
import type { Ledger } from '../council/ledger-types.ts';
import type { Metrics } from '../council/metrics.ts';
import { PHASES } from '../council/state.ts';
import type { Advocate, Rules } from '../council/state.ts';
import type { Spent, UsageRecord } from '../council/usage.ts';

/** A time that lost its quotes in an editor comes out of YAML as a Date. */
export const time = z.union([
  z.string(),
  z.pipe(
    z.date(),
    z.transform((date: Date) => date.toISOString()),
  ),
]);
const count = z.int().check(z.nonnegative());
const phase = z.enum(PHASES);
const rule = z.enum(RULES);
const text = z.nullable(z.string());
const figure = z.nullable(z.number());
const votes = z.record(z.string(), z.number());
const byPhase = z.partialRecord(phase, figure);
const quorum = z.object({ needed: z.number(), present: z.number(), met: z.boolean() });

const rules = z.object({
  rule,
  options: z.nullable(z.array(z.string())),
  vetoes: z.array(z.string()),
  recused: z.array(z.object({ participant: z.string(), why: z.string() })),
  weighted: z.boolean(),
  repeat: count,
  forceChallenge: z.boolean(),
  advocate: z.boolean(),
  families: z.record(z.string(), text),
}) satisfies z.ZodMiniType<Rules>;

const span = { tour: count, by: z.string(), start: count, end: count };
const ledger = z.object({
  claims: z.array(z.object({ id: z.string(), ...span, sha256: z.string() })),
  challenges: z.array(
    z.object({
      id: z.string(),
      ...span,
      target: text,
      against: text,
      quote: z.enum(['verified', 'not_found', 'none']),
      status: z.enum(['open', 'answered', 'conceded', 'rejected', 'unanswered']),
      answer: z.nullable(z.object({ tour: count, start: count, end: count })),
    }),
  ),
  moves: z.array(
    z.object({
      by: z.string(),
      from: text,
      to: text,
      tour: count,
      phase,
      because: text,
      explained: z.boolean(),
    }),
  ),
}) satisfies z.ZodMiniType<Ledger>;

const REASONS: Reason[] = [
  'accepted',
  'no_rule',
  'nobody',
  'no_quorum',
  'blocked',
  'unheard',
  'not_agreed',
  'no_position',
  'tie',
  'too_few',
  'open',
];

const decision = z.object({
  decided: z.boolean(),
  position: text,
  rule,
  denominator: count,
  votes,
  tie: z.boolean(),
  quorum,
  blockedBy: z.array(z.string()),
  reason: z.enum(REASONS),
  why: z.string(),
}) satisfies z.ZodMiniType<Decision>;

const advocate = z.object({
  participant: z.string(),
  tour: count,
  seed: z.string(),
}) satisfies z.ZodMiniType<Advocate>;

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
    rule: z.nullable(rule),
    denominator: figure,
    tie: z.nullable(z.boolean()),
    quorum: z.nullable(quorum),
  }),
  durations: byPhase,
  tokens: figure,
  cost: figure,
}) satisfies z.ZodMiniType<Metrics>;

const usage = z.object({
  participant: z.string(),
  phase,
  tour: count,
  at: time,
  model: text,
  inputTokens: figure,
  outputTokens: figure,
  costUsd: figure,
  ms: z.number(),
  ok: z.boolean(),
}) satisfies z.ZodMiniType<UsageRecord>;

const spent = z.object({
  launches: count,
  inputTokens: figure,
  outputTokens: figure,
  costUsd: figure,
  unknownTokens: count,
  unknownCost: count,
}) satisfies z.ZodMiniType<Spent>;

const limit = { usd: figure, tokens: figure };
const budget = z.object({
  ...limit,
  agents: z.record(z.string(), z.object(limit)),
  spent: z.optional(z.object({ tour: count, at: time })),
}) satisfies z.ZodMiniType<Budget>;

/** The keys of an archive's front matter on the outcome. Older archives have none of them. */
export const outcomeKeys = {
  rules: z._default(z.nullable(rules), null),
  ledger: z._default(ledger, EMPTY_LEDGER),
  decision: z._default(z.nullable(decision), null),
  advocate: z._default(z.nullable(advocate), null),
  held: z._default(text, null),
  metrics: z._default(z.nullable(metrics), null),
  usage: z._default(z.array(usage), []),
  spent: z._default(z.nullable(spent), null),
  budget: z._default(z.nullable(budget), null),
};
