import { join } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { discard, linkNew, namesIn, readBytes } from './disk.ts';
import { judge } from './projection.ts';
import type { ShelfOptions } from './shelf.ts';
import { shelfIn } from './shelf.ts';
import { isSound, stampOf, toText } from './stamped.ts';
import { readHead } from './versions.ts';

/** One document as it lies on the disk, before any command mends it. */
export interface DocumentFacts {
  key: string;
  /** The state file. */
  path: string;
  /** 0: there is a state file and no history yet, as in a fresh clone. */
  revision: number;
  /** The head's text; null after a removal, without history, and when it is not UTF-8. */
  text: string | null;
  /** False when the head is not what the engine wrote. */
  sound: boolean;
  /** What the state file is, compared with the head. */
  shown: ReturnType<typeof judge>;
  /** True when the state file is, byte for byte, something the engine wrote. */
  intact: boolean;
}

export interface StoreFacts {
  documents: DocumentFacts[];
  /** Absolute paths of temp files that dead processes left. */
  staleTemps: string[];
  quarantined: string[];
  edits: string[];
}

/**
 * Looks at a file store and changes nothing: reading through the store itself would sweep, import and repair.
 * Throws `io`.
 */
export function inspectStore(options: Omit<ShelfOptions, 'warn'>): StoreFacts {
  const shelf = shelfIn({ ...options, warn: () => undefined });
  const keys = [...new Set([...shelf.keysWithHistory(), ...shelf.keysWithProjection()])].sort();
  const documents = keys.map((key): DocumentFacts => {
    const path = shelf.projection(key);
    const shown = readBytes(path);
    const head = readHead(shelf, key);
    const text = head.bytes.length === 0 ? undefined : toText(head.bytes);
    return {
      key,
      path,
      revision: head.revision,
      text: text ?? null,
      sound: head.bytes.length === 0 || isSound(shelf, text, head.revision),
      shown: judge(shelf, key, shown, head),
      intact: shown !== undefined && stampOf(shelf, shown)?.intact === true,
    };
  });
  const within = (dir: string): string[] => namesIn(dir).map((name) => join(dir, name));
  return {
    documents,
    staleTemps: shelf.temps.stale().map((name) => join(options.dir, '.tmp', name)),
    quarantined: within(shelf.quarantine),
    edits: within(shelf.edits),
  };
}

/** Tries what a commit does: write, sync, link. Leaves nothing behind. Returns the refusal (`io`, `no_hard_links`), or null. */
export function tryCommit(options: Omit<ShelfOptions, 'warn'>): CouncilError | null {
  const { temps } = shelfIn({ ...options, warn: () => undefined });
  const made: string[] = [];
  try {
    made.push(temps.write(Buffer.from('council doctor\n')));
    const second = temps.path();
    linkNew(made[0]!, second);
    made.push(second);
    return null;
  } catch (error) {
    if (error instanceof CouncilError) return error;
    throw error;
  } finally {
    made.forEach(discard);
  }
}
