// Schema of the council state, from which its types are inferred.
import * as z from 'zod/mini';
import { RUNNERS } from '../../agents/runner-kind.ts';
import { MAX_DURATION } from '../../base/duration.ts';
import { isId } from '../../base/ids.ts';
import { LANGUAGES } from '../../base/words/words.ts';
import { IDENTITIES, MOVE_REASONS, PARTICIPANT_STATUSES, READS, STATUSES } from './allowed-values.ts';
import { absenceReason, createSchemaParts } from './schema-parts.ts';

const id = z.string().check(z.refine(isId, 'expected an id (lower-case letters, digits, hyphens)'));
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const time = z.iso.datetime();
const count = z.int().check(z.nonnegative());
const fraction = z.number().check(z.minimum(0), z.maximum(1));

const nullableText = z.nullable(z.string());
const PARTS = createSchemaParts({
  id,
  hash,
  time,
  count,
  claimId: z.string().check(z.regex(/^[a-z0-9-]+\.[1-9]\d*$/)),
  challengeId: z.string().check(z.regex(/^c[1-9]\d*$/)),
});
const { phase } = PARTS;

/** The right to launch a participant once. Taken by compare-and-set; a result is committed with the lease's id. */
const lease = z.object({
  id: z.uuid(),
  /** 1 for the first attempt of the phase. */
  attempt: count,
  /** When it was taken. Older ones lack it. */
  at: z.optional(time),
  host: z.string(),
  /** Changes at every boot; empty if the system has none. */
  bootId: z.string(),
  pid: count,
  /** The owner's start time as reported by the system, so that a reused pid is not mistaken for the owner. */
  startTime: z.string(),
  /** ISO 8601 UTC; from another host, the only evidence of liveness. */
  until: time,
  /** The same in milliseconds of this boot's clock that stops during sleep. */
  awakeUntil: z.optional(z.number()),
  /** The owner of the runner, if it is borrowed. */
  lender: z.optional(id),
  /** The heartbeat that took it; dies with it. Older ones lack it. */
  heartbeat: z.optional(id),
});

/** Clock readings when the open phase got its deadline; later wall clock times are checked against them. */
const phaseClock = z.object({
  /** The wall clock. */
  at: time,
  bootId: z.string(),
  /** Milliseconds since that boot, including sleep. */
  uptime: z.number(),
  /** The same without sleep. */
  awake: z.number(),
  /** The last move of this phase's deadline. */
  moved: z.optional(
    z.object({
      at: time,
      /** Milliseconds; negative if the deadline moved closer. */
      ms: z.number(),
      why: z.enum(MOVE_REASONS),
    }),
  ),
});

/** The last failed launch of a participant in a phase. */
const failure = z.object({
  /** One line. */
  reason: z.string(),
  /** The end of the program's stderr, at most 2 KB, with secrets removed. */
  stderr: z.string(),
});

/** What a participant declares about its own contribution, from flags and front matter. */
const verdict = {
  agreed: z.boolean(),
  position: nullableText,
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
  /** For a coordinator without a runner of its own: agents whose runner it may use, first choice first. */
  borrows: z.optional(z.array(id)),
  ...verdict,
  /** SHA-256 that binds the sealed text of the open blind phase; null otherwise. */
  commitment: z.nullable(hash),
  /** Location of the sealed text ("user@host"), so that a missing one can be requested. */
  sealedAt: nullableText,
  attempts: count,
  lease: z.nullable(lease),
  /** Why this participant is no longer awaited in the open phase. */
  absent: z.nullable(absenceReason),
  /** Its launches fail in the same way until someone fixes the cause: no login, no such model. */
  unable: z.optional(z.literal(true)),
  /** Binds this participant's token to it and to the council; only with `identity: token`. */
  tokenSha256: z.optional(hash),
  /** The last failed launch of the open phase. Never set in a blind phase, when program output is private. */
  failure: z.optional(failure),
  /** The provider's request not to be called before this time, ISO 8601 UTC. */
  retryAt: z.optional(time),
});

/** A completed request with a key: a repetition gets the same answer. */
const request = z.object({
  /** Hash of the key and its sender. */
  key: hash,
  /** Hash of the whole request; undefined if one of its texts is sealed. */
  asked: z.optional(hash),
  /** Name of the private file with this hash, for a sealed text (kept after it is revealed). */
  sealed: z.optional(z.string()),
  /** Who responded; undefined for the start. */
  by: z.optional(id),
  /** The answered turn, and the resulting revision. */
  phase,
  tour: z.int().check(z.positive()),
  revision: count,
  /** The context files given with the question of a start, without their texts. */
  context: z.optional(z.array(z.object({ name: z.string(), bytes: count, sha256: hash }))),
});

const blockingIssue = z.object({ by: id, issue: z.string() });

