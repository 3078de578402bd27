// A remote worker's contact with its server: reachability, uploads with retries, and local copies meanwhile.

import type { HeartbeatRenewal } from '../../core/heartbeat/launch/heartbeat-row.ts';
import type { Project } from '../../core/store/local/project.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { App } from '../../core/app/app.ts';
import { CouncilError, describeThrown } from '../../core/base/errors.ts';
import { join } from 'node:path';
import { waitUnlessAborted } from '../../core/heartbeat/launch/rest.ts';
import { openPrivateDir, getPrivateRoot } from '../../core/store/file/private-dir.ts';
import { parseRecordReply } from './server-replies.ts';
import type { RecordReply } from './server-replies.ts';
import { toOneLine } from '../../core/base/text.ts';
import type { CallName } from '../remote/calls.ts';
import { askServer } from '../remote/client.ts';

export interface RemoteWorker {
  app: App;
  server: string;
  /** The worker's own project and its folder. */
  project: Project;
  root: string;
  signal: AbortSignal;
  heart: HeartbeatRenewal;
  contact: ReturnType<typeof createServerContact>;
  /** By lease. */
  atWork: Map<string, Promise<void>>;
  /** Tasks among them. */
  tasks: Map<string, TaskAtWork>;
}

export interface TaskAtWork {
  /** The name used by its server: S1/T1. */
  name: string;
  /** The last progress reported by its agent. */
  progress: string;
  /** Stops the task: its result is no longer wanted. */
  stop: AbortController;
}

/** Error codes that no retry will change. */
const FINAL = ['forbidden', 'usage', 'invalid_id'];

export const isFinal = (error: unknown): error is CouncilError =>
  error instanceof CouncilError && FINAL.includes(error.code);

export function createServerContact({ note }: Pick<App, 'note'>, server: string) {
  const told = new Set<string>();
  const noteOnce = (what: string, line: string): void => {
    if (!told.has(what)) note(line);
    told.add(what);
  };
  return {
    /**
     * Reports a failed or invalid answer. The same line is not repeated until the server has answered; errors that
     * end the worker are left to the caller.
     */
    noteLoss(what: unknown): void {
      const line = describeThrown(what);
      // A server that goes down is unreachable for several reasons in a row.
      if (isAway(what)) noteOnce('away', `${line} Waiting for it.`);
      else if (!isFinal(what)) noteOnce(line, line);
      told.add(line);
    },
    noteReturn(): void {
      if (told.has('away')) note(`The server ${new URL(server).origin} is back.`);
      told.clear();
    },
  };
}

const isAway = (error: unknown): boolean => error instanceof CouncilError && error.code === 'unreachable';

/** Pause before a retry, doubled each time up to the maximum. */
const FIRST_RETRY_MS = 3000;
const LONGEST_MS = 60_000;
/** About an hour; then the worker gives up, to free the place for other launches. */
const MOST_TRIES = 64;
const PATIENCE_MS = 30_000;
/** Timeout after an interruption. */
const LAST_MS = 3000;
/** Errors after which a retry may succeed. */
const PASSING = ['unreachable', 'interrupted', 'conflict', 'failed', 'io'];

export interface Payload {
  name: 'record' | 'fail';
  input: Record<string, unknown>;
}

interface LaunchDelivery {
  /** The participant or task shown in messages. */
  who: string;
  payload: Payload;
  /** Path of the local copy; undefined if there is no text, or it could not be saved. */
  kept: string | undefined;
  /** Instructions for a text that no server accepted. */
  otherwise?: (kept: string) => string;
}

/** Returns the server's reply; undefined if it did not accept, which was reported. */
export async function deliver(
  worker: RemoteWorker,
  delivery: LaunchDelivery,
): Promise<RecordReply | undefined> {
  const { app, contact, signal } = worker;
  const { who, payload, kept } = delivery;
  for (let tries = 1; ; tries++) {
    try {
      const ms = signal.aborted ? LAST_MS : PATIENCE_MS;
      const taken = parseRecordReply(await askInTime(worker, { ...payload, ms }));
      contact.noteReturn();
      return taken;
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      const isOver = signal.aborted || tries >= MOST_TRIES;
      if (isOver || !PASSING.includes(error.code)) return void app.note(formatUnsentLine(delivery, error));
      contact.noteLoss(error);
      if (tries === 1) app.note(`${who}: not handed in yet. It is tried again.${describeKeptFile(kept)}`);
      await waitUnlessAborted(Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LONGEST_MS), signal);
    }
  }
}

