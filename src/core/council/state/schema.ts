// Schema of the council state, from which its types are inferred.
import * as z from 'zod/mini';
import { RUNNERS } from '../../agents/runner-kind.ts';
import { MAX_DURATION } from '../../base/duration.ts';
import { isId } from '../../base/ids.ts';
import { LANGUAGES } from '../../base/words/words.ts';
import { IDENTITIES, MOVE_REASONS, PARTICIPANT_STATUSES, READS, STATUSES } from './choices.ts';
import { absenceReason, createSchemaParts } from './schema-parts.ts';

const id = z.string().check(z.refine(isId, 'expected an id (lower-case letters, digits, hyphens)'));
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const time = z.iso.datetime();
const count = z.int().check(z.nonnegative());
const fraction = z.number().check(z.minimum(0), z.maximum(1));

const text = z.nullable(z.string());
const PARTS = createSchemaParts({
  id,
  hash,
  time,
  count,
  claimId: z.string().check(z.regex(/^[a-z0-9-]+\.[1-9]\d*$/)),
  challengeId: z.string().check(z.regex(/^c[1-9]\d*$/)),
});
const { phase } = PARTS;

/** The right to launch a participant once. Taken by compare-and-set; a result commits with the lease's id. */
const lease = z.object({
  id: z.uuid(),
  /** 1 for the first attempt of the phase. */
  attempt: count,
  /** When it was taken. Older ones lack it. */
  at: z.optional(time),
  host: z.string(),
  /** Changes at every boot; empty where the system tells none. */
  bootId: z.string(),
  pid: count,
  /** The owner's start time as the system counts it, so that a reused pid is not mistaken for the owner. */
  startTime: z.string(),
  /** ISO 8601 UTC; the only judge of liveness from another host. */
  until: time,
  /** The same on the clock of this boot that stands still while the machine sleeps, in milliseconds. */
  awakeUntil: z.optional(z.number()),
  /** Whose runner is launched, where it is borrowed. */
  lender: z.optional(id),
  /** The heartbeat that took it: dead with it. Older ones lack it. */
  heartbeat: z.optional(id),
});

/** Where the clocks stood when the open phase got its deadline: what the wall clock says later is checked against it. */
const phaseClock = z.object({
  /** The wall clock. */
  at: time,
  bootId: z.string(),
  /** Milliseconds since that boot, time asleep included. */
  uptime: z.number(),
  /** The same without the time asleep. */
  awake: z.number(),
  /** How the deadline of this phase was moved last. */
  moved: z.optional(
    z.object({
      at: time,
      /** Milliseconds; negative when the deadline came nearer. */
      ms: z.number(),
      why: z.enum(MOVE_REASONS),
    }),
  ),
});

/** The last launch of a participant that failed in a phase. */
const failure = z.object({
  /** One line. */
  reason: z.string(),
  /** The end of what the program printed to stderr, at most 2 KB, secrets taken out. */
  stderr: z.string(),
});

/** What a participant says about its own contribution, from flags and front matter. */
const verdict = {
  agreed: z.boolean(),
  position: text,
  blocking: z.array(z.string()),
};

const participant = z.object({
  status: z.enum(PARTICIPANT_STATUSES),
  /** ISO 8601 UTC of the last accepted contribution. */
  lastAction: z.nullable(time),
  title: z.string(),
  emoji: z.string(),
  /** How this participant is asked to speak; a human is waited for. */
  runner: z.enum(RUNNERS),
  /** A coordinator without a runner of its own: whose runner it may be launched with, first choice first. */
  borrows: z.optional(z.array(id)),
  ...verdict,
  /** SHA-256 that binds the sealed text of the open blind phase; null otherwise. */
  commitment: z.nullable(hash),
  /** Where the sealed text lies ("user@host"), so that a missing one can be asked for. */
  sealedAt: text,
  attempts: count,
  lease: z.nullable(lease),
  /** Why this participant is no longer awaited in the open phase. */
  absent: z.nullable(absenceReason),
  /** Its launches in the open phase fail in the same way until a person mends it: no login, no such model. */
  unable: z.optional(z.literal(true)),
  /** Binds this participant's token to it and to the council; only with `identity: token`. */
  tokenSha256: z.optional(hash),
  /** The last failed launch of the open phase. Never set while the phase is blind: what a program printed is private then. */
  failure: z.optional(failure),
  /** The provider asked not to be asked again before this time, ISO 8601 UTC. */
  retryAt: z.optional(time),
});

/** A request that named a key and was done: when it comes again, it gets the same answer. */
const request = z.object({
  /** Hash of the key and of who sent it. */
  key: hash,
  /** Hash of all that was asked; not set where a text of it is sealed. */
  asked: z.optional(hash),
  /** The private text that has this hash as long as the text is sealed, and afterwards. */
  sealed: z.optional(z.string()),
  /** Who responded; not set for the start. */
  by: z.optional(id),
  /** The turn that was answered, and the revision that this made. */
  phase,
  tour: z.int().check(z.positive()),
  revision: count,
  /** What was given with the question of a start, without the texts. */
  context: z.optional(z.array(z.object({ name: z.string(), bytes: count, sha256: hash }))),
});

const blockingIssue = z.object({ by: id, issue: z.string() });

