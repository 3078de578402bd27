// Port for the full-text index of archives.
import type { Archives } from './archives.ts';

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

/** The files that are searched. */
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
