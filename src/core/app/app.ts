// The surroundings of every use case and the shape of its result: a good place to start reading.
import { hostname, userInfo } from 'node:os';
import { CouncilError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { Progress } from '../heartbeat/ports.ts';
import { describeWork } from '../store/local/turns.ts';
import type { Turn } from '../store/local/turns.ts';
import type { Feature } from './feature.ts';
import type { Ports } from '../store/local/processes.ts';
import { running } from '../agents/runners/process-group.ts';
import { atWork } from '../heartbeat/launch/heartbeat-row.ts';
export { describeKept } from '../council/state/state.ts';
export type { Kept } from '../council/state/state.ts';
export { isInForeground } from '../store/local/liveness.ts';
export { measureUptime } from '../store/local/system.ts';

export type { Progress };

/**
 * The surroundings of a use case, whichever face it is called through. A newcomer starts here: a face checks what it was
 * given (`checkInput`), calls one function of this folder with an App and the typed input, and tells the result.
 */
export interface App {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The rooms beside the core, from `src/features.ts`. */
  features: readonly Feature[];
  /** The face that is used, for the history. */
  via: 'cli' | 'mcp' | 'api' | 'tick';
  /** The pid of the process that lasts as long as a client's session, where there is one. */
  session?: number;
  /** The project folder that was named, from `--root`. */
  root: string | undefined;
  /** The caller of a remote call, if known. */
  caller?: Pick<Caller, 'role' | 'id' | 'participant' | 'ownArchive' | 'turn'> | undefined;
  /** The revision that the council has to have where it is changed, as a client has named it. */
  atRevision?: number | undefined;
  /** Set where a client has named a key: hashes of the key with its sender, and of all that was asked. */
  request?: { key: string; asked: string } | undefined;
  /** The reason that was given for the change, for the history. */
  why?: string | undefined;
  /** The turn in which it is done, where that was asked: an agent's, not a person's. */
  turn?: Turn | undefined;
  /** When this call began, in milliseconds since the epoch. */
  startedAt: number;
  /** A line for people that is no part of the result. */
  note(line: string): void;
  /** What happens while a council is played, as data. */
  progress(progress: Progress): void;
  /**
   * Aborted by Ctrl-C, SIGTERM, a terminal that was closed or a reader that went away, once something asks for it. A
   * second Ctrl-C leaves at once.
   */
  interruption(): AbortSignal;
  /**
   * Sets the command to resume with, printed when a second Ctrl-C exits at once. The last call
   * counts.
   */
  onLeaving(resume: string): void;
  /** Asks the person on the terminal for one line; undefined without a terminal. */
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

/** The same app, whose changes have a reason in the history. */
export function addHistoryReason(app: App, why: string | undefined): App {
  const said = oneLine(why ?? '', 500);
  return said === '' ? app : overrideApp(app, { why: said });
}

/** What a use case hands back: the document that machines get. Some add what a face needs to tell it in words. */
export interface Result<Document = unknown> {
  document: Document;
  /** Set where the document tells of something that failed: the code whose exit code a command ends with. */
  failed?: ErrorCode | undefined;
}

/** Whether the call came through MCP or HTTP and not from this terminal. */
export const isRemote = ({ via }: App): boolean => via === 'mcp' || via === 'api';

/** Whether a program or model without an agent file may be seated: from the terminal, and over MCP with an admin's rights; never over the HTTP API. */
export const mayAddAgents = ({ via, caller }: App): boolean =>
  via === 'mcp' ? caller?.role === 'admin' : via !== 'api';

/**
 * The access token of the caller, for the history: "admin token 3f9a01c2", "member token 3f9a01c2
 * of ana". Undefined for the local user.
 */
export function describeCallerToken({ caller }: Partial<Pick<App, 'caller'>>): string | undefined {
  if (!caller || (caller.role === 'admin' && (caller.id === undefined || caller.id === LOCAL_ID)))
    return undefined;
  const { role, id, participant } = caller;
  return `${role} token${id === undefined ? '' : ` ${id}`}${participant === undefined ? '' : ` of ${participant}`}`;
}

/** The caller id of local requests before the first token exists. */
export const LOCAL_ID = 'local';

/** Who asks and from where, for the history. */
export const describeActor = (app: Pick<App, 'caller' | 'turn' | 'via'>): string =>
  `${describeCallerToken(app) ?? nameUserAndHost()}${app.turn ? `, ${app.turn.agent} in ${describeWork(app.turn.work)},` : ''} via ${app.via}`;

/** Who asks, in a word: the agent of a turn, the name that a token has, a token without a name, or the user of this process. */
export const nameOfAsker = (app: Pick<App, 'caller' | 'turn'>): string => {
  if (app.turn) return app.turn.agent;
  const token = describeCallerToken(app);
  return token === undefined ? userName() : (app.caller?.participant ?? token);
};

/** "user@host", for sealed texts and for the history of local calls. */
export function nameUserAndHost(): string {
  return `${userName()}@${hostname()}`;
}

/** The name of the user of this process; `uid-N` where the system knows none. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A uid without an entry in the user database, as in many containers.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The error of a command that Ctrl-C or SIGTERM ended; `resume` is the command that goes on. */
export const createInterruptedError = (resume: string): CouncilError =>
  new CouncilError('interrupted', 'Interrupted. Everything that was recorded is kept.', {
    hint: `Go on with: ${resume}`,
  });

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

export const TABLE: readonly Role[] = ['participant', 'member', 'admin'];
/** For the team: it sees what the command line shows, and starts what may be started. */
export const TEAM: readonly Role[] = ['member', 'admin'];
/** For those who run councils: decisions about them. */
export const OWNER: readonly Role[] = ['admin'];

/** Asks to be interrupted. Says then that it takes a moment, if something runs: programs may take two seconds to end. */
export function interruptible(app: App): AbortSignal {
  const signal = app.interruption();
  const say = (): void => {
    if (running.size > 0 || atWork.size > 0)
      app.note('Stopping what is still running; press Ctrl-C again to quit at once.');
  };
  // A caller that cancels has no keyboard here.
  if (!isRemote(app)) signal.addEventListener('abort', say, { once: true });
  return signal;
}
