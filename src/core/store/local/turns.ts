// Port: the register of turns, with the agent and the work of each launched program.
import type { ProcessIdentity } from './liveness.ts';

/** The purpose of a launch. */
export type Work =
  | { kind: 'council'; council: string; conversationId: string; tour: number }
  | { kind: 'task'; task: string; session: string; wire: string }
  | { kind: 'message'; message: string; channel: string };

/** Describes the purpose of a turn: `round 2 of "plan"`. */
export function describeWork(work: Work): string {
  switch (work.kind) {
    case 'council':
      return `round ${work.tour} of "${work.council}"`;
    case 'task':
      return `task ${work.task}`;
    case 'message':
      return `the answer to ${work.message}`;
  }
}

/** A launch that is about to start. */
export interface NewTurn {
  /** The id of the agent that speaks in it. */
  agent: string;
  work: Work;
  /** The server that requested the launch; undefined for the project itself. */
  server?: string | undefined;
}

/** A turn that has not ended. */
export interface Turn extends NewTurn {
  /** SHA-256 of its secret, in hex: it identifies the turn but grants nothing. */
  id: string;
  /** The real path of the project folder. */
  root: string;
  /** ISO 8601 UTC. */
  startedAt: string;
  /** The council process that launched the program. */
  owner: ProcessIdentity;
  /** The program, leader of its group and session; not set before it runs, and for a model, which has none. */
  group?: ProcessIdentity;
}

/** The turn as seen by its launcher. */
export interface OpenTurn {
  id: string;
  /** The program's credential in COUNCIL_TURN, not stored anywhere else. */
  secret: string;
  /** Records the program's process group. */
  setGroup(group: ProcessIdentity): void;
  /** Revokes the secret. */
  end(): void;
}

/** The register of launches. All calls throw `unsafe_private_dir`, `io`. */
export interface TurnRegister {
  /** Records a turn before its program is launched, and deletes those whose programs have ended. */
  begin(turn: NewTurn): OpenTurn;
  /** Lists the open turns of all projects of this user on this machine. */
  listOpen(): Turn[];
}
