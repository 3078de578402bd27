// The ports of the council's use cases.
import type { Clock, Random } from '../../base/clock.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { ModeReading } from '../state/mode-reading.ts';
import type { Documents } from '../../store/documents.ts';
import type { LateFiles, PrivateTexts } from '../../store/small-files.ts';

/** The processes of this machine, to tell which writers may still commit. */
export interface Processes {
  self(): ProcessIdentity;
  /** Undefined for a process of another host, which cannot be checked from here. */
  isAlive(identity: ProcessIdentity): boolean | undefined;
}

export interface Ports {
  store: Documents;
  clock: Clock;
  random: Random;
  privateFiles: PrivateTexts;
  lateFiles: LateFiles;
  processes: Processes;
  /** Reserves a path for the archive that no file and no active council uses: "conseils/YYYY-MM-DD-slug.md". */
  reserveArchive(topic: string, endMs: number): Promise<string>;
  /** Reads contributions to modes that do not use positions. */
  modeReading?(mode: string): Promise<ModeReading | undefined>;
  /** Who acts, for `council history`: "user@host via cli". */
  actor: string;
  /** Why, for `council history`, if given. */
  why?: string;
  /** Location of sealed texts, for the message when one is missing: "user@host". */
  place: string;
}
