// Ports, progress events and options of a tick, and its result for one council.
import type { Agent } from '../agents/agent.ts';
import type { ArchivePorts } from '../archive/write.ts';
import type { PhaseName, CloseReason } from '../council/state/allowed-values.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { Mode } from '../council/state/mode.ts';
import type { Snapshot } from '../council/use/council-access.ts';
import type { LaunchOptions, LaunchPorts, LaunchProgress, OpenPhase } from './launch/ports.ts';
import type { Notifier, CouncilProgress } from '../notify/notifier.ts';
import type { DueIndex, WaitingCouncil } from '../store/due-index.ts';
import type { Launches } from './launch/attempts.ts';

export interface HeartbeatPorts extends ArchivePorts, LaunchPorts {
  mode(name: string): Mode;
  /** Stores a new council's settings; resolves to their hash. Undefined if each tick reads current files. */
  pin?(mode: string, table: readonly Agent[]): Promise<string>;
  notifiers: Notifier[];
  /** Index of waiting councils. */
  due: DueIndex;
}

/** Progress events of a tick; printed by `run`, `tick` and `heartbeat`. */
export type Progress =
  | LaunchProgress
  | { type: 'blocked'; council: string; participant: string; place: string | null }
  /** A phase has closed: its contributions, in seating order. */
  | {
      type: 'said';
      council: string;
      phase: PhaseName;
      tour: number;
      said: { participant: string; text: string }[];
      /** Whether the council waits now for the choice of the person who asked. */
      isHeld: boolean;
    }
  /** The run no longer waits for this participant in the open phase. */
  | { type: 'stopped'; council: string; participant: string }
  /**
   * Nothing to do here until an answer arrives: from a person, from a program launched elsewhere, or from one
   * still to be launched, because no heartbeat has its labels.
   */
  | ({
      type: 'waiting';
      council: string;
      elsewhere: string[];
      needing: { participant: string; labels: string[] }[];
    } & OpenPhase)
  | CouncilProgress;

export interface TickOptions extends Omit<LaunchOptions, 'onProgress'> {
  /** Only this council; by default every active one. */
  name?: string;
  launch: boolean;
  /** Milliseconds since the epoch: a phase that opened after this is left to the next tick. */
  startedAt: number;
  onProgress(progress: Progress): void;
  /** Whether a phase that may close does so, waits for now, or ends the council because too few can speak. */
  atClose?(state: CouncilState): 'close' | 'wait' | 'end';
  /** Called before any launch with the end of a council's open phase (ms since the epoch). */
  onDeadline?(timeoutAt: number): void;
  /** Includes councils that only wait in the result, up to this number; by default all. */
  listed?: number;
  /** Called with the councils that have possible launches, so that another machine can do them. */
  onLaunchable?(snapshots: Snapshot[]): Promise<void>;
  /** Called with the number of waiting councils left out. */
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
  /** Set if this council could not be advanced; the others were. */
  error?: { code: string; message: string; hint?: string };
}

/** The result of a pass for a council, and what is left to do or to wait for. */
export interface PassResult {
  done: CouncilTick;
  launching?: Snapshot;
  waiting?: WaitingCouncil;
}

/** The report of a tick that did nothing for this council yet. */
export const createEmptyTick = (name: string): CouncilTick => ({
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
