// Numbers of a session's messages: taken from the store in blocks, so that two processes never give the same one.
import type { Tasks } from '../store.ts';
import { ENDS } from '../wire-lines.ts';
import type { Numbered } from '../wire-lines.ts';

const BLOCK = 16;

export interface Numbering {
  /** Makes sure that so many can be had, as long as nothing is waited for. */
  prepare(count: number): Promise<void>;
  next(): Numbered;
  /** Returns unused numbers, unless another process has taken numbers since. */
  end(): Promise<void>;
}

export function createMessageNumbering(tasks: Tasks, session: string): Numbering {
  const free: { at: number; context: string }[] = [];
  /** Takes as many, or none where the wire has no more for this session and `fresh` is not its next one. */
  async function take(most: number, fresh?: string): Promise<boolean> {
    let taken: { last: number; context: string } | undefined;
    await tasks.changeSession(session, (before) => {
      taken = undefined;
      if (!before) return undefined;
      const isFull = before.messages + most > ENDS.message;
      if (isFull && fresh === undefined) return undefined;
      taken = isFull
        ? { last: most, context: fresh! }
        : { last: before.messages + most, context: before.context ?? session };
      return { ...before, messages: taken.last, context: taken.context };
    });
    const { last, context } = taken ?? { last: 0, context: session };
    for (let at = last - most + 1; taken && at <= last; at++) free.push({ at, context });
    return taken !== undefined;
  }
  return {
    async prepare(count) {
      const missing = count - free.length;
      if (missing <= 0) return;
      const most = Math.max(BLOCK, missing);
      if ((await take(most)) || !(await tasks.session(session))) return;
      // No number is given twice: what is said from now on belongs to a session of its own.
      const next = await tasks.changeNumbers((numbers) => ({ ...numbers, session: numbers.session + 1 }));
      await take(most, `S${next.session}`);
    },
    next() {
      const number = free.shift();
      if (number === undefined) throw new Error('Numbers of messages are taken before they are prepared.');
      return { id: `M${number.at}`, context: number.context };
    },
    async end() {
      const [first, last] = [free[0], free.at(-1)];
      if (!first || !last || last.at - first.at !== free.length - 1) return;
      // Emptied first, so that they cannot be taken meanwhile.
      const back = free.splice(0);
      await tasks.changeSession(session, (before) =>
        before && before.messages === last.at && (before.context ?? session) === last.context
          ? { ...before, messages: before.messages - back.length }
          : undefined,
      );
    },
  };
}
