import * as z from 'zod/mini';
import { RUNNERS } from '../agents/runner-kind.ts';
import { CouncilError } from '../base/errors.ts';
import { isId } from '../base/ids.ts';
import { RULES } from './decision.ts';
import { IDENTITIES, PHASES } from './state.ts';
import type { CouncilState } from './state.ts';

const id = z.string().check(z.refine(isId, 'expected an id (lower-case letters, digits, hyphens)'));
const time = z.iso.datetime();
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const phase = z.enum(PHASES);
const count = z.int().check(z.nonnegative());

const lease = z.object({
  id: z.uuid(),
  attempt: count,
  host: z.string(),
  bootId: z.string(),
  pid: count,
  startTime: z.string(),
  until: time,
});

const participant = z.object({
  status: z.enum(['WAITING', 'RESPONDED', 'DONE', 'AGREED']),
  lastAction: z.nullable(time),
  title: z.string(),
  emoji: z.string(),
  runner: z.enum(RUNNERS),
  agreed: z.boolean(),
  position: z.nullable(z.string()),
  blocking: z.array(z.string()),
  commitment: z.nullable(hash),
  sealedAt: z.nullable(z.string()),
  attempts: count,
  lease: z.nullable(lease),
  absent: z.nullable(z.string()),
  tokenSha256: z.optional(hash),
  failure: z.optional(z.object({ reason: z.string(), stderr: z.string() })),
  retryAt: z.optional(time),
});

const rules = z.object({
  rule: z.enum(RULES),
  options: z.nullable(z.array(z.string()).check(z.minLength(2))),
  vetoes: z.array(id),
  recused: z.array(z.object({ participant: id, why: z.string() })),
  weighted: z.boolean(),
  repeat: z.int().check(z.positive()),
  forceChallenge: z.boolean(),
  advocate: z.boolean(),
  families: z.record(id, z.nullable(z.string())),
});

const claimId = z.string().check(z.regex(/^[a-z0-9-]+\.[1-9]\d*$/));
const challengeId = z.string().check(z.regex(/^c[1-9]\d*$/));
const stretch = { tour: count, start: count, end: count };

const ledger = z.object({
  claims: z.array(
    z.object({ ...stretch, id: claimId, by: id, sha256: z.string().check(z.regex(/^[0-9a-f]{16}$/)) }),
  ),
  challenges: z.array(
    z.object({
      ...stretch,
      id: challengeId,
      by: id,
      target: z.nullable(claimId),
      against: z.nullable(id),
      quote: z.enum(['verified', 'not_found', 'none']),
      status: z.enum(['open', 'answered', 'conceded', 'rejected', 'unanswered']),
      answer: z.nullable(z.object(stretch)),
    }),
  ),
  moves: z.array(
    z.object({
      by: id,
      from: z.nullable(z.string()),
      to: z.nullable(z.string()),
      tour: count,
      phase,
      because: z.nullable(z.union([claimId, challengeId, z.literal('quote')])),
      explained: z.boolean(),
    }),
  ),
});

const decision = z.object({
  decided: z.boolean(),
  position: z.nullable(z.string()),
  rule: z.enum(RULES),
  denominator: count,
  votes: z.record(z.string(), z.number().check(z.nonnegative())),
  tie: z.boolean(),
  quorum: z.object({ needed: count, present: count, met: z.boolean() }),
  blockedBy: z.array(id),
  reason: z.string(),
  why: z.string(),
});

const figure = z.nullable(z.number().check(z.nonnegative()));
const usage = z.object({
  participant: id,
  phase,
  tour: count,
  at: time,
  model: z.nullable(z.string()),
  inputTokens: figure,
  outputTokens: figure,
  costUsd: figure,
  ms: count,
  ok: z.boolean(),
});

const limit = { usd: figure, tokens: figure };
const budget = z.object({
  ...limit,
  agents: z.record(id, z.object(limit)),
  spent: z.optional(z.object({ tour: count, at: time })),
});

