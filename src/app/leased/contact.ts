// Whether the server of a worker is there: said once when it is away, and once when it is back.
import { CouncilError, messageOf } from '../../base/errors.ts';
import type { App } from '../app.ts';

export interface Contact {
  /**
   * It did not answer, or not as it should; also what is to be said of that. The same is not said again before it has answered, and
   * what ends its worker is said with that end.
   */
  lost(what: unknown): void;
  /** It has answered. */
  found(): void;
}

/** What a server says of somebody whom no other answer would let in. */
const FINAL = ['forbidden', 'usage', 'invalid_id'];

/** Whether a worker that is answered so ends. */
export const isFinal = (error: unknown): error is CouncilError =>
  error instanceof CouncilError && FINAL.includes(error.code);

export function contactWith({ note }: Pick<App, 'note'>, server: string): Contact {
  const told = new Set<string>();
  const once = (what: string, line: string): void => {
    if (!told.has(what)) note(line);
    told.add(what);
  };
  return {
    lost(what) {
      const line = messageOf(what);
      // A server that goes is away for one reason after the other.
      if (isAway(what)) once('away', `${line} Waiting for it.`);
      else if (!isFinal(what)) once(line, line);
      told.add(line);
    },
    found() {
      if (told.has('away')) note(`The server ${new URL(server).origin} is back.`);
      told.clear();
    },
  };
}

const isAway = (error: unknown): boolean => error instanceof CouncilError && error.code === 'unreachable';
