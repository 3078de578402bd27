// What a remote worker has of its server: whether they understand each other, whether it answers, and what it takes of a launch, kept here meanwhile.

import type { Heart } from '../../core/heartbeat/launch/heartbeat-row.ts';
import type { Project } from '../../core/store/local/project.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { App } from '../../core/app/app.ts';
import { CouncilError, describeThrown } from '../../core/base/errors.ts';
import { join } from 'node:path';
import { rest } from '../../core/heartbeat/launch/rest.ts';
import { privateDir, privateRoot } from '../../core/store/file/private-dir.ts';
import { parseRecordReply } from './server-replies.ts';
import type { RecordReply } from './server-replies.ts';
import { oneLine } from '../../core/base/text.ts';
import type { CallName } from '../remote/calls.ts';
import { askServer } from '../remote/client.ts';

export interface Worker {
  app: App;
  server: string;
  /** Its own project, and the folder of that. */
  project: Project;
  root: string;
  signal: AbortSignal;
  heart: Heart;
  contact: Contact;
  /** By lease. */
  atWork: Map<string, Promise<void>>;
  /** Those of them that are tasks. */
  tasks: Map<string, TaskAtWork>;
}

export interface TaskAtWork {
  /** As its server knows it: S1/T1. */
  name: string;
  /** How far its agent said last that it is. */
  progress: string;
  /** Stops the task: its result is no longer wanted. */
  stop: AbortController;
}

interface Contact {
  /**
   * Reports a failed or wrong answer. The same line is not repeated until the server has answered,
   * and errors that end the worker are left to the caller.
   */
  noteLoss(what: unknown): void;
  noteReturn(): void;
}

/** Error codes that no retry will change. */
const FINAL = ['forbidden', 'usage', 'invalid_id'];

/** Whether a worker that is answered so ends. */
export const isFinal = (error: unknown): error is CouncilError =>
  error instanceof CouncilError && FINAL.includes(error.code);

export function createServerContact({ note }: Pick<App, 'note'>, server: string): Contact {
  const told = new Set<string>();
  const noteOnce = (what: string, line: string): void => {
    if (!told.has(what)) note(line);
    told.add(what);
  };
  return {
    noteLoss(what) {
      const line = describeThrown(what);
      // A server that goes is away for one reason after the other.
      if (isAway(what)) noteOnce('away', `${line} Waiting for it.`);
      else if (!isFinal(what)) noteOnce(line, line);
      told.add(line);
    },
    noteReturn() {
      if (told.has('away')) note(`The server ${new URL(server).origin} is back.`);
      told.clear();
    },
  };
}

const isAway = (error: unknown): boolean => error instanceof CouncilError && error.code === 'unreachable';

/** Before it is sent again; twice as long each time, up to the longest. */
const AGAIN_MS = 3000;
const LONGEST_MS = 60_000;
/** About an hour. A server that has not taken it by then is not asked any more: its place is for other launches. */
const MOST_TRIES = 64;
const PATIENCE_MS = 30_000;
/** After an interruption the server gets this long. */
const LAST_MS = 3000;
/** A server that says this may take it later. */
const PASSING = ['unreachable', 'interrupted', 'conflict', 'failed', 'io'];

/** What is sent, as its call takes it. */
export interface Payload {
  name: 'record' | 'fail';
  input: Record<string, unknown>;
}

interface Delivery {
  /** Who is told of in lines: a participant, a task. */
  who: string;
  payload: Payload;
  /** Where its text lies until it is taken; undefined where there is none, or no disk took it. */
  kept: string | undefined;
  /** What to do with a text that no server takes; it lies where `kept` says. */
  otherwise?: (kept: string) => string;
}

/** What the server says; undefined where it has not taken it, which was told. */
export async function deliver(worker: Worker, delivery: Delivery): Promise<RecordReply | undefined> {
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
      if (isOver || !PASSING.includes(error.code)) return void app.note(unsentLine(delivery, error));
      contact.noteLoss(error);
      if (tries === 1) app.note(`${who}: not handed in yet. It is tried again.${describeKeptFile(kept)}`);
      await rest(Math.min(AGAIN_MS * 2 ** (tries - 1), LONGEST_MS), signal);
    }
  }
}

/** Where a text lies, as the end of a line. */
export const describeKeptFile = (kept: string | undefined): string =>
  kept === undefined ? '' : ` Its answer lies in ${kept}.`;

/** Says that it gave up, and how to submit the kept answer by hand. */
function unsentLine({ who, kept, otherwise }: Delivery, { message }: CouncilError): string {
  const line = `${who}: ${message} It is not tried again.${describeKeptFile(kept)}`;
  return kept === undefined || !otherwise ? line : `${line} ${otherwise(kept)}`;
}

/** Limits of undelivered answers on disk. */
const MOST_UNSENT = { texts: 256, bytes: 64 * 1024 * 1024 };
const UNSENT = 'unsent-';

/**
 * Saves an answer on disk until the server has accepted it. A full disk does not stop the upload.
 */
export async function keptUntilTaken(
  { app, root }: Worker,
  { name, who, output }: { name: string; who: string; output: Buffer },
): Promise<string | undefined> {
  try {
    const folder = privateDir({ env: app.env, projectRoot: root });
    const unsent = (await folder.listKept()).filter((one) => one.name.startsWith(UNSENT));
    const bytes = unsent.reduce((sum, one) => sum + one.bytes, output.length);
    if (unsent.length < MOST_UNSENT.texts && bytes <= MOST_UNSENT.bytes)
      return await folder.keep(`${UNSENT}${name}.md`, output);
    app.note(
      `${who}: its answer is kept nowhere until the server has it: ${unsent.length} that no server took lie in ${join(privateRoot(app.env), 'kept')} already.`,
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
  /** How long the server has for its answer. */
  ms: number;
  /** Ends it before. */
  signal?: AbortSignal;
}

/** What a server says of an answer: so many lines, each of so many characters, and none that looks like two. */
const MOST_NOTES = 20;
const LONGEST = 1000;

function inOneLine(error: CouncilError): CouncilError {
  const { code, message, hint, details } = error;
  return new CouncilError(code, oneLine(message, LONGEST), {
    ...(hint !== undefined && { hint: oneLine(hint, LONGEST) }),
    details,
    cause: error,
  });
}

/** What the server answers. Throws as `askServer` does, and `unreachable` where no answer comes in time. */
export async function askInTime(
  { app, server }: Pick<Worker, 'app' | 'server'>,
  { name, input, ms, signal }: ServerCall,
): Promise<unknown> {
  const late = AbortSignal.timeout(ms);
  // A call may have to be made while this process is being interrupted.
  const interruption = signal ? AbortSignal.any([late, signal]) : late;
  let notes = 0;
  const note = (line: string): void => (notes++ < MOST_NOTES ? app.note(oneLine(line, LONGEST)) : undefined);
  const calm = overrideApp(app, { interruption: () => interruption, note });
  try {
    return (await askServer(calm, { server, name, input })).document;
  } catch (error) {
    const isLate = late.aborted && !signal?.aborted;
    if (!(error instanceof CouncilError)) throw error;
    if (!isLate || error.code !== 'interrupted') throw inOneLine(error);
    const { origin } = new URL(server);
    throw new CouncilError(
      'unreachable',
      `The server ${origin} cannot be reached: no answer within ${ms / 1000} s.`,
      { hint: 'Is the network on the way to it up?', cause: error },
    );
  }
}
