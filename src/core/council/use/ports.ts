// The ports of the council's use cases.
import type { Clock, Random } from '../../base/clock.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { ModeReading } from '../state/mode-reading.ts';
import type { Documents } from '../../store/documents.ts';
import type { LateFiles } from '../../store/small-files.ts';
import type { PrivateTexts } from '../../store/private-texts.ts';

/** The processes of this machine, for telling who may still commit what it has written. */
export interface Processes {
  self(): ProcessIdentity;
  /** Undefined for a process of another host, which cannot be seen from here. */
  isAlive(identity: ProcessIdentity): boolean | undefined;
}

/** What the use cases of the council need from outside. */
export interface Ports {
  store: Documents;
  clock: Clock;
  random: Random;
  privateFiles: PrivateTexts;
  lateFiles: LateFiles;
  processes: Processes;
  /** A path for the archive that no other file and no other active council has: "conseils/YYYY-MM-DD-slug.md". */
  reserveArchive(topic: string, endMs: number): Promise<string>;
  /** How contributions to a mode are read, where these are no positions. */
  modeReading?(mode: string): Promise<ModeReading | undefined>;
  /** Who acts, for `council history`: "user@host via cli". */
  actor: string;
  /** Why, for `council history`, where that was said. */
  why?: string;
  /** Where sealed texts lie, for the message when one is missing: "user@host". */
  place: string;
}
