// Ports of the archives and their full-text index.
/** An archive's entry in the index. */
export interface SearchEntry {
  topic: string;
  endedAt: string;
  body: string;
  /** What is wrong with the archive: reported at every search. */
  problem?: string;
}

export interface SearchHit {
  path: string;
  topic: string;
  endedAt: string;
  score: number;
  /** A part of the topic or the body, with every word of the query between `**`. */
  excerpt: string;
}

export type SearchedArchives = Pick<Archives, 'list' | 'read'>;

/** Extracts an archive's text for the index; undefined for a file that is no archive. */
export type Describe = (text: string, path: string) => Promise<SearchEntry | undefined>;

/** A full-text index of archives: a derived cache, updated by every search. */
export interface SearchIndex {
  /** Returns hits, best first. */
  search(archives: SearchedArchives, describe: Describe, wanted: Query): Promise<SearchHit[]>;
}

export interface Query {
  /** In FTS5 syntax. */
  match: string;
  /** Maximum number of hits. */
  limit: number;
  /** Returns the part of a hit to show; `body` may be only the start of a very long one. */
  excerpt: (topic: string, body: string) => string;
}

export interface ArchiveFile {
  /** Relative to the project's root, with `/`. */
  path: string;
  bytes: number;
  mtimeMs: number;
  /** Time of the last change to the file, including its name and times. */
  changedMs: number;
  inode: number;
}

/** The front matter of an archive, as parsed from YAML. */
export type FrontMatterFacts = Record<string, unknown>;

/** A cache of front matter, which is slow to read. It never returns data of a file that has changed since. */
export interface ArchiveFacts {
  /** Returns the cached facts of these files, by path. */
  readFacts(files: readonly ArchiveFile[]): Promise<Map<string, FrontMatterFacts>>;
  /** Returns the few facts of these files for lists, by path; null for a file that is no archive. */
  lines(files: readonly ArchiveFile[]): Promise<Map<string, FrontMatterFacts | null>>;
  /** Caches facts of files, as `list` returned them before reading; drops entries of files not in `files`. */
  keep(
    read: readonly { file: ArchiveFile; facts: FrontMatterFacts; line: FrontMatterFacts | null }[],
    files: readonly ArchiveFile[],
  ): Promise<void>;
}

/** Finished councils: written once and never changed by council. */
export interface Archives {
  /** The start of every path, relative to the project's root: `conseils`. */
  readonly dir: string;
  /** Undefined without a cache. */
  readonly facts?: ArchiveFacts;
  /**
   * Writes a new archive; durable when it resolves, with either result. An existing one is never changed.
   * Rejects with `corrupt` for a path outside the folder, `no_hard_links`, `io`.
   */
  create(relativePath: string, text: string): Promise<'created' | 'exists'>;
  /**
   * Undefined if there is no such archive. Rejects with `corrupt` like `create`, `not_a_file`, `too_large`,
   * `invalid_text`, `io`.
   */
  read(relativePath: string): Promise<string | undefined>;
  /**
   * Lists the `*.md` files of the folder, sorted by path; a README only if it is an archive. Includes entries
   * that are no files: reading one reports what it is.
   */
  list(): Promise<ArchiveFile[]>;
  /** Lists every used path, sorted, including those of other files. Reads no file. */
  paths(): Promise<string[]>;
  /** Returns the path of an archive for people, without looking it up. Throws `corrupt` like `create`. */
  absolute(relativePath: string): string;
  /** Returns the path of a pulled copy on this machine; not set if archives are files anyway. */
  getPulledPath?(relativePath: string): string;
}
