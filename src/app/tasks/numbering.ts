// Numbers of a session's messages: taken from the store in blocks, so that two processes never give the same one.
import type { Tasks } from '../../tasks/store.ts';
import { ENDS } from '../../tasks/wire.ts';

const BLOCK = 16;

export interface Numbering {
  /** Makes sure that so many can be had, as long as nothing is waited for. */
  prepare(count: number): Promise<void>;
  next(): string;
  /** Gives back what was not used, unless somebody else has taken numbers since. */
  end(): Promise<void>;
}

export function numbering(tasks: Tasks, session: string): Numbering {
  const free: number[] = [];
  return {
    async prepare(count) {
      const missing = count - free.length;
      if (missing <= 0) return;
      const most = Math.max(BLOCK, missing);
      let last = 0;
      await tasks.changeSession(session, (before) => {
        if (!before) return undefined;
        last = before.messages + most;
        return { ...before, messages: last };
      });
      for (let at = last - most + 1; at <= last; at++) free.push(at);
    },
    next() {
      const number = free.shift();
      if (number === undefined) throw new Error('Numbers of messages are taken before they are prepared.');
      return `M${((number - 1) % ENDS.message) + 1}`;
    },
    async end() {
      if (free.length === 0 || free.at(-1)! - free[0]! !== free.length - 1) return;
      // Nobody takes them meanwhile.
      const back = free.splice(0);
      await tasks.changeSession(session, (before) =>
        before && before.messages === back.at(-1)
          ? { ...before, messages: before.messages - back.length }
          : undefined,
      );
    },
  };
}
