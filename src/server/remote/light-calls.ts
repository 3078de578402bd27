// Which calls are so light that a server does them in its own process.
import { rememberingNewest } from '../../core/base/memoize.ts';
import type { Documents } from '../../core/store/documents.ts';
import type { App } from '../../core/app/app.ts';
import { openReports } from '../../team/reports/ports.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import type { UseCaseName } from './callable-use-cases.ts';
import type { Host } from './host.ts';

const KIB = 1024;
/**
 * Most bytes of councils or archives that a call may read. A megabyte takes `status` about 10 ms, a
 * view several times that, and a search that matches every archive a third of a second; checking
 * quotes has no upper limit.
 */
const MOST: Partial<Record<UseCaseName, number>> = { status: 2048 * KIB, view: 256 * KIB, search: 512 * KIB };

/** Sizes of so many revisions are remembered: asking again costs a look at the revision. */
const MOST_SIZES = 5000;

/** Tells it of one call by what it would read. */
export function createLightCallCheck(app: App): NonNullable<Host['isLight']> {
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
  const isSearchWithin = async (most: number): Promise<boolean> => {
    const { project, ports } = openWorkspace(app);
    const files = [...(await ports.archives.list()), ...(await openReports({ project }).list())];
    return files.reduce((left, { bytes }) => left - bytes, most) >= 0;
  };
  return async ({ name, input }) => {
    const most = MOST[name];
    if (most === undefined) return false;
    if (name === 'search') return isSearchWithin(most).catch(() => true);
    // What cannot be read is refused at once, and the call says why.
    return isWithin(most, input.name).catch(() => true);
  };
}
