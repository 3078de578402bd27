// Port: the register of turns, which says for whom and for what each program was launched.
import type { ProcessIdentity } from './liveness.ts';

/** What a program was launched for. */
export type Work =
  | { kind: 'council'; council: string; conversationId: string; tour: number }
  | { kind: 'task'; task: string; session: string; wire: string }
  | { kind: 'message'; message: string; channel: string };

/** What a turn is for, in a sentence: `round 2 of "plan"`. */
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

/** A launch that is about to begin. */
export interface NewTurn {
  /** The id of the agent that speaks in it. */
  agent: string;
  work: Work;
  /** The server that had it launched; undefined where its project did. */
  server?: string | undefined;
}

/** A turn that has not ended. */
export interface Turn extends NewTurn {
  /** SHA-256 of its secret, in hex: it names the turn and opens nothing. */
  id: string;
  /** The real path of the project folder. */
  root: string;
  /** ISO 8601 UTC. */
  startedAt: string;
  /** The process of council that launched the program. */
  owner: ProcessIdentity;
  /** The program, leader of its group and session; not set before it runs, and for a model, which has none. */
  group?: ProcessIdentity;
}

/** The turn as its launcher holds it. */
export interface OpenTurn {
  id: string;
  /** What the program shows to be known by, in COUNCIL_TURN. Only the program keeps it. */
  secret: string;
  /** Writes down the program's process group. */
  setGroup(group: ProcessIdentity): void;
  /** The secret is void from now on. */
  end(): void;
}

/** Where launches are written down. Everything throws `unsafe_private_dir`, `io`. */
export interface TurnRegister {
  /** Writes a turn down before its program is launched, and takes away those whose programs are gone. */
  begin(turn: NewTurn): OpenTurn;
  /** The turns that are open, of all projects of this user on this machine. */
  listOpen(): Turn[];
}