/** What the newest revision did, for `council history`. */
const oneChange = z.object({
  action: z.string(),
  by: text,
  /** Who acted: OS user, host, and the face used (cli, tick …). */
  actor: z.string(),
  /** Why, if the person who decided it gave a reason. */
  why: z.optional(z.string()),
});
/** `also`: the changes of the same process that were committed with it, in their order. */
const change = z.object({ ...oneChange.shape, also: z.optional(z.array(oneChange)) });

/** A council that stops behind COLLECT until the person who asked says how it goes on. */
const hold = z.object({
  /** Milliseconds it waits at the most, counted from when COLLECT closed. */
  ms: z.number().check(z.positive(), z.maximum(MAX_DURATION)),
  /** Set while it waits, and equal to `timeoutAt` then: any tick after this archives what there is. */
  until: z.optional(time),
});

/** The texts of a round came into the open, or one of them later. */
const reveal = z.object({
  tour: z.int().check(z.positive()),
  /** Whose text it was, where it was missing when its round closed. */
  late: z.optional(id),
  /** Random: what the marker around these texts ends in. */
  marker: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
});

/** The JSON block at the top of the state file: the machine's truth. The first keys are fixed by the design, section 3. */
const state = z.object({
  /** 2 for a council with a ballot; 1 for an older one, which goes on with sentences. */
  schema: z.union([z.literal(1), z.literal(2)]),
  revision: count,
  textSha256: z.string(),
  conversationId: z.uuid(),
  name: id,
  topic: z.string(),
  mode: z.string(),
  currentPhase: phase,
  tour: z.int().check(z.positive()),
  createdAt: time,
  updatedAt: time,
  timeoutAt: time,
  /** What the clocks said when the open phase got its deadline; not set where the machine has only the wall clock. */
  phaseClock: z.optional(phaseClock),
  status: z.enum(STATUSES),
  coordinator: z.nullable(id),
  participants: z.record(id, participant),
  convergence: z.object({
    responseRate: fraction,
    hasConsensus: z.boolean(),
    blockingIssues: z.array(blockingIssue),
  }),
  /** Ids of the participants in the order of the start: labels, denominators and transcripts follow it. */
  order: z.array(id).check(z.minLength(1)),
  /** The coordinator's own turn in SYNTHESIZE; null without a coordinator. */
  synthesizer: z.nullable(participant),
  phases: z.array(phase).check(z.minLength(2)),
  /** Milliseconds a phase may last, counted from its transition. */
  phaseTimeout: z.number().check(z.positive(), z.maximum(MAX_DURATION)),
  earlyConvergence: z.boolean(),
  anonymous: z.boolean(),
  /** The seed of labels and reading orders; not set in councils that are not anonymous, or old. */
  labelSeed: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
  /** Share of the participants that must have spoken for a decision to count, 0 to 1. */
  quorum: fraction,
  /** False after `start --open`: COLLECT contributions are visible at once. */
  blind: z.boolean(),
  lang: z.enum(LANGUAGES),
  /** Who may act for a participant; `open` where it is missing. */
  identity: z.optional(z.enum(IDENTITIES)),
  /** What the programs may read by themselves; nothing where it is missing. */
  read: z.optional(z.enum(READS)),
  rules: PARTS.rules,
  /** Bytes of a contribution that the others are shown, where its mode does not leave that to council. */
  shown: z.optional(z.union([count, z.literal('all')])),
  /** Agents left out because their file cannot be read, when everyone in agents/ takes part; not set when there are none. */
  outside: z.optional(PARTS.outside),
  /** Where a blind council was opened: "user@host", and the private folder's mark; not set where a store seals. */
  begunIn: z.optional(z.object({ place: z.string(), folder: z.string().check(z.regex(/^[0-9a-f]{16}$/)) })),
  /** Hash of the mode, house rules and personas that it was started with; not set for a project in files. */
  pinned: z.optional(hash),
  /** Claims, challenges and moves, by ids and offsets. */
  ledger: PARTS.ledger,
  /** The positions with their numbers; empty until COLLECT closes. Only with schema 2. */
  ballot: z.optional(z.array(PARTS.ballotLine)),
  advocate: z.nullable(PARTS.advocate),
  /** Not set for a council without a control. */
  control: z.optional(PARTS.control),
  /** Not set for a council that goes on by itself. */
  hold: z.optional(hold),
  notes: z.optional(PARTS.notes),
  /** Why the council went on although everybody agreed; null when nothing held it. */
  held: text,
  /** What came into the open, in its order; not set before the first round has closed. */
  reveals: z.optional(z.array(reveal)),
  /** The result by the rule; null until the participants have been heard. */
  decision: z.nullable(PARTS.decision),
  absences: z.array(PARTS.absence),
  transitions: z.array(PARTS.transition),
  /** Set while the council is on its way into another store: from here on it is not changed in this one. */
  moving: z.optional(z.object({ to: z.string(), at: time })),
  /** Set by the closing revision: from here on nothing is accepted and the archive's path is reserved. */
  closing: z.nullable(z.object({ path: z.string(), at: time, why: text })),
  /** What every launch used up; those of a blind phase come in when it closes. */
  usage: z.optional(z.array(PARTS.usage)),
  /** What the council may use up; not set without any limit. */
  budget: z.optional(PARTS.budget),
  /** The newest requests with a key. */
  requests: z.optional(z.array(request)),
  change,
  /** `textSha256` of the revision that this one was made from; not set on the first one. */
  previous: z.optional(hash),
});

export const SCHEMAS = { ...PARTS, lease, failure, participant, phaseClock, request, state };