/** What the newest revision did, for `council history`. */
const oneChange = z.object({
  action: z.string(),
  by: nullableText,
  /** Who acted: OS user, host, and interface (cli, tick …). */
  actor: z.string(),
  /** Why, if a reason was given. */
  why: z.optional(z.string()),
});
/** `also`: changes by the same process in the same commit, in order. */
const change = z.object({ ...oneChange.shape, also: z.optional(z.array(oneChange)) });

/** A council that stops behind COLLECT until the person who asked decides how it continues. */
const hold = z.object({
  /** Maximum wait in milliseconds, counted from when COLLECT closed. */
  ms: z.number().check(z.positive(), z.maximum(MAX_DURATION)),
  /** Set while it waits, and then equal to `timeoutAt`: any tick after this archives the council as it is. */
  until: z.optional(time),
});

/** The reveal of a round's texts, or of a late one. */
const reveal = z.object({
  tour: z.int().check(z.positive()),
  /** The author, if the text was missing when its round closed. */
  late: z.optional(id),
  /** Random: the suffix of the marker around these texts. */
  marker: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
});

/** The JSON block at the top of the state file: the source of truth. The design fixes the first keys. */
const state = z.object({
  /** 2 for a council with a ballot; 1 for an older one, which continues with sentences. */
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
  /** Clock readings when the open phase got its deadline; undefined if only the wall clock is available. */
  phaseClock: z.optional(phaseClock),
  status: z.enum(STATUSES),
  coordinator: z.nullable(id),
  participants: z.record(id, participant),
  convergence: z.object({
    responseRate: fraction,
    hasConsensus: z.boolean(),
    blockingIssues: z.array(blockingIssue),
  }),
  /** Participant ids in starting order, which labels, denominators and transcripts follow. */
  order: z.array(id).check(z.minLength(1)),
  /** The coordinator's own turn in SYNTHESIZE; null without a coordinator. */
  synthesizer: z.nullable(participant),
  phases: z.array(phase).check(z.minLength(2)),
  /** Milliseconds a phase may last, counted from its transition. */
  phaseTimeout: z.number().check(z.positive(), z.maximum(MAX_DURATION)),
  earlyConvergence: z.boolean(),
  anonymous: z.boolean(),
  /** The seed of labels and reading orders; undefined in councils that are not anonymous, or old. */
  labelSeed: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
  /** Share of the participants that must have spoken for a decision to count, 0 to 1. */
  quorum: fraction,
  /** False after `start --open`: COLLECT contributions are visible at once. */
  blind: z.boolean(),
  lang: z.enum(LANGUAGES),
  /** Who may act for a participant; `open` if missing. */
  identity: z.optional(z.enum(IDENTITIES)),
  /** What the programs may read by themselves; nothing if missing. */
  read: z.optional(z.enum(READS)),
  rules: PARTS.rules,
  /** Bytes of a contribution shown to others, if its mode sets it. */
  shown: z.optional(z.union([count, z.literal('all')])),
  /** Agents left out because their file is unreadable, if all in agents/ take part; undefined if none. */
  outside: z.optional(PARTS.outside),
  /** Where a blind council was opened ("user@host", private folder's id); undefined if the store seals texts. */
  begunIn: z.optional(z.object({ place: z.string(), folder: z.string().check(z.regex(/^[0-9a-f]{16}$/)) })),
  /** Hash of the mode, house rules and personas it was started with; undefined for a project in files. */
  pinned: z.optional(hash),
  /** Claims, challenges and moves, by ids and offsets. */
  ledger: PARTS.ledger,
  /** The numbered positions; empty until COLLECT closes. Only with schema 2. */
  ballot: z.optional(z.array(PARTS.ballotLine)),
  advocate: z.nullable(PARTS.advocate),
  /** Undefined for a council without a control. */
  control: z.optional(PARTS.control),
  /** Undefined for a council that continues on its own. */
  hold: z.optional(hold),
  notes: z.optional(PARTS.notes),
  /** Why the council continued although all agreed; null otherwise. */
  held: nullableText,
  /** Reveals in order; undefined before the first round has closed. */
  reveals: z.optional(z.array(reveal)),
  /** The result by the rule; null until the participants have been heard. */
  decision: z.nullable(PARTS.decision),
  absences: z.array(PARTS.absence),
  transitions: z.array(PARTS.transition),
  /** Set while the council is being moved to another store: it is not changed here any more. */
  moving: z.optional(z.object({ to: z.string(), at: time })),
  /** Set by the closing revision: nothing is accepted any more and the archive's path is reserved. */
  closing: z.nullable(z.object({ path: z.string(), at: time, why: nullableText })),
  /** Usage of every launch; records of a blind phase are added when it closes. */
  usage: z.optional(z.array(PARTS.usage)),
  /** The council's budget; undefined without any limit. */
  budget: z.optional(PARTS.budget),
  /** The newest requests with a key. */
  requests: z.optional(z.array(request)),
  change,
  /** `textSha256` of the preceding revision; undefined on the first one. */
  previous: z.optional(hash),
});

export const SCHEMAS = { ...PARTS, lease, failure, participant, phaseClock, request, state };