const state = z.looseObject({
  schema: z.literal(1),
  revision: count,
  conversationId: z.uuid(),
  name: id,
  topic: z.string(),
  mode: z.string(),
  currentPhase: phase,
  tour: z.int().check(z.positive()),
  createdAt: time,
  updatedAt: time,
  timeoutAt: time,
  status: z.enum(['ACTIVE', 'CONVERGED', 'COMPLETED', 'TIMEOUT', 'CANCELLED']),
  coordinator: z.nullable(id),
  participants: z.record(id, participant),
  convergence: z.object({
    responseRate: z.number().check(z.minimum(0), z.maximum(1)),
    hasConsensus: z.boolean(),
    blockingIssues: z.array(z.object({ by: id, issue: z.string() })),
  }),
  order: z.array(id).check(z.minLength(1)),
  synthesizer: z.nullable(participant),
  phases: z.array(phase).check(z.minLength(2)),
  phaseTimeout: z.number().check(z.positive()),
  earlyConvergence: z.boolean(),
  anonymous: z.boolean(),
  quorum: z.number().check(z.minimum(0), z.maximum(1)),
  blind: z.boolean(),
  lang: z.enum(['en', 'fr']),
  identity: z.optional(z.enum(IDENTITIES)),
  rules,
  ledger,
  advocate: z.nullable(z.object({ participant: id, tour: count, seed: z.string() })),
  held: z.nullable(z.string()),
  decision: z.nullable(decision),
  absences: z.array(
    z.object({
      participant: id,
      phase,
      tour: count,
      reason: z.string(),
      at: time,
      commitment: z.optional(hash),
      stderr: z.optional(z.string()),
    }),
  ),
  transitions: z.array(z.object({ from: phase, to: z.string(), reason: z.string(), tour: count, at: time })),
  usage: z.optional(z.array(usage)),
  budget: z.optional(budget),
  closing: z.nullable(z.object({ path: z.string(), at: time, why: z.nullable(z.string()) })),
});

/** Checks a state block that a person may have edited, key by key. Throws `corrupt` naming the first key that is wrong. */
export function checkState(candidate: CouncilState, where: string): void {
  const checked = state.safeParse(candidate);
  const problem = checked.success ? misfit(candidate) : describe(checked.error.issues[0]);
  if (problem)
    throw new CouncilError('corrupt', `${where}: ${problem}.`, {
      hint: 'Mend that key, or drop the edit with: council restore',
    });
}

const describe = (issue: { path: PropertyKey[]; message: string } | undefined): string =>
  `the state key "${issue?.path.join('.')}" is wrong: ${issue?.message}`;

/** What no single key shows: seats, coordinator and phases that do not fit together. */
function misfit(s: CouncilState): string | undefined {
  const seats = Object.keys(s.participants).sort().join(' ');
  if ([...new Set(s.order)].sort().join(' ') !== seats)
    return '"order" and "participants" do not name the same ids';
  if ((s.coordinator === null) !== (s.synthesizer === null))
    return '"coordinator" and "synthesizer" must both be set or both be null';
  if (s.coordinator && s.order.includes(s.coordinator)) return 'the coordinator is among the participants';
  if (!s.phases.includes(s.currentPhase) || s.phases[0] !== 'COLLECT' || s.phases.at(-1) !== 'SYNTHESIZE')
    return '"phases" must start with COLLECT, end with SYNTHESIZE and contain "currentPhase"';
  const stranger = named(s).find((name) => !s.order.includes(name));
  return stranger === undefined
    ? undefined
    : `"rules", "ledger", "advocate" or "decision" name ${stranger}, who does not sit here`;
}

/** Everybody whom the rules, the ledger and the result speak of. */
function named({
  rules: { vetoes, recused, families },
  ledger: { claims, challenges, moves },
  advocate,
  decision: result,
}: CouncilState): string[] {
  const speakers = [...claims, ...challenges, ...moves].map(({ by }) => by);
  const addressed = challenges.flatMap(({ against }) => against ?? []);
  return [
    ...vetoes,
    ...recused.map(({ participant: one }) => one),
    ...Object.keys(families),
    ...speakers,
    ...addressed,
    ...(advocate ? [advocate.participant] : []),
    ...(result?.blockedBy ?? []),
  ];
}
