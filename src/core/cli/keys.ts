// Single keys from a terminal: while a council is played, and for a choice between letters.
import type { ReadStream } from 'node:tty';
import { isInForeground } from '../app/app.ts';
import { createUnansweredError } from './ask.ts';
import { writeOut } from './stdout.ts';

/** The keyboard, while single keys are read. */
export interface Keys {
  /** Listens, where this process may. Nothing happens between `pause` and `goOn`. */
  listen(): void;
  /** Gives the keyboard back. */
  release(): void;
  pause(): void;
  goOn(): void;
}

/** Keys that a terminal turns into signals; it does not while single keys are listened to, so they are sent from here. */
const SIGNALS: Record<string, NodeJS.Signals> = { '\x03': 'SIGINT', '\x1a': 'SIGTSTP', '\x1c': 'SIGQUIT' };

const ESCAPE = 0x1b;
const END_OF_INPUT = '\x04';

/** Calls `onKey` for each key that is typed. Undefined where there is no keyboard: stdin is no terminal. */
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

/** The keys in a chunk of input. Ctrl-C and the like are sent as signals; arrows and function keys are dropped. */
function readKeys(data: Buffer): string[] {
  if (data[0] === ESCAPE) return [];
  return [...data.toString('utf8')].filter((key) => {
    const signal = SIGNALS[key];
    // To the whole process group, as the terminal does.
    if (signal) process.kill(0, signal);
    return !signal;
  });
}

/**
 * Asks on stderr, and reads one key without waiting for Enter; undefined where the input has ended. What was typed with it in one
 * go, such as Enter by habit, is left out. Throws `interrupted` when `signal` aborts.
 */
export async function readTerminalKey(
  question: string,
  signal: AbortSignal,
  input: ReadStream,
): Promise<string | undefined> {
  // Single keys may have been listened to before, which keeps no process alive.
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
  // Not before: a terminal in its own mode would lose what is typed at once.
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
