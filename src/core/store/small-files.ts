// Ports of small texts: reports, files that lines are added to, and private texts, which only their owner may see.
import type { Archives } from './archives.ts';

/** A file that lines are added to, written at places that its writers have agreed on. */
export interface LineFile {
  /** All of it; empty where there is none. */
  read(): Promise<string>;
  /** In bytes; 0 where there is none. */
  size(): Promise<number>;
  /**
   * Writes bytes at an offset. The same bytes at the same place again change nothing. `durable` (the default) waits for the disk, with
   * all that was written before.
   */
  writeAt(offset: number, bytes: Uint8Array, options?: { durable?: boolean }): Promise<void>;
}

/** What is kept of the lines of a day log. */
export const DAY_LOG_LIMITS = {
  /** A file that has grown to this is followed by another one of the same day. */
  fileBytes: 8 * 1024 * 1024,
  /** The oldest files go when all together have more, or when they are older. */
  allBytes: 256 * 1024 * 1024,
  days: 30,
} as const;

/**
 * Lines by UTC day: only ever added, and the oldest forgotten. It tells what happened and is no part of it: what cannot be
 * kept is told as a warning, and stops nothing. One contract suite runs on every implementation.
 */
export interface DayLog {
  /** Adds a line (without its end) to the day of `at`, in milliseconds since the epoch; whole, also among many writers. Never rejects. */
  append(at: number, line: string): Promise<void>;
  /** The lines from a day on (`2026-01-11`), in the order they came; from the last one back with `newest`. */
  read(options?: { from?: string; newest?: boolean }): AsyncIterable<string>;
  /** Calls `onLine` with each line that is added from now on. Keeps the process alive until the returned function stops it. */
  follow(onLine: (line: string) => void): () => void;
}

/** The day of a time, as `2026-01-11`. */
export const formatUtcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Texts that came too late, by conversation, in the project, where everybody may read them: raw bytes, never overwritten. */
export interface LateFiles {
  /**
   * Durable when it resolves; the same bytes again are fine. Resolves to the path. Rejects with `invalid_id`, `io`, and
   * `failed` where there is another text of that name.
   */
  keep(conversationId: string, name: string, bytes: Uint8Array): Promise<string>;
  /** The late texts of a conversation, sorted by name. */
  list(conversationId: string): Promise<{ name: string; path: string; bytes: Uint8Array }[]>;
  /** The same with their sizes in bytes, without reading them. */
  sizes(conversationId: string): Promise<{ name: string; path: string; bytes: number }[]>;
}

/** Texts that councils were started with, by their hash: never changed, and never removed. */
export interface Pins {
  /** Durable when it resolves, to the hash of the text. */
  keep(text: string): Promise<string>;
  /** Rejects with `corrupt` for a text that is not there, or is not what was kept. */
  read(hash: string): Promise<string>;
}

/** Who is awake, by agent: a small text each, replaced as a whole. Nothing is lost with them: they are written again soon. */
export interface Presences {
  /** Replaces an agent's text. Rejects with `invalid_id`, `unsafe_path`, `io`. */
  write(agent: string, text: string): Promise<void>;
  /** All of them, sorted by agent. What cannot be read is left out. */
  list(): Promise<{ agent: string; text: string }[]>;
}

/** Reports: written once and never overwritten. Paths are relative to the project's root. */
export interface Reports extends Pick<Archives, 'list' | 'read'> {
  /**
   * Writes a report of an agent; durable when it resolves. `at`: milliseconds. Of several in one second each has a file of its own; the
   * same text again has the one that it has already. Resolves to the path: `wanted`, unless another text has it.
   */
  add(agent: string, at: number, text: string, wanted?: string): Promise<string>;
  /** A path that is free, and given out once here; another process may still be faster. */
  reserve(agent: string, at: number): Promise<string>;
}

/** What every path begins with. */
export const REPORTS_DIR = 'memory/reports';

