// Ports, progress events and options of a tick, and what one tick did to one council.
import type { Agent } from '../agents/agent.ts';
import type { ArchivePorts } from '../archive/write.ts';
import type { PhaseName, CloseReason } from '../council/state/choices.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { Mode } from '../council/state/mode.ts';
import type { Snapshot } from '../council/use/update-council.ts';
import type { LaunchOptions, LaunchPorts, LaunchProgress, OpenPhase } from './launch/ports.ts';
import type { Notifier, CouncilProgress } from '../notify/notifier.ts';
import type { DueIndex, Waiting } from '../store/due-index.ts';
import type { Launches } from './launch/attempts.ts';

export interface HeartbeatPorts extends ArchivePorts, LaunchPorts {
  mode(name: string): Mode;
  /** Keeps what a new council is to go by; resolves to the hash. Not set where each tick goes by the files as they are. */
  pin?(mode: string, table: readonly Agent[]): Promise<string>;
  notifiers: Notifier[];
  /** What was noted of councils that wait. */
  due: DueIndex;
}

/** What a tick tells while it works; printed by `run`, `tick` and `heartbeat`. */
export type Progress =
  | LaunchProgress
  | { type: 'blocked'; council: string; participant: string; place: string | null }
  /** A phase has closed: what was said in it, in the order of the seats. */
  | {
      type: 'said';
      council: string;
      phase: PhaseName;
      tour: number;
      said: { participant: string; text: string }[];
    }
  /** The run no longer waits for this participant in the open phase. */
  | { type: 'stopped'; council: string; participant: string }
  /**
   * Nothing to do here until an answer comes: from a person, from a program launched elsewhere, or
   * from one still to be launched, because no heartbeat has its labels.
   */
  | ({
      type: 'waiting';
      council: string;
      elsewhere: string[];
      needing: { participant: string; labels: string[] }[];
    } & OpenPhase)
  | CouncilProgress;

export interface TickOptions extends Omit<LaunchOptions, 'onProgress'> {
  /** Only this council; every active one without it. */
  name?: string;
  launch: boolean;
  /** Milliseconds since the epoch: a phase that opened after this is left to the next tick. */
  startedAt: number;
  onProgress(progress: Progress): void;
  /** Whether a phase that may close does so, waits for now, or ends the council because too few can speak. */
  atClose?(state: CouncilState): 'close' | 'wait' | 'end';
  /** Hears, before anybody is launched, when the open phase of a council ends (ms since the epoch). */
  onDeadline?(timeoutAt: number): void;
  /** The councils that only wait are among the result as long as there are no more; all of them without it. */
  listed?: number;
  /** Gets the councils with possible launches, so that another machine can do them. */
  onLaunchable?(snapshots: Snapshot[]): Promise<void>;
  /** Hears how many are not. */
  onResting?(count: number): void;
}

/** What one tick did to one council: the shape of `council tick --json`. */
export interface CouncilTick {
  name: string;
  conversationId: string;
  from: string;
  to: string;
  reason: CloseReason | null;
  transitions: { from: string; to: string; reason: CloseReason }[];
  launched: string[];
  failed: Launches['failed'];
  archive: string | null;
  /** Set when this council could not be advanced; the others were. */
  error?: { code: string; message: string; hint?: string };
}

/** What a pass did to a council, and what is left to do, or to wait for, in it. */
export interface Passed {
  done: CouncilTick;
  launching?: Snapshot;
  waiting?: Waiting;
}

/** The report of a tick that did nothing for this council yet. */
export const nothingDone = (name: string): CouncilTick => ({
  name,
  conversationId: '',
  from: '',
  to: '',
  reason: null,
  transitions: [],
  launched: [],
  failed: [],
  archive: null,
});
