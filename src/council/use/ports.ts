import type { Clock, Random } from '../../base/clock.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { Store } from '../../store/documents.ts';

/** Private files of one conversation, outside the project: sealed texts, spools, texts kept while a phase is blind. */
export interface PrivateFiles {
  /**
   * Durable before it returns, unless `durable` is false: then it outlives this process, but perhaps no power cut. The same
   * bytes under the same name again are fine. Returns the path.
   */
  write(conversationId: string, name: string, bytes: Uint8Array, options?: { durable?: boolean }): string;
  read(conversationId: string, name: string): Uint8Array | undefined;
  list(conversationId: string): string[];
  /** Bytes of a file; undefined when there is none. */
  size(conversationId: string, name: string): number | undefined;
  path(conversationId: string, name: string): string;
  /** For a text that belongs to no known council. Returns the path. */
  keep(name: string, bytes: Uint8Array): string;
  /** The texts that `keep` has kept. */
  kept(): { name: string; bytes: number }[];
  markArchived(conversationId: string, at: string): void;
  /** Deletes a file, if it is there. */
  remove(conversationId: string, name: string): void;
}

/** The processes of this machine, for telling who may still commit what it has written. */
export interface Processes {
  self(): ProcessIdentity;
  /** Undefined for a process of another host, which cannot be seen from here. */
  isAlive(identity: ProcessIdentity): boolean | undefined;
}

/** Texts that came too late, in the project: `memory/shared/.late/<conversationId>/<name>`. */
export interface LateFiles {
  keep(conversationId: string, name: string, bytes: Uint8Array): string;
  list(conversationId: string): { name: string; path: string; bytes: Uint8Array }[];
  /** The same with their sizes in bytes, without reading them. */
  sizes(conversationId: string): { name: string; path: string; bytes: number }[];
}

/** What the use cases of the council need from outside. */
export interface Ports {
  store: Store;
  clock: Clock;
  random: Random;
  privateFiles: PrivateFiles;
  lateFiles: LateFiles;
  processes: Processes;
  /** A path for the archive that no other file and no other active council has: "conseils/YYYY-MM-DD-slug.md". */
  reserveArchive(topic: string, endMs: number): Promise<string>;
  /** Who acts, for `council history`: "user@host via cli". */
  actor: string;
  /** Where sealed texts lie, for the message when one is missing: "user@host". */
  place: string;
}
