// Watches the store of a process that lasts: tells when it goes, changes and comes back.
import { CouncilError } from '../base/errors.ts';
import { measureUptime } from '../store/local/system.ts';
import { storeAway } from '../store/trouble.ts';
import type { StoreTrouble } from '../store/trouble.ts';

const LOOK_AGAIN_MS = 2000;
/** After so long without its folder the process ends; started again, it finds the folder where it is then. */
const GONE_FOR_GOOD_MS = 60_000;

export interface StoreWatch {
  /** Whether the store can be used now. Where it cannot, it is looked at until it can. */
  isUsable(): Promise<boolean>;
  /** Calls back each time when it can be used again. */
  onBack(call: () => void): void;
  /** Aborts, with the error to end with, when the folder of the project has been gone for a minute. */
  gone: AbortSignal;
  stop(): void;
}

export function watchStore(
  judge: () => Promise<StoreTrouble | undefined>,
  note: (line: string) => void,
): StoreWatch {
  const gone = new AbortController();
  let told: StoreTrouble | undefined;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const backs: (() => void)[] = [];
  const look = async (): Promise<boolean> => {
    const trouble = await judge();
    if (trouble && trouble.message !== told?.message) note(`${trouble.message} ${trouble.hint}`);
    if (!trouble && told) note('The store can be used again.');
    if (trouble && trouble.kind !== told?.kind) since = measureUptime();
    told = trouble;
    const isFolder = trouble?.kind === 'gone' || trouble?.kind === 'replaced';
    if (isFolder && measureUptime() - since >= GONE_FOR_GOOD_MS) gone.abort(storeAway(trouble));
    return trouble === undefined;
  };
  const lookAgain = async (): Promise<void> => {
    timer = undefined;
    if (await isUsable()) for (const call of backs) call();
  };
  const isUsable = async (): Promise<boolean> => {
    const isThere = await look();
    if (!isThere && !gone.signal.aborted) timer ??= setTimeout(() => void lookAgain(), LOOK_AGAIN_MS);
    return isThere;
  };
  return {
    gone: gone.signal,
    isUsable,
    onBack: (call) => void backs.push(call),
    stop: () => clearTimeout(timer),
  };
}

/** Throws the reason for which a watch has ended its process, if it has. */
export function throwIfGone({ gone }: Pick<StoreWatch, 'gone'>): void {
  if (gone.aborted && gone.reason instanceof CouncilError) throw gone.reason;
}
