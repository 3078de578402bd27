// Rows at the bottom of the terminal that are redrawn in place.
import type { DefaultRenderer, ListrTaskWrapper, SimpleRenderer } from 'listr2';
import { setTimeout as delay } from 'node:timers/promises';
import { oneLine } from '../base/text.ts';
import type { Cli } from './io.ts';
import { lose, showCursor } from './stdout.ts';

/** Rows at the bottom of a terminal that change in place. Notes go above them, in the order in which they came. */
export interface Region {
  /** Sets the text of a row, or takes the row away. */
  row(key: string, text: string | undefined): void;
  /** Takes all rows away; resolves when nothing is drawn any more. */
  settle(): Promise<void>;
}

/** A row that fits has nothing to wrap when the window is made narrower. */
const ROW_WIDTH = 38;
/** A process group without a shell above it is not stopped by Ctrl-Z: then it goes on after this long. */
const NOT_STOPPED_MS = 50;

/** Draws on stdout, which must be a terminal that knows its width. */
export async function liveRegion(cli: Cli): Promise<Region> {
  const { Listr: List } = await import('listr2');
  const rows = new Map<string, { text: string; task?: Task }>();
  let lines: string[] = [];
  let drawn: { erase(): Promise<unknown> } | undefined;
  let drawing: Promise<void> = Promise.resolve();
  let isDue = false;

  const draw = (): void => {
    if (rows.size === 0) return;
    const over = Promise.withResolvers<void>();
    const list = new List<unknown>(
      [...rows.values()].map((row) => ({
        title: row.text,
        task: (_: unknown, task: Task) => {
          row.task = task;
          task.title = row.text;
          return over.promise;
        },
      })),
      {
        concurrent: true,
        // Its own ends the process with 127, before a lease is given back.
        registerSignalListeners: false,
        rendererOptions: { clearOutput: true, formatOutput: 'truncate' },
      },
    );
    const running = list.run();
    cli.divertNotes((line) => {
      lines.push(line);
      redraw();
    });
    drawn = {
      erase() {
        over.resolve();
        return running;
      },
    };
  };
  const erase = async (): Promise<void> => {
    await drawn?.erase();
    drawn = undefined;
    cli.divertNotes(undefined);
    const held = lines;
    lines = [];
    for (const line of held) cli.note(line);
  };
  const redraw = (): void => {
    if (isDue) return;
    isDue = true;
    drawing = drawing.then(async () => {
      isDue = false;
      await erase();
      draw();
    });
  };
  const suspend = (): void => {
    drawing = drawing.then(async () => {
      await erase();
      process.removeListener('SIGTSTP', suspend);
      process.kill(process.pid, 'SIGTSTP');
      await delay(NOT_STOPPED_MS);
      process.on('SIGTSTP', suspend);
      draw();
    });
  };
  // What was printed meanwhile by the shell must not be drawn over, and its prompt has a cursor.
  process.on('SIGTSTP', suspend);
  process.once('exit', () => {
    if (drawn) showCursor();
  });
  process.stdout.on('error', (error) => lose(1, error));

  return {
    row(key, given) {
      const text = given === undefined ? undefined : oneLine(given, ROW_WIDTH);
      const row = rows.get(key);
      if (row?.text === text) return;
      if (row && text !== undefined) {
        row.text = text;
        if (row.task) row.task.title = text;
        return;
      }
      if (text === undefined) rows.delete(key);
      else rows.set(key, { text });
      redraw();
    },
    async settle() {
      rows.clear();
      redraw();
      await drawing;
    },
  };
}

type Task = ListrTaskWrapper<unknown, typeof DefaultRenderer, typeof SimpleRenderer>;
