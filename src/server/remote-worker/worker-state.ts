// State of a remote worker: whether a server understands it, and its report when the server is unreachable and back.
import type { Heart } from '../../core/heartbeat/launch/heartbeat-row.ts';
import type { Project } from '../../core/store/local/project.ts';
import type { App } from '../../core/app/app.ts';
import { CouncilError, describeThrown } from '../../core/base/errors.ts';
import { SPEAKS } from '../../core/app/launching-process.ts';
import manifest from '../../../package.json' with { type: 'json' };

export interface Worker {
  app: App;
  /** The address of the server that it works for. */
  server: string;
  /** Its own project, and the folder of that. */
  project: Project;
  root: string;
  signal: AbortSignal;
  heart: Heart;
  contact: Contact;
  /** By lease. */
  atWork: Map<string, Promise<void>>;
  /** Those of them that are tasks. */
  tasks: Map<string, TaskAtWork>;
}

export interface TaskAtWork {
  /** As its server knows it: S1/T1. */
  name: string;
  /** How far its agent said last that it is. */
  progress: string;
  /** Stops the task: its result is no longer wanted. */
  stop: AbortController;
}

interface Contact {
  /**
   * Reports a failed or wrong answer. The same line is not repeated until the server has answered,
   * and errors that end the worker are left to the caller.
   */
  lost(what: unknown): void;
  /** It has answered. */
  found(): void;
}

/** Error codes that no retry will change. */
const FINAL = ['forbidden', 'usage', 'invalid_id'];

/** Whether a worker that is answered so ends. */
export const isFinal = (error: unknown): error is CouncilError =>
  error instanceof CouncilError && FINAL.includes(error.code);

export function createServerContact({ note }: Pick<App, 'note'>, server: string): Contact {
  const told = new Set<string>();
  const once = (what: string, line: string): void => {
    if (!told.has(what)) note(line);
    told.add(what);
  };
  return {
    lost(what) {
      const line = describeThrown(what);
      // A server that goes is away for one reason after the other.
      if (isAway(what)) once('away', `${line} Waiting for it.`);
      else if (!isFinal(what)) once(line, line);
      told.add(line);
    },
    found() {
      if (told.has('away')) note(`The server ${new URL(server).origin} is back.`);
      told.clear();
    },
  };
}

const isAway = (error: unknown): boolean => error instanceof CouncilError && error.code === 'unreachable';

/** Version and protocol number of this council. */
export const here = { version: manifest.version, speaks: SPEAKS };

/** Throws `usage` where the two are more than one release apart, and says which of them is the older. */
export function requireSpoken(other: { version: string; speaks: number }): void {
  if (Math.abs(other.speaks - here.speaks) <= 1) return;
  const [older, newer] = other.speaks < here.speaks ? [other, here] : [here, other];
  throw new CouncilError(
    'usage',
    `Council ${older.version} and council ${newer.version} are more than one release apart: one side speaks ${older.speaks}, the other ${newer.speaks}.`,
    { hint: `Upgrade the side with council ${older.version}.`, details: { older: older.version } },
  );
}
