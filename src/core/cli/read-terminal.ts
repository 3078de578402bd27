// Asks at the terminal: for a line, even if stdin is a pipe with the question, or for a single key.
import { isInForeground } from '../app/app.ts';
import { writeOut } from './stdout.ts';
import { createInterface } from 'node:readline';
import { ReadStream } from 'node:tty';
import { CouncilError, ignoreSystemFault } from '../base/errors.ts';
import fs from 'node:fs';
import { isPiped } from './stdin.ts';

/** The keyboard in single-key mode. */
export interface Keys {
  /** Starts listening, if this process may. Does nothing between `pause` and `goOn`. */
  listen(): void;
  /** Restores the keyboard. */
  release(): void;
  pause(): void;
  goOn(): void;
}

/** Keys that a terminal turns into signals; in raw mode it does not, so they are sent from here. */
const SIGNALS: Record<string, NodeJS.Signals> = { '\x03': 'SIGINT', '\x1a': 'SIGTSTP', '\x1c': 'SIGQUIT' };

const ESCAPE = 0x1b;
const END_OF_INPUT = '\x04';

/** Calls `onKey` for each key. Returns undefined if stdin is no terminal. */
export function listenToKeys(onKey: (key: string) => void): Keys | undefined {
  const input = process.stdin;
  if (!input.isTTY) return undefined;
  let isListening = false;
  let isPaused = false;
  const onData = (data: Buffer): void => readKeys(data).forEach(onKey);
  function listen(): void {
    if (isListening || isPaused || !isInForeground()) return;
    isListening = true;
    input.setRawMode(true);
    input.on('data', onData).resume().unref();
  }
  function release(): void {
    if (!isListening) return;
    isListening = false;
    input.off('data', onData).pause();
    input.setRawMode(false);
  }
  return {
    listen,
    release,
    pause() {
      release();
      isPaused = true;
    },
    goOn() {
      isPaused = false;
      listen();
    },
  };
}

/** Returns the keys in a chunk of input. Sends Ctrl-C and the like as signals; drops arrow and function keys. */
function readKeys(data: Buffer): string[] {
  if (data[0] === ESCAPE) return [];
  return [...data.toString('utf8')].filter((key) => {
    const signal = SIGNALS[key];
    // To the whole process group, like the terminal.
    if (signal) process.kill(0, signal);
    return !signal;
  });
}

/**
 * Prompts on stderr and reads one key without Enter; undefined at the end of input. Drops further keys of the
 * same chunk, such as a habitual Enter. Throws `interrupted` when `signal` aborts.
 */
export async function readTerminalKey(
  question: string,
  signal: AbortSignal,
  input: ReadStream,
): Promise<string | undefined> {
  // Listening to single keys may have unreferenced stdin, which then keeps no process alive.
  input.ref();
  const pressed = Promise.withResolvers<string | undefined>();
  const onData = (data: Buffer): void => {
    const [key] = readKeys(data);
    if (key === END_OF_INPUT) pressed.resolve(undefined);
    else if (key !== undefined) pressed.resolve(key);
  };
  const onEnd = (): void => pressed.resolve(undefined);
  const onAbort = (): void => pressed.reject(createUnansweredError());
  // After Ctrl-Z the shell leaves the terminal in its own mode.
  const onContinue = (): void => void input.setRawMode(true);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  process.on('SIGCONT', onContinue);
  input.setRawMode(true);
  input.on('data', onData).once('end', onEnd).resume();
  // Not earlier: a terminal in its own mode would lose keys typed at once.
  writeOut(question, 2);
  try {
    const key = await pressed.promise;
    // In raw mode the terminal does not echo.
    writeOut(`${key === undefined || /\s/.test(key) ? '' : key}\n`, 2);
    return key;
  } finally {
    signal.removeEventListener('abort', onAbort);
    process.off('SIGCONT', onContinue);
    input.off('data', onData).off('end', onEnd).pause();
    input.setRawMode(false);
  }
}

/** Like `readTerminalLine`; returns '' at the end of stdin. */
export const askOnTerminal = async (question: string, signal: AbortSignal): Promise<string> =>
  (await readTerminalLine(question, signal)) ?? '';

/**
 * Prompts on stderr and reads one line from stdin or another terminal; undefined at its end. The terminal
 * edits the line itself, so Ctrl-C stays a signal. Throws `interrupted` when `signal` aborts.
 */
export async function readTerminalLine(
  question: string,
  signal: AbortSignal,
  input: ReadStream = process.stdin,
): Promise<string | undefined> {
  // `writeOut` filters escapes: names of agents and commands in a question may contain some.
  writeOut(question, 2);
  // Listening to single keys may have unreferenced stdin, which then keeps no process alive.
  input.ref();
  const lines = createInterface({ input, terminal: false });
  const answered = Promise.withResolvers<string | undefined>();
  const onAbort = (): void => answered.reject(createUnansweredError());
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  lines.once('close', () => answered.resolve(undefined));
  lines.once('line', answered.resolve);
  try {
    return await answered.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    lines.close();
  }
}

/** Creates the error of an aborted question. Further output starts on a line of its own. */
export function createUnansweredError(): CouncilError {
  writeOut('\n', 2);
  return new CouncilError('interrupted', 'Interrupted while waiting for your answer.', {
    hint: 'Nothing was changed.',
  });
}

/**
 * Returns undefined if no person can read a question: stdout or stderr is no terminal, or this runs in the
 * background.
 */
export function openTerminal({ live }: { live: boolean }): ReadStream | undefined {
  if (!live || !process.stderr.isTTY || !isPiped() || !isInForeground()) return undefined;
  // Fails in a process without a controlling terminal, and on Windows.
  return ignoreSystemFault(() => new ReadStream(fs.openSync('/dev/tty', 'r')));
}
