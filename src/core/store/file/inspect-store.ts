// Inspects a file store without repairing it, for the doctor.
import { join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { discard, linkNew, listFolderNames } from '../local/disk.ts';
import { findMisplacement } from './misplaced.ts';
import { judgeProjection } from './projection.ts';
import { isLostHead, findRepairRefusal, findImportRefusal } from './recover.ts';
import type { Layout, LayoutOptions } from './layout.ts';
import { createLayout, readState } from './layout.ts';
import { readClaimedRevision, readStampOfBytes, toText } from './stamps.ts';
import { readHead, readVersionStamp } from './versions.ts';
import type { Head } from './versions.ts';

/** One document as found on the disk, before any command repairs it. */
export interface DocumentFacts {
  key: string;
  /** The state file. */
  path: string;
  /** 0: there is a state file but no history yet, as in a fresh clone. */
  revision: number;
  /** The head's text; null after a removal, without history, and if it is not UTF-8. */
  text: string | null;
  /** False if the head is not what the engine wrote. */
  sound: boolean;
  /** The state file compared with the head. */
  shown: ReturnType<typeof judgeProjection>;
  /** True if the state file has a readable state block: otherwise it cannot be adopted. */
  readable: boolean;
  /** True if the state file is the text that followed the newest revision here: a version has been deleted. */
  lost: boolean;
  /** Why every command refuses it, with a remedy: a copy of another council, or beyond repair; else null. */
  refused: CouncilError | null;
}

export interface StoreFacts {
  documents: DocumentFacts[];
  /** Why other documents could not be inspected. */
  unreadable: CouncilError[];
  quarantined: string[];
  edits: string[];
}

/**
 * Inspects a store without changing it: reading through the store would sweep, import and repair. Throws
 * `io`.
 */
export function inspectStore(options: Omit<LayoutOptions, 'warn'>): StoreFacts {
  const layout = createLayout({ ...options, warn: () => undefined });
  const keys = [...new Set([...layout.keysWithHistory(), ...layout.keysWithProjection()])].sort();
  const unreadable: CouncilError[] = [];
  const documents = keys.flatMap((key) => {
    try {
      return [inspectDocument(layout, key)];
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      unreadable.push(error);
      return [];
    }
  });
  const listPaths = (dir: string): string[] => listFolderNames(dir).map((name) => join(dir, name));
  return {
    documents,
    unreadable,
    quarantined: listPaths(layout.quarantine),
    edits: listPaths(layout.edits),
  };
}

function inspectDocument(layout: Layout, key: string): DocumentFacts {
  const path = layout.projection(key);
  // If a link replaces its folder, every other command refuses it.
  layout.guard(key);
  const shown = readState(layout, key);
  const head = readHead(layout, key, readClaimedRevision(shown));
  const ended = head.removed || head.revision === 0;
  const text = ended ? undefined : toText(head.bytes);
  const sound = ended || readVersionStamp(layout, key, head) !== undefined;
  return {
    key,
    path,
    revision: head.revision,
    text: text ?? null,
    sound,
    shown: judgeProjection(layout, key, shown, head),
    readable: shown !== undefined && readStampOfBytes(layout, shown) !== undefined,
    lost: shown !== undefined && isLostHead(layout, key, head, shown),
    refused: findRefusal(layout, key, { head, sound, shown }) ?? null,
  };
}

function findRefusal(
  layout: Layout,
  key: string,
  { head, sound, shown }: { head: Head; sound: boolean; shown: Buffer | undefined },
): CouncilError | undefined {
  // The file itself counts only if there is nothing else to go by: an edit may contain anything.
  if (head.revision === 0) return shown && findImportRefusal(layout, key, shown);
  if (!sound) return findRepairRefusal(layout, key, head, shown);
  const stamp = readStampOfBytes(layout, head.bytes);
  return stamp?.intact ? findMisplacement(layout, key, stamp) : undefined;
}

/** Tries the steps of a commit without leaving anything. Returns the refusal (`io`, `no_hard_links`), or null. */
export function tryCommit(options: Omit<LayoutOptions, 'warn'>): CouncilError | null {
  const { temps } = createLayout({ ...options, warn: () => undefined });
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
