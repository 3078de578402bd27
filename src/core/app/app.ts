// The context of every use case and the shape of its result: a good place to start reading.
import { hostname, userInfo } from 'node:os';
import { CouncilError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { toOneLine } from '../base/text.ts';
import type { Progress } from '../heartbeat/ports.ts';
import { describeWork } from '../store/local/turns.ts';
import type { Turn } from '../store/local/turns.ts';
import type { Feature } from './feature.ts';
import type { Ports } from '../store/local/processes.ts';
import { running } from '../agents/runners/process-group.ts';
import { atWork } from '../heartbeat/launch/heartbeat-row.ts';
export { describeKept } from '../council/state/state.ts';
export type { KeepResult } from '../council/state/state.ts';
export { isInForeground } from '../store/local/liveness.ts';
export { measureUptime } from '../store/local/system.ts';

export type { Progress };

/**
 * The context of a use case, whichever interface calls it. Newcomers start here: an interface validates its
 * input (`checkInput`), calls one function of this folder with an App and the typed input, and presents the
 * result.
 */
export interface App {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The rooms beside the core, from `src/features.ts`. */
  features: readonly Feature[];
  /** The calling interface. */
  via: 'cli' | 'mcp' | 'api' | 'tick';
  /** The pid of the process that lasts as long as a client's session, if there is one. */
  session?: number;
  /** The project folder from `--root`. */
  root: string | undefined;
  /** The caller of a remote call, if known. */
  caller?: Pick<Caller, 'role' | 'id' | 'participant' | 'ownArchive' | 'turn'> | undefined;
  /** The revision required for a change, as given by a client. */
  atRevision?: number | undefined;
  /** Set if a client gave a key: hashes of the key with its sender, and of the whole request. */
  request?: { key: string; asked: string } | undefined;
  /** The reason given for the change, for the history. */
  why?: string | undefined;
  /** The turn of the caller, if checked: an agent's, not a person's. */
  turn?: Turn | undefined;
  /** When this call started, in milliseconds since the epoch. */
  startedAt: number;
  /** Shows people a line that is not part of the result. */
  note(line: string): void;
  /** Reports events while a council is played, as data. */
  progress(progress: Progress): void;
  /**
   * Aborted by Ctrl-C, SIGTERM, a closed terminal or a closed output pipe, from the first call on. A second Ctrl-C
   * exits at once.
   */
  interruption(): AbortSignal;
  /**
   * Sets the command to resume with, printed when a second Ctrl-C exits at once. The last call
   * counts.
   */
  setResumeCommand(resume: string): void;
  /** Asks the person at the terminal for one line; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
}

/**
 * A copy of the app with some properties replaced. Getters are copied without being called: `ask`
 * loads a part of Node that most commands do not need.
 */
export const overrideApp = <A extends App>(app: A, changes: Partial<App>): A =>
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(app),
      ...Object.getOwnPropertyDescriptors(changes),
    },
  ) as A;

/** Returns a copy of the app with a reason for changes, for the history. */
export function withReason(app: App, why: string | undefined): App {
  const said = toOneLine(why ?? '', 500);
  return said === '' ? app : overrideApp(app, { why: said });
}

/** The result of a use case: a document for programs. Some add data for its presentation. */
export interface Result<Document = unknown> {
  document: Document;
  /** Set if the document reports a failure: the code that determines the exit code. */
  failed?: ErrorCode | undefined;
}

/** Whether the call came through MCP or HTTP, not from this terminal. */
export const isRemote = ({ via }: App): boolean => via === 'mcp' || via === 'api';

/** Whether a program or model without an agent file may be seated: from the terminal, and over MCP with an admin's rights; never over the HTTP API. */
export const maySeatUnlistedAgents = ({ via, caller }: App): boolean =>
  via === 'mcp' ? caller?.role === 'admin' : via !== 'api';

