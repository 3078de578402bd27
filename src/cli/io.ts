import { hostname, userInfo } from 'node:os';
import { styleText } from 'node:util';
import { MAX_CONTRIBUTION_BYTES, forTerminal } from '../base/text.ts';
import { elapsed } from '../store/system.ts';
import { isTerminal, writeOut } from './stdout.ts';

/** Beyond this a text is not read to its end: it would be refused, and must not fill the memory. */
const READ_LIMIT = 16 * MAX_CONTRIBUTION_BYTES;

/** The process around a command: what it may read and where it prints. */
export interface Cli {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The face that is used, for the history. */
  via: 'cli' | 'mcp' | 'tick';
  json: boolean;
  /** From `--root`. */
  root: string | undefined;
  /** When this process started, in milliseconds since the epoch. */
  startedAt: number;
  /** True when stdout is a terminal and one document was not asked for. */
  live: boolean;
  /** All that was sent as text: stdin, up to 16 MiB. */
  stdin(): Promise<Uint8Array>;
  /** A line for people, on stderr. */
  note(line: string): void;
  /** Text for people on stdout while the command still works; nothing with `--json`. */
  show(text: string): void;
  /** Colours a text for stdout where colours are wanted (`NO_COLOR`, `FORCE_COLOR` and the terminal decide). */
  paint(style: Parameters<typeof styleText>[0], text: string): string;
  /** Aborted by SIGINT and SIGTERM, once something asks for it. */
  interruption(): AbortSignal;
}

export function processCli(options: { json: boolean; root: string | undefined }): Cli {
  let controller: AbortController | undefined;
  return {
    cwd: process.cwd(),
    env: process.env,
    via: 'cli',
    json: options.json,
    root: options.root,
    startedAt: Date.now() - elapsed(),
    live: !options.json && isTerminal(),
    stdin: readStdin,
    note: (line) => writeOut(`${forTerminal(line)}\n`, 2),
    show: (text) => void (options.json || writeOut(text)),
    paint: (style, text) =>
      process.env.FORCE_COLOR || isTerminal() ? styleText(style, text, { stream: process.stdout }) : text,
    interruption() {
      if (!controller) {
        const created = (controller = new AbortController());
        // Not once(): the lock's own listener ends the process when it finds no other one beside it.
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => created.abort(signal));
      }
      return controller.signal;
    },
  };
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if ((size += chunk.length) > READ_LIMIT) break;
  }
  return Buffer.concat(chunks);
}

/** "user@host", for the history and for sealed texts. */
export function place(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A uid without an entry in the user database, as in many containers.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
