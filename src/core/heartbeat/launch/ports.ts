// Ports, options and progress events of launches.
import type { Agent } from '../../agents/agent.ts';
import type { OwnPrices } from '../../agents/prices.ts';
import type { AgentHealth } from '../../store/agent-health.ts';
import type { AgentRegistry } from '../../agents/registry.ts';
import type { Runnable } from '../../agents/runnable-trust.ts';
import type { Runner, ToolServer } from '../../agents/runners/turn-types.ts';
import type { PhaseName, Ranks } from '../../council/state/choices.ts';
import type { Mode } from '../../council/state/mode.ts';
import type { CouncilState } from '../../council/state/state.ts';
import type { Ports } from '../../council/use/ports.ts';
import type { Heartbeats } from '../../store/heartbeats.ts';
import type { TurnRegister } from '../../store/local/turns.ts';
import type { Heart } from './heartbeat-row.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';

/** What a launch needs, besides the ports of the use cases. */
export interface LaunchPorts extends Ports {
  agents: AgentRegistry;
  /** How agents fared lately, in all councils of the project. */
  health: AgentHealth;
  /** Whether the owner of the project has said that this may run. Asked before each launch, about that very one. */
  mayRun(what: Runnable): boolean;
  /** Where each launch is written down. */
  turns: TurnRegister;
  /** Chooses the runner; without it, council's own choice. */
  createRunner?(agent: Agent): Runner;
  /**
   * What a participant is shown besides the council. Rejects with `unknown_mode`, `invalid_mode`
   * and `corrupt`.
   */
  guidance(state: CouncilState, participant: string): Promise<Guidance>;
  /** How often an agent whose file does not say may be asked once more, from COUNCIL.md; null for the runner's default. */
  repair: number | null;
  /** What models cost, from COUNCIL.md. */
  prices: OwnPrices;
  root: string;
  env: NodeJS.ProcessEnv;
  /** Tool servers for agents that can use them; a turn adds whose turn it is. */
  toolServers: ToolServer[];
  /** The heartbeats of all machines, and the row of this process. */
  heartbeats: Heartbeats;
  heart: Heart;
  /** What this machine has: it launches who needs nothing else. */
  labels: readonly string[];
  /** This process, as leases name their owner; of one elsewhere, which may say what it likes, its heartbeat as well. */
  self: ProcessIdentity & { heartbeat?: string };
}

/** What a participant goes by, beside the council itself. */
export interface Guidance {
  mode: Mode;
  /** The body of COUNCIL.md. */
  houseRules: string;
  /** Who it is told to be; undefined where nothing is known of it. */
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
  /** Who is launched in the open phase, who of the others is awaited (people), and when it ends, ISO 8601 UTC. */
  | ({ type: 'launching'; council: string; participants: string[] } & OpenPhase)
  /** One of `of` attempts at the most. */
  | { type: 'launched'; council: string; participant: string; attempt: number; of: number }
  /** Its answer lacks something, and it is asked for that. Not told while a phase is blind. */
  | { type: 'asked_again'; council: string; participant: string; missing: string[] }
  | {
      type: 'recorded';
      council: string;
      participant: string;
      bytes: number | null;
      ms: number;
      note?: string;
      /** What it said, where that may be seen. */
      said?: string;
    }
  | {
      type: 'attempt_failed';
      council: string;
      participant: string;
      attempt: number;
      reason: string;
      note?: string;
      /**
       * Whether it is launched again in this phase. An interrupted one is, by the process that
       * continues.
       */
      next: 'again' | 'absent' | 'interrupted';
      /** When it is launched again, ISO 8601 UTC; set with `again`. */
      until?: string;
    }
  | { type: 'paused'; council: string; participant: string; until: string; reason: string }
  /** Not run: it waits until the owner trusts it. */
  | { type: 'untrusted'; council: string; participant: string; runs: string };

export interface LaunchOptions {
  /** Programs that may run at the same time. */
  concurrency: number;
  /** The places for them, where several ticks of one process share them; a tick has its own otherwise. */
  slots?: (launch: () => Promise<void>) => Promise<void>;
  signal: AbortSignal;
  /** Participants paused after failures are left out of the phase at once where no others are awaited. */
  leavesPausedOut?: boolean;
  /** This process plays the next phase as soon as the open one is over. */
  goesOn?: boolean;
  /** As for the runner, of one participant. */
  onBegin?: (() => void) | undefined;
  /** Ends the turn of one participant alone when it aborts. */
  getStop?(participant: string): AbortSignal;
  /**
   * Gets each answer of a blind round as it is recorded: for the terminal whose process launched the
   * programs, and for nothing that others read.
   */
  onAnswer?: ((participant: string, output: Uint8Array) => void) | undefined;
  onProgress(progress: LaunchProgress): void;
}
