// Lines at the bottom of the terminal that are redrawn in place.
import { setTimeout as delay } from 'node:timers/promises';
import stringWidth from 'string-width';
import { forOutput } from '../base/terminal.ts';
import { beforeOutput, drawOut, lose } from './stdout.ts';

/** Lines at the bottom of a terminal that change in place. Whatever else is written goes above them. */
export interface Region {
  /** Draws what there is to see now, or once council is no longer stopped. */
  refresh(): void;
  /** Takes all lines away and draws no more until the next `refresh`. */
  clear(): void;
}

/** Often enough for the eye. */
const FRAME_MS = 100;
/** A process group without a shell above it is not stopped by Ctrl-Z: then it goes on after this long. */
const NOT_STOPPED_MS = 50;
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const ERASE_BELOW = '\x1b[0J';
/** What does not fit is cut, so that a line is one row whatever the width has become meanwhile. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
/** While the window is resized its width is known too late: what is this narrow has nothing to break. */
const NARROW = 39;
const PULLING_MS = 1000;

/** Draws on stdout, a terminal that knows its width. `linesNow` tells what; `around` gives the keyboard back while council is stopped. */
export function liveRegion(
  linesNow: (columns: number) => string[],
  around: { onStop(): void; onContinue(): void },
): Region {
  /** Columns of each line as it was drawn; a narrower window has broken them since. */
  let drawn: number[] = [];
  /** The lines as they were drawn, and the size of the window: the same picture is not drawn again. */
  let shown = '';
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  let isStopped = false;
  let pulledAt = -Infinity;

  function erase(): string {
    if (drawn.length === 0) return '';
    const [columns] = windowSize();
    const rows = drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    drawn = [];
    return `\r\x1b[${rows}A${ERASE_BELOW}`;
  }
  function draw(): void {
    const [columns, height] = windowSize();
    // Never so many that their beginning would leave the screen, from where nothing can be taken back.
    const isPulled = Date.now() - pulledAt < PULLING_MS;
    const lines = linesNow(isPulled ? Math.min(columns, NARROW) : columns)
      .slice(0, Math.max(1, height - 3))
      .map(forOutput);
    const drawing = `${columns} ${height}\n${lines.join('\n')}`;
    if (drawn.length > 0 && drawing === shown) return;
    shown = drawing;
    const before = erase();
    drawn = lines.map((line) => stringWidth(line));
    // The cursor waits on an empty line below: some terminals do not break the line of the cursor when they get narrower.
    const picture = lines.map((line) => `${line}\n`).join('');
    drawOut(`${before}${lines.length > 0 ? HIDE_CURSOR : ''}${NO_WRAP}${picture}${WRAP}`);
  }
  /** Something else is written now; the picture comes back below it. */
  function makeRoom(): void {
    if (drawn.length === 0) return;
    drawOut(erase());
    queueMicrotask(() => timer && draw());
  }
  function away(): void {
    clearInterval(timer);
    timer = undefined;
    drawOut(`${erase()}${SHOW_CURSOR}`);
  }
  function refresh(): void {
    isWanted = true;
    if (isStopped) return;
    timer ??= setInterval(draw, FRAME_MS);
    draw();
  }
  function clear(): void {
    isWanted = false;
    if (timer) away();
  }
  beforeOutput(makeRoom);
  process.stdout.on('resize', () => {
    pulledAt = Date.now();
    if (timer) draw();
  });
  onSuspension(async (stop) => {
    if (timer) away();
    isStopped = true;
    around.onStop();
    await stop();
    isStopped = false;
    // All may be over by now.
    if (!isWanted) return;
    around.onContinue();
    refresh();
  });
  process.once('exit', () => timer && away());
  process.stdout.on('error', (error) => lose(1, error));
  return { refresh, clear };
}

/** As it is at this moment: the one that Node remembers lags behind a change. */
function windowSize(): [columns: number, rows: number] {
  const [columns, rows] = process.stdout.getWindowSize();
  return [columns || 80, rows || 24];
}

/** Ctrl-Z: what the shell prints meanwhile must not be drawn over, and its prompt has a cursor. `stop` ends when it goes on. */
function onSuspension(suspend: (stop: () => Promise<void>) => Promise<void>): void {
  const onSignal = (): void => void suspend(stop);
  const stop = async (): Promise<void> => {
    process.removeListener('SIGTSTP', onSignal);
    process.kill(process.pid, 'SIGTSTP');
    await delay(NOT_STOPPED_MS);
    process.on('SIGTSTP', onSignal);
  };
  process.on('SIGTSTP', onSignal);
}
