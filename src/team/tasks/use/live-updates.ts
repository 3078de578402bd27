// Tells how far a worker is while it works: the U lines that it prints.
import { CouncilError } from '../../../core/base/errors.ts';
import { oneLine } from '../../../core/base/text.ts';
import { readSaid } from '../parse-worker-output.ts';
import type { Speaking } from '../parse-worker-output.ts';
import type { Task } from '../task.ts';
import { holds } from '../transitions.ts';
import { getPairValue } from '../wire-lines.ts';
import type { Tasking } from './ports.ts';

/** Characters of a line that is not yet over; more are no update. */
const LONGEST_ROW = 4096;
const LONGEST = 200;
/** The letter of an update in its place; only such rows are read. */
const LIKE_UPDATE = /\|[^|\p{L}]*U[^|\p{L}]*\||^\W*U\s/iu;

/**
 * Hears what a worker prints, and keeps the newest update with its task, where `task show` and `task watch` find it. The
 * exchange gets the lines when the launch ends.
 */
export function liveUpdates(
  { tasks, tell, note }: Pick<Tasking, 'tasks' | 'tell' | 'note'>,
  task: Task,
  wire: string,
): (bytes: number, chunk?: Buffer) => void {
  let newest: string | undefined;
  let keeping = false;

  /** One commit at a time; what comes meanwhile is kept by the next one. */
  async function keep(): Promise<void> {
    if (keeping) return;
    keeping = true;
    try {
      while (newest !== undefined) {
        const progress = newest;
        newest = undefined;
        await tasks.change(task.session, task.id, (now) =>
          now && task.lease && holds(now, task.lease.id) && now.progress !== progress
            ? { ...now, progress }
            : undefined,
        );
      }
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      note(`${task.id}: how far it is could not be kept: ${error.message}`);
    } finally {
      keeping = false;
    }
  }

  return createProgressListener({ task, wire }, (text) => {
    newest = text;
    tell({ type: 'progress', task, text });
    void keep();
  });
}

/** Hears what a worker prints, and tells how far it says that it is, whenever that has changed. */
export function createProgressListener(
  speaking: Speaking,
  tell: (text: string) => void,
): (bytes: number, chunk?: Buffer) => void {
  const decoder = new TextDecoder();
  let row = '';
  let told: string | undefined;
  return (_bytes, chunk) => {
    if (!chunk) return;
    const rows = `${row}${decoder.decode(chunk, { stream: true })}`.split('\n');
    row = (rows.pop() ?? '').slice(-LONGEST_ROW);
    const updates = rows.filter((one) => LIKE_UPDATE.test(one));
    if (updates.length === 0) return;
    const { lines } = readSaid(updates.join('\n'), speaking);
    const update = lines.findLast(({ kind }) => kind === 'update');
    if (!update?.body) return;
    const text = oneLine(getPairValue(update.data, 'progress') ?? update.body, LONGEST);
    if (text === told) return;
    told = text;
    tell(text);
  };
}
