// Which calls are so light that a server does them in its own process.
import { rememberingNewest } from '../../base/remember.ts';
import type { Documents } from '../../store/documents.ts';
import type { App } from '../app.ts';
import { openWorkspace } from '../workspace.ts';
import type { UseCaseName } from '../use-cases.ts';
import type { Host } from './host.ts';

const KIB = 1024;
/**
 * Bytes of the councils that a call may read. What tells where each stands takes a hundredth of a second for a megabyte, a view
 * several times that; looking up the quotes of a text takes as long as somebody wants it to.
 */
const MOST: Partial<Record<UseCaseName, number>> = { status: 2048 * KIB, view: 256 * KIB, search: Infinity };

/** Sizes of so many revisions are remembered: asking again costs a look at the revision. */
const MOST_SIZES = 5000;

/** Tells it of one call by what it would read. */
export function lightIn(app: App): NonNullable<Host['isLight']> {
  const remembered = rememberingNewest<Promise<number>>(MOST_SIZES);
  const sizeOf = async (store: Documents, council: string): Promise<number> =>
    remembered(JSON.stringify([council, await store.revision(council)]), async () =>
      Buffer.byteLength((await store.read(council))?.text ?? ''),
    );
  const isWithin = async (most: number, name: unknown): Promise<boolean> => {
    const { store } = openWorkspace(app).ports;
    let left = most;
    for (const council of typeof name === 'string' ? [name] : await store.list()) {
      left -= await sizeOf(store, council);
      if (left < 0) return false;
    }
    return true;
  };
  return async ({ name, input }) => {
    const most = MOST[name] ?? 0;
    if (most === 0 || most === Infinity) return most > 0;
    // What cannot be read is refused at once, and the call says why.
    return isWithin(most, input.name).catch(() => true);
  };
}
