// Whose request a call is, and the roles that a token can have.
import type { Ports } from '../store/local/processes.ts';

/** Whose request this is, as far as it was said: by the environment of the server, or by a participant's token. */
export interface Caller {
  /** What it opens: see calls.ts. */
  role: Role;
  /** The id of the server's token, where it is one. */
  id?: string | undefined;
  participant?: string | undefined;
  council?: string | undefined;
  /** Where the seat is one of this very council, and not of any that has its name. */
  conversationId?: string | undefined;
  /** The conversationId of the only council whose archive it reads; where nothing is said it reads them all. */
  ownArchive?: string | undefined;
  /** The participant's token that the council itself asks for. */
  token?: string | undefined;
  /** By what its turn is found: its connection, where that is one of this machine, else the secret that it has shown. */
  turn?: { connection?: Ports | undefined; secret?: string | undefined } | undefined;
}

/** Whether it is a participant's token: it opens that participant's turn and archives, and nothing else. */
export const isSeat = ({ role }: Caller): boolean => role === 'participant';

/**
 * `participant`: one seat. `member`: of the team. `worker`: a machine that launches agents.
 * `admin`: runs councils.
 */
export const ROLES = ['participant', 'member', 'worker', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** For participants and observers. */
export const TABLE: readonly Role[] = ['participant', 'member', 'admin'];
/** For the team: it sees what the command line shows, and starts what may be started. */
export const TEAM: readonly Role[] = ['member', 'admin'];
/** For those who run councils: decisions about them. */
export const OWNER: readonly Role[] = ['admin'];
