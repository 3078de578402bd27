// The process around a command: arguments, environment, input and output.
import { EXIT_CODES } from '../base/errors.ts';
import { styleForOutput } from '../base/terminal.ts';
import { measureUptime, createInterruptedError } from '../app/app.ts';
import type { App, Result } from '../app/app.ts';
import { createQuietTeller } from '../app/progress.ts';
import { loadRefusalTranslator, printError } from './print.ts';
import { foldForTerminal, isTerminal, onLostReader, writeOut } from './stdout.ts';
import { readPiped, readStdin } from './stdin.ts';

/** The process around a command: what it can read, and where it prints. */
export interface Cli extends App {
  /** The address of a server that runs the command instead of this machine. */
  serverUrl?: string | undefined;
  /** Runs this command line on that server. */
  server?: () => Promise<ServerReply>;
  json: boolean;
  /** Reads all of stdin, up to 16 MiB. */
  stdin(): Promise<Uint8Array>;
  /** Reads additional piped input, if there is any; see `readPiped`. */
  readPiped(canDoWithout: boolean): Promise<Uint8Array>;
  /** True if stdout is a terminal that can be drawn on, and no single document was requested. */
  live: boolean;
  /** Prints text for people on stdout while the command runs; nothing with `--json`. */
  show(text: string): void;
  /** Colours text for stdout if colours are enabled (by `NO_COLOR`, `FORCE_COLOR` and the terminal). */
  paint(style: Parameters<typeof styleForOutput>[0], text: string): string;
}

/** A server's response, the number of bytes sent, and additional data for people. */
export type ServerReply = Result & { bytes: number; page?: unknown };

/**
 * npm forwards the signal that the terminal sent to the whole group, and a shell that of a closed terminal:
 * one Ctrl-C may arrive twice within this time.
 */
const SAME_MS = 300;

/** The command line of this process: its terminal, streams and signals. */
export function createProcessCli(options: {
  json: boolean;
  root: string | undefined;
  features: App['features'];
}): Cli {
  let controller: AbortController | undefined;
  let say = (): void => undefined;
  const interruption = (): AbortSignal => (controller ??= createInterruptController(() => say())).signal;
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
    progress: createQuietTeller({ note }),
    show: (text) => void (options.json || writeOut(text)),
    paint: (style, text) =>
      process.env.FORCE_COLOR || isTerminal()
        ? styleForOutput(style, text, { stream: process.stdout })
        : text,
    interruption,
    setResumeCommand: (resume) =>
      void (say = () => void printError(createInterruptedError(resume), options.json)),
    // A getter: accessing Node's stdin stream loads a part of Node that most commands do not need.
    get ask() {
      if (options.json || !process.stdin.isTTY || !process.stderr.isTTY) return undefined;
      return async (question: string) => {
        const { askOnTerminal } = await import('./read-terminal.ts');
        const { readErrorLanguage } = await import('../app/language.ts');
        const asked = (await loadRefusalTranslator(await readErrorLanguage(process.argv)))(question);
        const words = asked.trimEnd();
        const folded = await foldForTerminal(words, 'stderr');
        return askOnTerminal(folded + asked.slice(words.length), interruption());
      };
    },
  };
}

function createInterruptController(onLeaving: () => void): AbortController {
  const controller = new AbortController();
  let first: number | undefined;
  const stop = (signal: string): void => {
    const again = first !== undefined && measureUptime() - first > SAME_MS;
    first ??= measureUptime();
    // Nothing is lost: exit listeners end programs and record the interruption.
    if (again && signal !== 'SIGHUP') {
      onLeaving();
      process.exit(EXIT_CODES.interrupted);
    }
    controller.abort(signal);
  };
  // Not once(): the lock's own listener ends the process if there is no other one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  onLostReader((signal) => controller.abort(signal));
  return controller;
}
