// Writes to stdout and stderr safely, also when the reader goes away.
import fs from 'node:fs';
import { CouncilError, describeThrown, systemCode } from '../base/errors.ts';
import { forOutput } from '../base/terminal.ts';
import { sep } from 'node:path';
import type { App } from '../app/app.ts';

let atLoss: (signal: 'SIGPIPE' | 'SIGHUP') => void = () => process.exit();
let makeRoom = (): void => undefined;
/** Of stdout and stderr: those that take nothing any more, and those that took no more for a moment. */
const lost = new Set<number>();
const queued = new Map<number, NodeJS.WriteStream>();

/**
 * What a lost reader means for a command that has something to put in order first; without it the process ends. A terminal that was
 * closed is told as the signal that comes with it, since either may come first.
 */
export function onLostReader(leave: typeof atLoss): void {
  atLoss = leave;
}

/**
 * Writes to stdout or stderr, and lets nothing through that a terminal would obey but our own colours: everything that
 * a command prints comes by here. As to a file: Node's own streams, and the network code below those, are a fifth of
 * a cold start; they are asked for only where the other end takes no more for the moment.
 */
export function writeOut(text: string, fd: 1 | 2 = 1): void {
  makeRoom();
  writeBytes(Buffer.from(forOutput(text)), fd);
}

function writeBytes(bytes: Buffer, fd: 1 | 2): void {
  if (lost.has(fd)) return;
  // What is written after it must not overtake what waits.
  const waiting = queued.get(fd);
  if (waiting) return void waiting.write(bytes);
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') return lose(fd, error);
      const stream = fd === 1 ? process.stdout : process.stderr;
      stream.on('error', (later) => lose(fd, later));
      stream.write(bytes.subarray(at));
      queued.set(fd, stream);
      return;
    }
  }
}

/** Whether stdout can still be written. */
export const isStdoutOpen = (): boolean => !lost.has(1);

/** Takes away what is drawn on the terminal before anything else is written to it. */
export function beforeOutput(erase: () => void): void {
  makeRoom = erase;
}

/** Draws on the terminal, moves of the cursor included: what of it is text has gone through `forOutput`. */
export const drawOut = (picture: string): void => writeBytes(Buffer.from(picture), 1);

let terminal: boolean | undefined;

/** True when stdout is a terminal. It stays what it is, and every line that is painted asks. */
export const isTerminal = (): boolean =>
  (terminal ??= fs.fstatSync(1).isCharacterDevice() && process.stdout.isTTY === true);

/**
 * A reader that has seen enough, such as `head`, or a terminal that was closed is no fault. Where stdout cannot be written for
 * another reason, a CouncilError `io` is thrown; where stderr cannot, it is lost.
 */
export function lose(fd: number, error: unknown): void {
  const code = systemCode(error);
  if (code === undefined) throw error;
  lost.add(fd);
  if (code === 'EPIPE') atLoss('SIGPIPE');
  else if (code === 'EIO' && fs.fstatSync(fd).isCharacterDevice()) atLoss('SIGHUP');
  else if (fd === 1)
    throw new CouncilError('io', `Cannot write to stdout: ${describeThrown(error)}.`, {
      hint: 'Free some space, or send the output elsewhere.',
      details: { errno: code },
      cause: error,
    });
}

/** Lines for people, as they fit the terminal that they go to (stdout or stderr); as they are where there is none. */
export async function foldForTerminal(text: string, out: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  const isShown = out === 'stdout' ? isTerminal() : process.stderr.isTTY;
  const columns = isShown ? process[out].columns : 0;
  const isNarrow = columns > 0 && text.split('\n').some(({ length }) => length > columns / 2);
  return isNarrow ? (await import('./wrap.ts')).foldLines(text, columns) : text;
}

/** A command whose notes fit the terminal, where there is one; elsewhere they are for programs as well, and stay as they are. */
export async function fitCli<Given extends Pick<App, 'note' | 'cwd'>>(cli: Given): Promise<Given> {
  if (process.stderr.isTTY) cli.note = await fitNotes(cli);
  return cli;
}

/** Notes as people read them: paths from the folder where they are, and on a terminal no word broken. */
export async function fitNotes({ note, cwd }: Pick<App, 'note' | 'cwd'>): Promise<App['note']> {
  const { columns, isTTY } = process.stderr;
  const fold = isTTY && columns > 0 ? (await import('./wrap.ts')).foldLines : (line: string) => line;
  return (line) => note(fold(line.replaceAll(`${cwd}${sep}`, ''), process.stderr.columns));
}
