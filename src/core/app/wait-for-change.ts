// Waits until a council may have changed, a deadline has passed or a signal aborts.
import type { Clock } from '../base/clock.ts';
import { storeAway } from '../store/trouble.ts';
import { judgeProjectFolder } from './store-trouble.ts';
import type { Stored } from '../store/documents.ts';
import type { Workspace } from './workspace.ts';

/** Timers stand still while the machine sleeps, do not see a clock that is set, and nothing is heard from a folder that has gone. */
const LOOK_AGAIN_MS = 10_000;

export interface CouncilWatch {
  /** The council as it is now; undefined once it is archived. Throws `store_away` where the folder of the project has gone. */
  read(): Promise<Stored | undefined>;
  /** Resolves when the council has another revision than `seen`, at `deadline` (ms since the epoch), when `signal` aborts, or in ten seconds. */
  untilChange(seen: number, deadline: number | undefined, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** One watch of a council for as long as a process waits for it: to begin one costs a connection where a database keeps it. */
export function watchCouncil(
  { store, project }: Pick<Workspace, 'store' | 'project'>,
  name: string,
  clock: Pick<Clock, 'now'> = { now: Date.now },
): CouncilWatch {
  const look = () => judgeProjectFolder(project);
  void look();
  let wake: () => void = () => undefined;
  const stop = store.watch(name, () => wake());
  const wait = (seen: number, deadline: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const ms = Math.min(Math.max(deadline - clock.now(), 0), LOOK_AGAIN_MS);
      const timer = setTimeout(finish, ms);
      function finish(): void {
        wake = () => undefined;
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        resolve();
      }
      // A commit between the caller's read and this watch is not heard, and a hint may come from the commit that was read.
      wake = () => void store.revision(name).then((now) => now !== seen && finish(), reject);
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted) finish();
      else wake();
    });
  return {
    stop,
    async read() {
      const stored = await store.read(name);
      const trouble = stored === undefined ? await look() : undefined;
      if (trouble) throw storeAway(trouble);
      return stored;
    },
    untilChange: (seen, deadline = Infinity, signal) => wait(seen, deadline, signal),
  };
}
