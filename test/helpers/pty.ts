import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { afterAll } from 'vitest';
import { CLI, until } from './cli.ts';
import type { Project } from './cli.ts';

/** A command on a real pseudo-terminal, and what somebody in front of it would see. */
export interface Terminal {
  pid: number;
  /** Keys, as they are typed: "\x03" is Ctrl-C, "\x1a" Ctrl-Z, "\r" Enter. */
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Closes the window: the kernel tells the session with SIGHUP. */
  hangUp(): void;
  /** Every byte so far. */
  raw(): string;
  /** The lines on the screen and above it, without blanks at their ends and empty lines at the bottom. */
  lines(): Promise<string[]>;
  /** The same with styles, each line as it was before the terminal broke it. */
  cells(): Promise<Cell[][]>;
  /** Waits until the screen shows it. */
  shows(text: string | RegExp, ms?: number): Promise<void>;
  isCursorShown(): boolean;
  ended: Promise<{ code: number; signal: number }>;
}

/** One character with its style: "bold", "green", "dim"; empty for none. */
export interface Cell {
  char: string;
  style: string;
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string | undefined>;
}

const open = new Set<{ kill(signal?: string): void }>();

afterAll(() => {
  for (const terminal of open) terminal.kill('SIGKILL');
});

/** Ctrl-C, Ctrl-Z and Enter. */
export const CTRL_C = '\x03';
export const CTRL_Z = '\x1a';

/** The built council on a terminal. */
export const onTerminal = (project: Project, args: string[], options: TerminalOptions = {}): Terminal =>
  terminal(process.execPath, [CLI, ...args], project, options);

/** Any program on a terminal, in the folder and with the environment of a project. */
export function terminal(
  program: string,
  args: string[],
  project: Project,
  { columns = 100, rows = 40, env = {} }: TerminalOptions = {},
): Terminal {
  const set = Object.entries({ ...project.env, ...env });
  const pty = spawn(program, args, {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd: project.root,
    env: Object.fromEntries(set.filter((one): one is [string, string] => one[1] !== undefined)),
  });
  open.add(pty);
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  let raw = '';
  pty.onData((data) => {
    raw += data;
    screen.write(data);
  });
  const ended = new Promise<{ code: number; signal: number }>((resolve) => {
    pty.onExit(({ exitCode: code, signal = 0 }) => {
      open.delete(pty);
      resolve({ code, signal });
    });
  });
  const lines = async (): Promise<string[]> => {
    await new Promise<void>((drawn) => screen.write('', drawn));
    const { active } = screen.buffer;
    const all = Array.from({ length: active.length }, (_, at) => {
      return active.getLine(at)?.translateToString(true) ?? '';
    });
    return all.slice(0, all.findLastIndex((line) => line !== '') + 1);
  };
  const cells = async (): Promise<Cell[][]> => {
    const count = (await lines()).length;
    const all: Cell[][] = [];
    for (let at = 0; at < count; at++) {
      const line = screen.buffer.active.getLine(at);
      const row: Cell[] = [];
      for (let x = 0; x < (line?.length ?? 0); x++) {
        const cell = line?.getCell(x);
        // The second half of a wide character.
        if (!cell || cell.getWidth() === 0) continue;
        const style = [
          cell.isBold() !== 0 && 'bold',
          cell.isDim() !== 0 && 'dim',
          cell.isFgPalette() && (COLOURS[cell.getFgColor() % 8] ?? ''),
        ];
        row.push({ char: cell.getChars() || ' ', style: style.filter(Boolean).join(' ') });
      }
      if (line?.isWrapped) all.at(-1)?.push(...row);
      else all.push(row);
    }
    return all;
  };
  return {
    pid: pty.pid,
    cells,
    type: (keys) => pty.write(keys),
    resize(to, high) {
      pty.resize(to, high);
      screen.resize(to, high);
    },
    hangUp: () => (pty as unknown as { destroy(): void }).destroy(),
    raw: () => raw,
    lines,
    async shows(text, ms) {
      const isThere = (line: string): boolean =>
        typeof text === 'string' ? line.includes(text) : text.test(line);
      await until(`the screen shows ${String(text)}`, async () => (await lines()).some(isThere), ms).catch(
        async (error: unknown) => {
          throw new Error(`${String(error)}\n${(await lines()).join('\n')}`);
        },
      );
    },
    isCursorShown: () => raw.lastIndexOf('\x1b[?25h') >= raw.lastIndexOf('\x1b[?25l'),
    ended,
  };
}