/** Names the path of a kept text, to be appended to a message. */
export const describeKeptFile = (kept: string | undefined): string =>
  kept === undefined ? '' : ` Its answer lies in ${kept}.`;

/** Says that it gave up, and how to submit the kept answer by hand. */
function formatUnsentLine({ who, kept, otherwise }: LaunchDelivery, { message }: CouncilError): string {
  const line = `${who}: ${message} It is not tried again.${describeKeptFile(kept)}`;
  return kept === undefined || !otherwise ? line : `${line} ${otherwise(kept)}`;
}

/** Limits of undelivered answers on disk. */
const MOST_UNSENT = { texts: 256, bytes: 64 * 1024 * 1024 };
const UNSENT = 'unsent-';

/** Saves an answer on disk until the server has accepted it. A full disk does not stop the upload. */
export async function keepUntilTaken(
  { app, root }: RemoteWorker,
  { name, who, output }: { name: string; who: string; output: Buffer },
): Promise<string | undefined> {
  try {
    const folder = openPrivateDir({ env: app.env, projectRoot: root });
    const unsent = (await folder.listKept()).filter((one) => one.name.startsWith(UNSENT));
    const bytes = unsent.reduce((sum, one) => sum + one.bytes, output.length);
    if (unsent.length < MOST_UNSENT.texts && bytes <= MOST_UNSENT.bytes)
      return await folder.keep(`${UNSENT}${name}.md`, output);
    app.note(
      `${who}: its answer is kept nowhere until the server has it: ${unsent.length} that no server took lie in ${join(getPrivateRoot(app.env), 'kept')} already.`,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    app.note(`${who}: its answer is kept nowhere until the server has it: ${describeThrown(error)}`);
    return undefined;
  }
}

interface ServerCall {
  name: CallName;
  input: Record<string, unknown>;
  /** Timeout for the answer. */
  ms: number;
  /** Ends it early. */
  signal?: AbortSignal;
}

/** Limits for a server's notes: number of lines, and characters per line; each is kept on one line. */
const MOST_NOTES = 20;
const LONGEST_ERROR_LINE = 1000;

function shortenError(error: CouncilError): CouncilError {
  const { code, message, hint, details } = error;
  return new CouncilError(code, toOneLine(message, LONGEST_ERROR_LINE), {
    ...(hint !== undefined && { hint: toOneLine(hint, LONGEST_ERROR_LINE) }),
    details,
    cause: error,
  });
}

/** Returns the server's answer. Throws like `askServer`, and `unreachable` after a timeout. */
export async function askInTime(
  { app, server }: Pick<RemoteWorker, 'app' | 'server'>,
  { name, input, ms, signal }: ServerCall,
): Promise<unknown> {
  const late = AbortSignal.timeout(ms);
  // The call may be needed while this process is being interrupted.
  const interruption = signal ? AbortSignal.any([late, signal]) : late;
  let notes = 0;
  const note = (line: string): void =>
    notes++ < MOST_NOTES ? app.note(toOneLine(line, LONGEST_ERROR_LINE)) : undefined;
  const calm = overrideApp(app, { interruption: () => interruption, note });
  try {
    return (await askServer(calm, { server, name, input })).document;
  } catch (error) {
    const isLate = late.aborted && !signal?.aborted;
    if (!(error instanceof CouncilError)) throw error;
    if (!isLate || error.code !== 'interrupted') throw shortenError(error);
    const { origin } = new URL(server);
    throw new CouncilError(
      'unreachable',
      `The server ${origin} cannot be reached: no answer within ${ms / 1000} s.`,
      { hint: 'Is the network on the way to it up?', cause: error },
    );
  }
}
