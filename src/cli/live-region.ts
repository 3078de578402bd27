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
  const rows = new Map<string, Row>();
  const picture = pictureOf(cli, (shown) => new List<unknown>(shown.map(taskOf), OPTIONS).run());
  let drawing: Promise<void> = Promise.resolve();
  let isDue = false;

  const draw = (): void => picture.draw([...rows.values()], redraw);
  function redraw(): void {
    if (isDue) return;
    isDue = true;
    drawing = drawing.then(async () => {
      isDue = false;
      await picture.erase();
      draw();
    });
  }
  onSuspension((stop) => {
    drawing = drawing.then(async () => {
      await picture.erase();
      await stop();
      draw();
    });
  });
  process.once('exit', () => {
    if (picture.isDrawn()) showCursor();
  });
  process.stdout.on('error', (error) => lose(1, error));

  return {
    row(key, given) {
      if (change(rows, key, given === undefined ? undefined : oneLine(given, ROW_WIDTH))) redraw();
    },
    async settle() {
      rows.clear();
      redraw();
      await drawing;
    },
  };
}

interface Row {
  text: string;
  task?: Task;
}

/** Changes the text of a row where it stands; true when a row came or went, so that all are drawn anew. */
function change(rows: Map<string, Row>, key: string, text: string | undefined): boolean {
  const row = rows.get(key);
  if (row?.text === text) return false;
  if (text === undefined) return rows.delete(key);
  if (!row) {
    rows.set(key, { text });
    return true;
  }
  row.text = text;
  if (row.task) row.task.title = text;
  return false;
}

const OPTIONS = {
  concurrent: true,
  // Its own ends the process with 127, before a lease is given back.
  registerSignalListeners: false,
  rendererOptions: { clearOutput: true, formatOutput: 'truncate' },
} as const;

/** A row as listr2 draws it, until `over`. */
const taskOf = ({ row, over }: Shown) => ({
  title: row.text,
  task: (_: unknown, task: Task) => {
    row.task = task;
    task.title = row.text;
    return over;
  },
});

interface Shown {
  row: Row;
  over: Promise<void>;
}

/** What is drawn now. Notes wait while it is there, and are printed above it once it is taken away. */
function pictureOf(cli: Cli, show: (rows: Shown[]) => Promise<unknown>) {
  let held: string[] = [];
  let drawn: { erase(): Promise<unknown> } | undefined;
  return {
    isDrawn: () => drawn !== undefined,
    draw(rows: Row[], onNote: () => void): void {
      if (rows.length === 0) return;
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const running = show(rows.map((row) => ({ row, over })));
      cli.divertNotes((line) => {
        held.push(line);
        onNote();
      });
      drawn = {
        erase() {
          resolve();
          return running;
        },
      };
    },
    async erase(): Promise<void> {
      await drawn?.erase();
      drawn = undefined;
      cli.divertNotes(undefined);
      const lines = held;
      held = [];
      for (const line of lines) cli.note(line);
    },
  };
}

/** Ctrl-Z: what the shell prints meanwhile must not be drawn over, and its prompt has a cursor. `stop` ends when it goes on. */
function onSuspension(suspend: (stop: () => Promise<void>) => void): void {
  const onSignal = (): void => suspend(stop);
  const stop = async (): Promise<void> => {
    process.removeListener('SIGTSTP', onSignal);
    process.kill(process.pid, 'SIGTSTP');
    await delay(NOT_STOPPED_MS);
    process.on('SIGTSTP', onSignal);
  };
  process.on('SIGTSTP', onSignal);
}

type Task = ListrTaskWrapper<unknown, typeof DefaultRenderer, typeof SimpleRenderer>;
