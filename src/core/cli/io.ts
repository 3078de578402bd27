// The process around a command: arguments, environment, input and output.
import { EXIT_CODES } from '../base/errors.ts';
import { styleForOutput } from '../base/terminal.ts';
import { measureUptime, createInterruptedError } from '../app/app.ts';
import type { App, Result } from '../app/app.ts';
import { silent } from '../app/progress.ts';
import { printError } from './print.ts';
import { isTerminal, onLostReader, writeOut } from './stdout.ts';
import { readPiped, readStdin } from './stdin.ts';

/** The process around a command: what it may read and where it prints. */
export interface Cli extends App {
  /** The address of a server that does it in place of this machine. */
  serverUrl?: string | undefined;
  /** Has that server do what this command line asks for. */
  server?: () => Promise<FromServer>;
  json: boolean;
  /** All that was sent as text: stdin, up to 16 MiB. */
  stdin(): Promise<Uint8Array>;
  /** What was piped in beside other input, if anything was; see `readPiped`. */
  readPiped(canDoWithout: boolean): Promise<Uint8Array>;
  /** True when stdout is a terminal that can be drawn on, and one document was not asked for. */
  live: boolean;
  /** Text for people on stdout while the command still works; nothing with `--json`. */
  show(text: string): void;
  /** Colours a text for stdout where colours are wanted (`NO_COLOR`, `FORCE_COLOR` and the terminal decide). */
  paint(style: Parameters<typeof styleForOutput>[0], text: string): string;
}

/** What a server said, how many bytes of text were sent, and what people read where that is not made of the document. */
export type FromServer = Result & { bytes: number; page?: unknown };

/** npm passes on the signal that the terminal has sent to everybody, and a shell that of a closed terminal: one Ctrl-C may come twice. */
const SAME_MS = 300;

/** The command line of this process: its terminal, its streams and its signals. */
export function processCli(options: {
  json: boolean;
  root: string | undefined;
  features: App['features'];
}): Cli {
  let controller: AbortController | undefined;
  let say = (): void => undefined;
  const interruption = (): AbortSignal => (controller ??= interruptible(() => say())).signal;
  const note = (line: string): void => writeOut(`${line}\n`, 2);
  return {
    cwd: process.cwd(),
    env: process.env,
    via: 'cli',
    json: options.json,
    root: options.root,
    features: options.features,
    startedAt: Date.now() - measureUptime(),
    live: !options.json && isTerminal() && process.env.TERM !== 'dumb',
    stdin: readStdin,
    readPiped: (canDoWithout) => readPiped({ canDoWithout, note, signal: interruption() }),
    note,
    progress: silent({ note }),
    show: (text) => void (options.json || writeOut(text)),
    paint: (style, text) =>
      process.env.FORCE_COLOR || isTerminal()
        ? styleForOutput(style, text, { stream: process.stdout })
        : text,
    interruption,
    onLeaving: (resume) => void (say = () => void printError(createInterruptedError(resume), options.json)),
    // A getter: looking at Node's stream for stdin loads a part of Node that most commands do not need.
    get ask() {
      if (options.json || !process.stdin.isTTY || !process.stderr.isTTY) return undefined;
      return async (question: string) => (await import('./ask.ts')).askOnTerminal(question, interruption());
    },
  };
}

function interruptible(onLeaving: () => void): AbortController {
  const controller = new AbortController();
  let first: number | undefined;
  const stop = (signal: string): void => {
    const again = first !== undefined && measureUptime() - first > SAME_MS;
    first ??= measureUptime();
    // Nothing is lost by that: what listens to the end of the process ends programs and notes the interruption.
    if (again && signal !== 'SIGHUP') {
      onLeaving();
      process.exit(EXIT_CODES.interrupted);
    }
    controller.abort(signal);
  };
  // Not once(): the lock's own listener ends the process when it finds no other one beside it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  onLostReader((signal) => controller.abort(signal));
  return controller;
}
