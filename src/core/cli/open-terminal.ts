// The keyboard of the person at the terminal, where stdin is a pipe that brought the question.
import fs from 'node:fs';
import { ReadStream } from 'node:tty';
import { systemCode } from '../base/errors.ts';
import { isInForeground } from '../app/app.ts';
import type { Cli } from './io.ts';
import { isPiped } from './stdin.ts';

/** Undefined where no person is there to read what is asked: stdout or stderr is no terminal, or this runs in the background. */
export function openTerminal({ live }: Pick<Cli, 'live'>): ReadStream | undefined {
  if (!live || !process.stderr.isTTY || !isPiped() || !isInForeground()) return undefined;
  try {
    return new ReadStream(fs.openSync('/dev/tty', 'r'));
  } catch (error) {
    // A process without a terminal of its own, and Windows.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
