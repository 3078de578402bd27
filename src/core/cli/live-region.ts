// Lines at the bottom of the terminal that are redrawn in place.
import { setTimeout as delay } from 'node:timers/promises';
import stringWidth from 'string-width';
import { cleanForOutput } from '../base/terminal.ts';
import { registerEraser, drawOut, handleWriteError } from './stdout.ts';

/** Lines at the bottom of a terminal that change in place. Other output goes above them. */
export interface Region {
  /** Redraws now, or once council is resumed. */
  refresh(): void;
  /** Erases all lines and stops drawing until the next `refresh`. */
  clear(): void;
}

/** Fast enough for smooth changes. */
const FRAME_MS = 100;
/** A process group without a parent shell is not stopped by Ctrl-Z: then it continues after this time. */
const NOT_STOPPED_MS = 50;
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const ERASE_BELOW = '\x1b[0J';
/** Cuts long lines, so that each is one row even if the width has changed. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
/** During a resize the width is known too late: lines this narrow do not wrap. */
const NARROW = 39;
const PULLING_MS = 1000;

/**
 * Draws on stdout, a terminal of known width. `linesNow` returns the lines; `around` releases the keyboard
 * while council is stopped.
 */
export function createLiveRegion(
  linesNow: (columns: number) => string[],
  around: { onStop(): void; onContinue(): void },
): Region {
  /** Drawn widths of the lines; a narrower window has wrapped them since. */
  let drawn: number[] = [];
  /** The drawn lines and window size, to skip identical pictures. */
  let shown = '';
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  let isStopped = false;
  let pulledAt = -Infinity;

  function takeEraseCodes(): string {
    if (drawn.length === 0) return '';
    const [columns] = readWindowSize();
    const rows = drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    drawn = [];
    return `\r\x1b[${rows}A${ERASE_BELOW}`;
  }
  function draw(): void {
    const [columns, height] = readWindowSize();
    // Limits the height, since lines scrolled off the screen cannot be erased.
    const isPulled = Date.now() - pulledAt < PULLING_MS;
    const lines = linesNow(isPulled ? Math.min(columns, NARROW) : columns)
      .slice(0, Math.max(1, height - 3))
      .map(cleanForOutput);
    const drawing = `${columns} ${height}\n${lines.join('\n')}`;
    if (drawn.length > 0 && drawing === shown) return;
    shown = drawing;
    const before = takeEraseCodes();
    drawn = lines.map((line) => stringWidth(line));
    // The cursor stays on an empty line below: some terminals do not rewrap its line when they get narrower.
    const picture = lines.map((line) => `${line}\n`).join('');
    drawOut(`${before}${lines.length > 0 ? HIDE_CURSOR : ''}${NO_WRAP}${picture}${WRAP}`);
  }
  /** Erases the lines for other output; they are redrawn below it. */
  function makeRoom(): void {
    if (drawn.length === 0) return;
    drawOut(takeEraseCodes());
    queueMicrotask(() => timer && draw());
  }
  function hideRegion(): void {
    clearInterval(timer);
    timer = undefined;
    drawOut(`${takeEraseCodes()}${SHOW_CURSOR}`);
  }
  function refresh(): void {
    isWanted = true;
    if (isStopped) return;
    timer ??= setInterval(draw, FRAME_MS);
    draw();
  }
  function clear(): void {
    isWanted = false;
    if (timer) hideRegion();
  }
  registerEraser(makeRoom);
  process.stdout.on('resize', () => {
    pulledAt = Date.now();
    if (timer) draw();
  });
  onSuspension(async (stop) => {
    if (timer) hideRegion();
    isStopped = true;
    around.onStop();
    await stop();
    isStopped = false;
    // It may have ended meanwhile.
    if (!isWanted) return;
    around.onContinue();
    refresh();
  });
  process.once('exit', () => timer && hideRegion());
  process.stdout.on('error', (error) => handleWriteError(1, error));
  return { refresh, clear };
}

/** Queries the current size: Node's cached size lags behind a change. */
function readWindowSize(): [columns: number, rows: number] {
  const [columns, rows] = process.stdout.getWindowSize();
  return [columns || 80, rows || 24];
}

/**
 * On Ctrl-Z, the shell's output must not be drawn over, and its prompt needs a cursor. `stop` resolves on
 * resume.
 */
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