/** `memory/reports/w1_20260111_163000.md`, and `…_2.md` for the second one in that second. */
export function reportPath(agent: string, at: number, number: number): string {
  const time = new Date(at).toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
  return `${REPORTS_DIR}/${agent}_${time}${number === 1 ? '' : `_${number}`}.md`;
}

/** When the report of a path was written, ISO 8601 UTC; undefined for a file that is called otherwise. */
export function reportTime(path: string): string | undefined {
  const found = /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(?:_\d+)?\.md$/.exec(path);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/**
 * What only the owner may see, by conversation, outside the project: sealed texts, spools, tokens, texts kept while a phase
 * is blind. Nothing is ever overwritten. Everything rejects with `invalid_id` for an id or a name that could lead elsewhere,
 * with `unsafe_private_dir` where others could read it, and `io`.
 */
export interface PrivateTexts {
  /**
   * Durable when it resolves, unless `durable` is false: then it outlives this process, but perhaps no power cut. A driver on
   * this machine has written it by the time the call returns, so that a process that is ending can leave word. The same
   * bytes under the same name again are fine; other bytes are refused with `failed`. Resolves to where the text lies.
   */
  write(
    conversationId: string,
    name: string,
    bytes: Uint8Array,
    options?: { durable?: boolean },
  ): Promise<string>;
  read(conversationId: string, name: string): Promise<Uint8Array | undefined>;
  /** The names of a conversation's texts, sorted. */
  list(conversationId: string): Promise<string[]>;
  /** Bytes of a text; undefined when there is none. */
  size(conversationId: string, name: string): Promise<number | undefined>;
  /** Where such a text lies, or would lie, as people are told; nothing is looked up. */
  path(conversationId: string, name: string): string;
  /** For a text that belongs to no known council; never swept. Resolves to where it lies. */
  keep(name: string, bytes: Uint8Array): Promise<string>;
  /** The texts that `keep` has kept, with their sizes in bytes. */
  listKept(): Promise<{ name: string; bytes: number }[]>;
  /** Starts the 30 days after which `sweep` deletes a conversation's texts; `at` is ISO 8601. A later mark changes nothing. */
  markArchived(conversationId: string, at: string): Promise<void>;
  /** Deletes what was marked more than 30 days before `now` (milliseconds since the epoch). Resolves to the conversation ids. */
  sweep(now: number): Promise<string[]>;
  /** Deletes a text, if it is there. */
  remove(conversationId: string, name: string): Promise<void>;
  /** What tells this folder from another one of the same user, as HOME or XDG_STATE_HOME name it; not set without such a folder. */
  readonly mark?: string;
  /** Set where sealed texts cannot be read by anybody before their round is closed in the store itself. */
  readonly sealing?: Sealing;
}

/** A store that guards sealed texts. Until a round is closed, `read` finds none of them; afterwards nothing more is sealed. */
export interface Sealing {
  /** Rejects with `unsafe_private_dir` where this connection could read sealed texts past the guard. */
  check(): Promise<void>;
  /** Closes a round, for ever; durable when it resolves. Closing it again changes nothing. */
  close(conversationId: string, tour: number, why: string): Promise<void>;
  isClosed(conversationId: string, tour: number): Promise<boolean>;
  /** Whether a sealed text is this one; undefined when there is none of that name. */
  same(conversationId: string, name: string, text: string): Promise<boolean | undefined>;
}

/** How long a conversation's private texts stay after its archive. */
export const KEPT_AFTER_ARCHIVE_MS = 30 * 86_400_000;

/** What a blind phase hides: contributions, refused texts, copies of what a restore has dropped, and what was asked with a key. */
export const isSealed = (name: string): boolean => /^(?:sealed|kept|dropped|asked)-/.test(name);

/** The round that a sealed text belongs to; every name of one says it. */
export const parseSealedRound = (name: string): number =>
  Number(/-(\d{1,9})-[0-9a-f]+(?:\.json)?$/.exec(name)?.[1] ?? 0);
