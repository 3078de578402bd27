// Writes to stdout and stderr safely, also when the reader goes away.
import fs from 'node:fs';
import { CouncilError, describeThrown, getSystemCode } from '../base/errors.ts';
import { cleanForOutput } from '../base/terminal.ts';
import { sep } from 'node:path';
import type { App } from '../app/app.ts';

let handleLoss: (signal: 'SIGPIPE' | 'SIGHUP') => void = () => process.exit();
let makeRoom = (): void => undefined;
/** Closed streams, and streams waiting for `drain`. */
const lost = new Set<number>();
const queued = new Map<number, NodeJS.WriteStream>();

/**
 * Sets the reaction to a lost reader, for a command with cleanup to do; by default the process exits. A
 * closed terminal is passed as the signal that comes with it, since either may come first.
 */
export function onLostReader(leave: typeof handleLoss): void {
  handleLoss = leave;
}

/**
 * Writes to stdout or stderr, filtering everything a terminal would interpret except council's own colours.
 * All output goes through here. Writes synchronously like to a file: Node's own streams take a fifth of a
 * cold start, so they are loaded only if the other end does not keep up.
 */
export function writeOut(text: string, fd: 1 | 2 = 1): void {
  makeRoom();
  writeBytes(Buffer.from(cleanForOutput(text)), fd);
}

function writeBytes(bytes: Buffer, fd: 1 | 2): void {
  if (lost.has(fd)) return;
  // Later output must not overtake queued output.
  const waiting = queued.get(fd);
  if (waiting) return void waiting.write(bytes);
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      if (getSystemCode(error) !== 'EAGAIN') return handleWriteError(fd, error);
      const stream = fd === 1 ? process.stdout : process.stderr;
      stream.on('error', (later) => handleWriteError(fd, later));
      stream.write(bytes.subarray(at));
      queued.set(fd, stream);
      return;
    }
  }
}

export const isStdoutOpen = (): boolean => !lost.has(1);

/** Sets the function that erases what is drawn on the terminal before other output. */
export function registerEraser(erase: () => void): void {
  makeRoom = erase;
}

/** Draws on the terminal, including cursor moves; its text was filtered by `cleanForOutput`. */
export const drawOut = (picture: string): void => writeBytes(Buffer.from(picture), 1);

let terminal: boolean | undefined;

/** True if stdout is a terminal. Cached, because it never changes and every painted line asks. */
export const isTerminal = (): boolean =>
  (terminal ??= fs.fstatSync(1).isCharacterDevice() && process.stdout.isTTY === true);

/**
 * A reader that stops early, such as `head`, or a closed terminal is no error. If stdout cannot be written
 * for another reason, throws `io`; output to stderr is dropped.
 */
export function handleWriteError(fd: number, error: unknown): void {
  const code = getSystemCode(error);
  if (code === undefined) throw error;
  lost.add(fd);
  if (code === 'EPIPE') handleLoss('SIGPIPE');
  else if (code === 'EIO' && fs.fstatSync(fd).isCharacterDevice()) handleLoss('SIGHUP');
  else if (fd === 1)
    throw new CouncilError('io', `Cannot write to stdout: ${describeThrown(error)}.`, {
      hint: 'Free some space, or send the output elsewhere.',
      details: { errno: code },
      cause: error,
    });
}

/** Wraps lines for people to the terminal they go to (stdout or stderr); unchanged without a terminal. */
export async function foldForTerminal(text: string, out: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  const isShown = out === 'stdout' ? isTerminal() : process.stderr.isTTY;
  const columns = isShown ? process[out].columns : 0;
  const isNarrow = columns > 0 && text.split('\n').some(({ length }) => length > columns / 2);
  return isNarrow ? (await import('./wrap.ts')).foldLines(text, columns) : text;
}

/** Wraps a command's notes to the terminal; elsewhere programs may read them, so they stay as they are. */
export async function fitCli<Given extends Pick<App, 'note' | 'cwd'>>(cli: Given): Promise<Given> {
  if (process.stderr.isTTY) cli.note = await fitNotes(cli);
  return cli;
}

/** Formats notes for people: relative paths, and on a terminal wrapped between words. */
export async function fitNotes({ note, cwd }: Pick<App, 'note' | 'cwd'>): Promise<App['note']> {
  const { columns, isTTY } = process.stderr;
  const fold = isTTY && columns > 0 ? (await import('./wrap.ts')).foldLines : (line: string) => line;
  return (line) => note(fold(line.replaceAll(`${cwd}${sep}`, ''), process.stderr.columns));
}
