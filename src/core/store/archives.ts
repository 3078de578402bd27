// Ports of the archives and of their full-text index.
/** What the index keeps of one archive. */
export interface SearchEntry {
  topic: string;
  endedAt: string;
  body: string;
  /** What is wrong with the archive: told at every search. */
  problem?: string;
}

export interface SearchHit {
  path: string;
  topic: string;
  endedAt: string;
  score: number;
  /** A part of the topic or the body, every word of the query between `**`. */
  excerpt: string;
}

export type Searched = Pick<Archives, 'list' | 'read'>;

/** Reads an archive's text for the index; undefined for a file that is no archive. */
export type Describe = (text: string, path: string) => Promise<SearchEntry | undefined>;

/** A full-text index of archives: a derived cache, brought up to date by every search. */
export interface SearchIndex {
  /** Hits come best first. */
  search(archives: Searched, describe: Describe, wanted: Query): Promise<SearchHit[]>;
}

export interface Query {
  /** In the language of FTS5. */
  match: string;
  /** How many hits at the most. */
  limit: number;
  /** The part that is shown of a hit: `body` is the beginning of it where it is very long. */
  excerpt: (topic: string, body: string) => string;
}

export interface ArchiveFile {
  /** Relative to the project's root, with `/`. */
  path: string;
  bytes: number;
  mtimeMs: number;
  /** When anything about the file was changed last, its name and times included. */
  changedMs: number;
  inode: number;
}

/** The front matter of an archive as its YAML says it. */
export type Facts = Record<string, unknown>;

/** A cache of front matter, which takes long to read. It never says anything of a file that has changed since. */
export interface ArchiveFacts {
  /** What is known of these files, by path. */
  readFacts(files: readonly ArchiveFile[]): Promise<Map<string, Facts>>;
  /** The few facts of these files that lists tell, by path; null of a file that is no archive. */
  lines(files: readonly ArchiveFile[]): Promise<Map<string, Facts | null>>;
  /** Keeps what was read of files, as `list` gave them before; what is known of any that is not among `files` is forgotten. */
  keep(
    read: readonly { file: ArchiveFile; facts: Facts; line: Facts | null }[],
    files: readonly ArchiveFile[],
  ): Promise<void>;
}

/** Finished councils: written once and never changed by council. */
export interface Archives {
  /** What every path begins with, relative to the project's root: `conseils`. */
  readonly dir: string;
  /** Undefined where nothing is kept. */
  readonly facts?: ArchiveFacts;
  /**
   * Writes a new archive; durable when it resolves, whichever it resolves to. An existing one is never touched.
   * Rejects with `corrupt` for a path outside the folder, `no_hard_links`, `io`.
   */
  create(relativePath: string, text: string): Promise<'created' | 'exists'>;
  /**
   * Undefined when there is no such archive. Rejects with `corrupt` like `create`, `not_a_file`, `too_large`, `invalid_text`,
   * `io`.
   */
  read(relativePath: string): Promise<string | undefined>;
  /**
   * The `*.md` files of the folder, sorted by path; a README there only when it is an archive. What has such a name and is no
   * file is among them: reading it says what it is.
   */
  list(): Promise<ArchiveFile[]>;
  /** Every path that is taken, sorted: also of what is no archive. Looks at no file. */
  paths(): Promise<string[]>;
  /** Where an archive lies, or would lie, as people are told; nothing is looked up. Throws `corrupt` like `create`. */
  absolute(relativePath: string): string;
  /** Where a copy of it lies on this machine, once it was pulled; not there where archives are files anyway. */
  getPulledPath?(relativePath: string): string;
}
