// What a tick without a terminal has told: a state that lasts is told when it begins and when it is over, not each time.
import { join } from 'node:path';
import { asCouncilError, CouncilError } from '../base/errors.ts';
import { parseJsonSafely } from '../base/text.ts';
import { ownerFolder } from '../store/file/owner-folder.ts';
import type { OwnerFolder } from '../store/file/owner-folder.ts';
import { findProject } from '../store/local/project.ts';
import { readBytes } from '../store/local/read.ts';
import { placeOver } from '../store/local/temps.ts';
import type { App } from './app.ts';

const LONGEST = 256 * 1024;

export interface ToldLines {
  /** Tells a line, unless the tick before told it. */
  note(line: string): void;
  /** Whether the tick before failed in the same way. */
  isKnown(failure: CouncilError): boolean;
  /** Tells what is over, and keeps what was found for the next tick: `$XDG_STATE_HOME/council/told/<project>.json`. */
  end(): void;
}

/** The lines of the tick before; undefined where there is no project, or no private folder to keep them in: then all are told. */
export function toldLines(app: Pick<App, 'cwd' | 'env' | 'root' | 'note'>): ToldLines | undefined {
  try {
    const project = findProject(app);
    return project && openLines(ownerFolder({ env: app.env, projectRoot: project.root }, 'told'), app.note);
  } catch (error) {
    if (asCouncilError(error) === error) return undefined;
    throw error;
  }
}

function openLines({ dir, temps, project, made, isThere }: OwnerFolder, note: App['note']): ToldLines {
  const path = join(dir, `${project()}.json`);
  const bytes = isThere(dir) ? readBytes(path, { limit: LONGEST, links: 'refuse' }) : undefined;
  const before = new Set(bytes ? readLines(bytes.toString('utf8')) : []);
  const now = new Set<string>();
  const found = (line: string): boolean => (now.add(line), before.has(line));
  return {
    note: (line) => void (found(line) || note(line)),
    isKnown: ({ message }) => found(message),
    end() {
      for (const line of before) if (!now.has(line)) note(`Over now: ${line}`);
      if (now.size === before.size && [...now].every((line) => before.has(line))) return;
      made(dir);
      placeOver(temps, path, Buffer.from(JSON.stringify([...now])), false);
    },
  };
}

function readLines(text: string): string[] {
  try {
    const read = parseJsonSafely(text);
    return Array.isArray(read) ? read.filter((line) => typeof line === 'string') : [];
  } catch (error) {
    // Half a file: everything is told once more.
    if (error instanceof SyntaxError || error instanceof CouncilError) return [];
    throw error;
  }
}