/**
 * Describes the caller's access token for the history: "admin token 3f9a01c2", "member token 3f9a01c2 of
 * ana". Undefined for the local user.
 */
export function describeCallerToken({ caller }: Partial<Pick<App, 'caller'>>): string | undefined {
  if (!caller || (caller.role === 'admin' && (caller.id === undefined || caller.id === LOCAL_ID)))
    return undefined;
  const { role, id, participant } = caller;
  return `${role} token${id === undefined ? '' : ` ${id}`}${participant === undefined ? '' : ` of ${participant}`}`;
}

/** The caller id of local requests before the first token exists. */
export const LOCAL_ID = 'local';

/** Describes the caller and interface, for the history. */
export const describeActor = (app: Pick<App, 'caller' | 'turn' | 'via'>): string =>
  `${describeCallerToken(app) ?? nameUserAndHost()}${app.turn ? `, ${app.turn.agent} in ${describeWork(app.turn.work)},` : ''} via ${app.via}`;

/**
 * Names the caller in a word: the agent of a turn, the token's holder, a token without a name, or this
 * process's user.
 */
export const getCallerName = (app: Pick<App, 'caller' | 'turn'>): string => {
  if (app.turn) return app.turn.agent;
  const token = describeCallerToken(app);
  return token === undefined ? getUserName() : (app.caller?.participant ?? token);
};

/** Returns "user@host", for sealed texts and for the history of local calls. */
export function nameUserAndHost(): string {
  return `${getUserName()}@${hostname()}`;
}

/** Returns the name of this process's user; `uid-N` if the system knows none. */
export function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // A uid without an entry in the user database, as in many containers.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Creates the error of a command interrupted by Ctrl-C or SIGTERM; `resume` is the command to continue. */
export const createInterruptedError = (resume: string): CouncilError =>
  new CouncilError('interrupted', 'Interrupted. Everything that was recorded is kept.', {
    hint: `Go on with: ${resume}`,
  });

/** The caller of a request, as far as known: from the server's environment, or a participant's token. */
export interface Caller {
  /** The role's permissions: see calls.ts. */
  role: Role;
  /** The id of a server token. */
  id?: string | undefined;
  participant?: string | undefined;
  council?: string | undefined;
  /** Set if the seat belongs to this very council, not to any with its name. */
  conversationId?: string | undefined;
  /** The conversationId of the only archive that it may read; if not set, all of them. */
  ownArchive?: string | undefined;
  /** The participant's token, if the council itself requires it. */
  token?: string | undefined;
  /** Identifies its turn: by its connection if local, else by the secret it has sent. */
  turn?: { connection?: Ports | undefined; secret?: string | undefined } | undefined;
}

/** Whether it is a participant's token: it allows only that participant's turn and archives. */
export const isParticipantToken = ({ role }: Caller): boolean => role === 'participant';

/**
 * `participant`: one seat. `member`: of the team, may start councils. `worker`: a machine that launches agents.
 * `admin`: may decide about every council, such as ending it.
 */
export const ROLES = ['participant', 'member', 'worker', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Roles that may have a seat. */
export const TABLE_ROLES: readonly Role[] = ['participant', 'member', 'admin'];
/** Roles of the team: they see what the command line shows, and may start councils. */
export const TEAM_ROLES: readonly Role[] = ['member', 'admin'];
/** Roles that decide about every council. */
export const OWNER_ROLES: readonly Role[] = ['admin'];

/**
 * Returns the signal that Ctrl-C aborts from now on; then tells the user if stopping takes a moment: running
 * programs get two seconds.
 */
export function listenForInterruption(app: App): AbortSignal {
  const signal = app.interruption();
  const say = (): void => {
    if (running.size > 0 || atWork.size > 0)
      app.note('Stopping what is still running; press Ctrl-C again to quit at once.');
  };
  // A remote caller that cancels has no keyboard here.
  if (!isRemote(app)) signal.addEventListener('abort', say, { once: true });
  return signal;
}
