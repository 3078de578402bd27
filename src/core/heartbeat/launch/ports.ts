// Ports, options and progress events of launches.
import type { Agent } from '../../agents/agent.ts';
import type { OwnPrices } from '../../agents/prices.ts';
import type { AgentHealth } from '../../store/agent-health.ts';
import type { AgentRegistry } from '../../agents/registry.ts';
import type { Runnable } from '../../agents/runnable-trust.ts';
import type { Runner, ToolServer } from '../../agents/runners/turn-types.ts';
import type { PhaseName, Ranks } from '../../council/state/allowed-values.ts';
import type { Mode } from '../../council/state/mode.ts';
import type { CouncilState } from '../../council/state/state.ts';
import type { Ports } from '../../council/use/ports.ts';
import type { Heartbeats } from '../../store/heartbeats.ts';
import type { TurnRegister } from '../../store/local/turns.ts';
import type { HeartbeatRenewal } from './heartbeat-row.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';

/** The ports of a launch, in addition to those of the use cases. */
export interface LaunchPorts extends Ports {
  agents: AgentRegistry;
  /** How agents performed recently, in all councils of the project. */
  health: AgentHealth;
  /** Whether the project's owner has allowed this to run. Checked before each launch, for exactly that one. */
  mayRun(what: Runnable): boolean;
  /** Records each launch. */
  turns: TurnRegister;
  /** Selects the runner; by default council's own choice. */
  createRunner?(agent: Agent): Runner;
  /** Returns what is shown besides the council. Rejects with `unknown_mode`, `invalid_mode`, `corrupt`. */
  guidance(state: CouncilState, participant: string): Promise<Guidance>;
  /** How often an agent may be asked again by default, from COUNCIL.md; null for the runner's default. */
  repair: number | null;
  /** Model prices from COUNCIL.md. */
  prices: OwnPrices;
  root: string;
  env: NodeJS.ProcessEnv;
  /** Tool servers for agents that can use them; a turn adds its identity. */
  toolServers: ToolServer[];
  /** The heartbeats of all machines, and the row of this process. */
  heartbeats: Heartbeats;
  heart: HeartbeatRenewal;
  /** This machine's labels: it launches participants that need no others. */
  labels: readonly string[];
  /** This process, as the owner of leases; for one elsewhere, which is not trusted, its heartbeat as well. */
  self: ProcessIdentity & { heartbeat?: string };
}

/** The guidance of a participant, besides the council itself. */
export interface Guidance {
  mode: Mode;
  /** The body of COUNCIL.md. */
  houseRules: string;
  /** Its persona; undefined if unknown. */
  persona: string | undefined;
}

export interface OpenPhase {
  phase: PhaseName;
  tour: number;
  ranks?: Ranks | undefined;
  /** When it ends, ISO 8601 UTC. */
  timeoutAt: string;
  people: string[];
}

export type LaunchProgress =
  /** The launched participants of the open phase, the awaited people, and its end, ISO 8601 UTC. */
  | ({ type: 'launching'; council: string; participants: string[] } & OpenPhase)
  /** One of at most `of` attempts. */
  | { type: 'launched'; council: string; participant: string; attempt: number; of: number }
  /** Its answer lacks something, so it is asked again. Not reported while a phase is blind. */
  | { type: 'asked_again'; council: string; participant: string; missing: string[] }
  | {
      type: 'recorded';
      council: string;
      participant: string;
      bytes: number | null;
      ms: number;
      note?: string;
      /** The text, if it may be seen. */
      said?: string;
    }
  | {
      type: 'attempt_failed';
      council: string;
      participant: string;
      attempt: number;
      reason: string;
      note?: string;
      /** Whether it is launched again in this phase. An interrupted one is, by the process that continues. */
      next: 'again' | 'absent' | 'interrupted';
      /** When it is launched again, ISO 8601 UTC; set with `again`. */
      until?: string;
    }
  | { type: 'paused'; council: string; participant: string; until: string; reason: string }
  /** Not run: it waits until the owner trusts it. */
  | { type: 'untrusted'; council: string; participant: string; runs: string };

export interface LaunchOptions {
  /** Maximum number of programs running at the same time. */
  concurrency: number;
  /** The slots for them, if several ticks of one process share them; by default each tick has its own. */
  slots?: (launch: () => Promise<void>) => Promise<void>;
  signal: AbortSignal;
  /** Leaves participants paused after failures out of the phase at once if no others are awaited. */
  leavesPausedOut?: boolean;
  /** This process plays the next phase as soon as the open one is over. */
  goesOn?: boolean;
  /** As for the runner, for one participant. */
  onBegin?: (() => void) | undefined;
  /** Returns a signal that ends the turn of a single participant. */
  getStop?(participant: string): AbortSignal;
  /**
   * Called with each answer of a blind round when it is recorded: for the terminal whose process launched the
   * programs, and never for output that others read.
   */
  onAnswer?: ((participant: string, output: Uint8Array) => void) | undefined;
  onProgress(progress: LaunchProgress): void;
}
