// Single keys from a terminal, while something is drawn on it.
import { isInForeground } from '../app/app.ts';

/** What is listened to. */
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

/** Calls `onKey` for each key that is typed. Undefined where there is no keyboard: stdin is no terminal. */
export function listenToKeys(onKey: (key: string) => void): Keys | undefined {
  if (!process.stdin.isTTY) return undefined;
  let isListening = false;
  let isPaused = false;
  const onData = (data: Buffer): void => {
    // An arrow or a function key: its digits are no keys.
    if (data[0] === ESCAPE) return;
    for (const key of data.toString('utf8')) {
      const signal = SIGNALS[key];
      // To everybody whom the terminal would have told: npm, and what a shell runs beside this.
      if (signal) process.kill(0, signal);
      else onKey(key);
    }
  };
  function listen(): void {
    if (isListening || isPaused || !isInForeground()) return;
    isListening = true;
    process.stdin.setRawMode(true);
    process.stdin.on('data', onData).resume().unref();
  }
  function release(): void {
    if (!isListening) return;
    isListening = false;
    process.stdin.off('data', onData).pause();
    process.stdin.setRawMode(false);
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
