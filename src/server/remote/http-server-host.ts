// The host of a server with many clients over HTTP.
import { CouncilError } from '../../core/base/errors.ts';
import type { App } from '../../core/app/app.ts';
import { pinRoot } from '../../core/app/project-folder.ts';
import { createPageServices } from '../page/use/page-data.ts';
import type { PageServices } from '../page/use/page-data.ts';
import { createProcessPerformer } from './call-process.ts';
import { createTokenLookup } from './token-lookup.ts';
import type { PageTokenLookup } from './token-lookup.ts';
import { createChangeEvents } from './change-events.ts';
import type { ChangeHints } from './change-events.ts';
import { createHost, performUnlessGone } from './host.ts';
import type { Host } from './host.ts';
import { performCall } from './perform-call.ts';
import { memoizeNewest } from '../../core/base/memoize.ts';
import type { Documents } from '../../core/store/documents.ts';
import { reportFiles } from '../../team/reports/report-files.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import { isCall, isLightAction } from './calls.ts';
import type { UseCaseName } from './calls.ts';

/** Settings of the person who started the server; they must not apply to its clients. */
const OWN_SETTINGS = [
  'COUNCIL_TOKEN',
  'COUNCIL_TURN',
  'COUNCIL_PARTICIPANT',
  'COUNCIL_NAME',
  'COUNCIL_TOUR',
  'COUNCIL_SERVER',
];

/** Creates a host whose calls run in their own processes, except those that only wait. */
export function createHttpServerHost(own: App, stop: AbortSignal) {
  const app = withoutOwn(own);
  const isolatedCall = createProcessPerformer(app, stop);
  const performHere: Host['perform'] = (asked, gone) =>
    performUnlessGone(app, asked, () => performCall(app, asked, AbortSignal.any([gone, stop])));
  const host = createHost(app, stop, (asked, gone) =>
    asked.name === 'wait' ? performHere(asked, gone) : isolatedCall(asked, gone),
  );
  return { ...host, here: performHere, isLight: createLightCallCheck(app) };
}

/**
 * Opens the token lookup for this address. Throws `forbidden` if other machines could reach it and there are no
 * tokens yet, `no_project` without a project.
 */
export async function openTokenLookup(
  own: App,
  host: Parameters<typeof createTokenLookup>[1],
  address: string,
): Promise<PageTokenLookup> {
  const isLoopback = LOOPBACK.test(address);
  const doors = createTokenLookup(withoutOwn(own), host, isLoopback);
  if (isLoopback || (await doors.hasTokens())) return doors;
  throw new CouncilError(
    'forbidden',
    `Without a token, nobody but this machine may come in, and others can reach ${address}.`,
    {
      hint: 'Make one first: council token create --role admin. Or serve on the loopback address: --host 127.0.0.1',
    },
  );
}

export const createServerChangeEvents = (own: App): ChangeHints => createChangeEvents(withoutOwn(own));

export const createServerPageData = (own: App): PageServices => createPageServices(withoutOwn(own));

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|::1)$/;

const withoutOwn = (own: App): App => ({
  ...own,
  root: pinRoot(own),
  env: Object.fromEntries(Object.entries(own.env).filter(([name]) => !OWN_SETTINGS.includes(name))),
});

// Decides which calls are light enough for the server's own process.

const KIB = 1024;
/**
 * Maximum bytes of councils or archives that a call may read. A megabyte takes `status` about 10 ms, a view
 * several times that, and a search that matches every archive a third of a second; checking quotes has no upper
 * limit.
 */
const MOST_BYTES_READ: Partial<Record<UseCaseName, number>> = {
  status: 2048 * KIB,
  view: 256 * KIB,
  search: 512 * KIB,
};

/** Number of revisions whose sizes are cached, so that repeated calls only check the revision. */
const MOST_SIZES = 5000;

/** Creates a check of a call by how much it would read. */
export function createLightCallCheck(app: App): NonNullable<Host['isLight']> {
  const remembered = memoizeNewest<Promise<number>>(MOST_SIZES);
  const measureSize = async (store: Documents, council: string): Promise<number> =>
    remembered(JSON.stringify([council, await store.revision(council)]), async () =>
      Buffer.byteLength((await store.read(council))?.text ?? ''),
    );
  const isWithin = async (most: number, name: unknown): Promise<boolean> => {
    const { store } = openWorkspace(app).ports;
    let left = most;
    for (const council of typeof name === 'string' ? [name] : await store.list()) {
      left -= await measureSize(store, council);
      if (left < 0) return false;
    }
    return true;
  };
  const isSearchWithin = async (most: number): Promise<boolean> => {
    const { project, ports } = openWorkspace(app);
    const files = [...(await ports.archives.list()), ...(await reportFiles(project.root).list())];
    return files.reduce((left, { bytes }) => left - bytes, most) >= 0;
  };
  return async ({ name, input }) => {
    const most = MOST_BYTES_READ[name];
    if (most === undefined) return isCall(name) && isLightAction(name, input.action);
    if (name === 'search') return isSearchWithin(most).catch(() => true);
    // Unreadable data fail fast, and the call reports why.
    return isWithin(most, input.name).catch(() => true);
  };
}
